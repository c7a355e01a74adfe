// What came back for a question: paragraphs with the words that mattered washed in ochre, the way taken as a sketch, and the reasons and
// facts in the margin.
import { Canvas } from "./canvas.js";
import { byId, el, languageOf, still } from "./dom.js";
import { factLine } from "./facts.js";
import { has, list, t } from "./i18n.js";
import { radiusOf } from "./ink.js";
import { steps } from "./path.js";
import { apart } from "./spacing.js";
import { told } from "./told.js";
import { markLength, passage, place, typeset } from "./typeset.js";

/** @typedef {import("./margin.js").Margin} Margin */

/**
 * @param {any} answer
 * @param {Margin} margin
 */
export function answerView(answer, margin) {
  const open = (/** @type {string} */ id) => margin.entry(id);
  const { trace } = answer;
  const nodes = [how(answer)];
  const path = connected(trace.path);
  /** @type {Canvas | null} */
  let canvas = null;
  const reason = el("p", { class: "how-why", text: trace.reason ?? "", hidden: true, attributes: { id: "why" } });
  nodes[0].querySelector("button")?.addEventListener("click", (event) => {
    reason.hidden = !reason.hidden;
    /** @type {HTMLElement} */ (event.currentTarget).setAttribute("aria-expanded", String(!reason.hidden));
  });
  nodes.push(reason, ...(trace.warnings ?? []).map((/** @type {string} */ text) => el("p", { class: "how-warning", text: told(text) })));
  if (!answer.paragraphs.length) {
    nodes.push(el("p", { class: "still" }, t("ask.nothing"), el("small", { text: t("ask.nothingHint") })));
    margin.rest(el("h2", { text: t("ask.reasons") }), el("p", { class: "small", text: trace.reason ?? t("ask.nothing") }));
    return { nodes, start: () => {}, stop: () => {} };
  }
  const predicates = answer.facts.map((/** @type {any} */ fact) => fact.predicate);
  const passages = el(
    "section",
    { class: "passages", aria: { label: t("ask.results") } },
    ...answer.paragraphs.map((/** @type {any} */ found, /** @type {number} */ index) => paragraph(found, index, answer, predicates, open)),
  );
  const picture = path.nodes.length > 1;
  const holder = el("div", { class: "ink" });
  const sketch = el("figure", { class: "sketch", attributes: { role: "img" }, aria: { label: t("ask.sketch", { names: list((trace.entities ?? []).map((/** @type {any} */ e) => e.name)) }) } }, holder);
  nodes.push(el("div", { class: `answer${picture ? "" : " plain"}` }, passages, picture ? sketch : ""));
  margin.rest(...reasons(answer, open));
  return {
    nodes,
    start: () => {
      if (!picture) return;
      canvas = new Canvas(holder, { select: (id) => id && path.nodes.some((/** @type {any} */ n) => n.id === id && n.type === "entity") && open(id), quiet: true });
      canvas.show(drawn(path.nodes, canvas.room()), path.edges, { fit: true });
      canvas.light(steps(path), still() ? 0 : 90);
      byId("main").dataset.path = "lit";
    },
    stop: () => canvas?.close(),
  };
}

const MOST = 40;

/** What a sketch shows: at most 40 nodes, the brightest, that hang together with something. @param {any} path */
function connected({ nodes, edges }) {
  const bright = [...nodes].sort((a, b) => b.lit - a.lit).slice(0, MOST);
  const ids = new Set(bright.map(({ id }) => id));
  const kept = edges.filter((/** @type {any} */ { source, target }) => ids.has(source) && ids.has(target));
  const joined = new Set(kept.flatMap((/** @type {any} */ edge) => [edge.source, edge.target]));
  return { nodes: bright.filter(({ id }) => joined.has(id)), edges: kept };
}

/** Places on the screen for a sketch, turned by a right angle when it fits the frame better. @param {any[]} nodes @param {{width: number, height: number}} room */
function drawn(nodes, { width, height }) {
  const span = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values);
  const [across, down] = [span(nodes.map(({ x }) => x)) || 1, span(nodes.map(({ y }) => y)) || 1];
  const turn = Math.min(width / across, height / down) < 0.8 * Math.min(width / down, height / across);
  const turned = turn ? nodes.map((node) => ({ ...node, x: node.y, y: node.x })) : nodes;
  const [wide, high] = turn ? [down, across] : [across, down];
  const flat = Math.min(1, width / wide);
  // Height that is left over gives the words room.
  const steep = Math.min(height / high, Math.max(1, flat * 2));
  const smaller = turned.map((node) => ({ ...node, x: node.x * flat, y: node.y * steep, size: Math.min(20, node.size * 0.72) }));
  const places = apart(smaller.map((node) => ({ id: node.id, x: node.x, y: node.y, radius: radiusOf(node) })));
  return smaller.map((node) => ({ ...node, ...places.get(node.id) }));
}

/** How the answer was found, in one line. @param {any} answer */
function how(answer) {
  const { trace } = answer;
  const route = trace.route ?? answer.route;
  const parts = [
    has(`ask.route.${route}`) ? t(`ask.route.${route}`) : route,
    t("ask.how", { facts: answer.facts.length, names: trace.entities?.length ?? 0, paragraphs: answer.paragraphs.length }),
    trace.seconds === undefined ? "" : t("ask.seconds", { n: Math.max(1, Math.round(trace.seconds * 1000)) }),
  ];
  return el(
    "p",
    { class: "how" },
    el("span", { text: parts.filter(Boolean).join(" · ") }),
    trace.reason ? el("button", { class: "link", text: t("ask.why"), aria: { expanded: false, controls: "why" } }) : null,
  );
}

/** @param {any} found @param {number} index @param {any} answer @param {string[]} predicates @param {(id: string) => void} open */
function paragraph(found, index, answer, predicates, open) {
  const washed = new Set(found.entities);
  const here = new Set(found.names.map((/** @type {any} */ span) => span.entity));
  // A predicate is washed only where both its names stand, else "was" would be yellow everywhere.
  const words = answer.facts.filter((/** @type {any} */ f) => !f.subject_id || (here.has(f.subject_id) && here.has(f.object_id))).map((/** @type {any} */ f) => f.predicate);
  return passage(
    found,
    typeset(found.text, { spans: found.names, washed, words: washed.size > 1 ? words : [], from: markLength(found), open }),
    { data: { rank: index + 1 }, attributes: { id: `p${index + 1}` } },
    el("a", { class: "number", href: `#r${index + 1}`, text: String(index + 1), aria: { label: `${t("ask.reasons")} ${index + 1}` } }),
    el("footer", { text: place(found) }),
  );
}

/** Why a paragraph came back, a line a reason; how its score adds up only on request. @param {any} found */
function why(found) {
  const line = (/** @type {{text: string}} */ { text }) => el("p", { lang: languageOf(text), text: told(text) });
  const lines = found.reasons.filter((/** @type {any} */ { kind }) => kind !== "score").map(line);
  const sums = found.reasons.filter((/** @type {any} */ { kind }) => kind === "score").map(line);
  if (!lines.length) lines.push(el("p", { text: t("ask.noReasons") }));
  return sums.length ? [...lines, el("details", {}, el("summary", { class: "link", text: t("ask.score") }), ...sums)] : lines;
}

/** @param {any} answer @param {(id: string) => void} open */
function reasons(answer, open) {
  const items = answer.paragraphs.map((/** @type {any} */ found, /** @type {number} */ index) =>
    el(
      "li",
      { attributes: { id: `r${index + 1}` } },
      el("a", { href: `#p${index + 1}`, text: String(index + 1), aria: { label: t("ask.goto", { n: index + 1 }) } }),
      el("div", {}, ...why(found)),
    ),
  );
  const facts = answer.facts.map((/** @type {any} */ fact) => factLine(fact, open));
  return [
    el("h2", { text: t("ask.reasons") }),
    el("ol", { class: "reasons" }, ...items),
    facts.length ? el("h3", { text: t("ask.facts") }) : "",
    facts.length ? el("ul", {}, ...facts) : "",
  ];
}
