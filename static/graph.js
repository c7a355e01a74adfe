// 图: the memory as a picture. It opens with the most central names and never shows everything: more come on request, around one name or
// in all. Five states, each visible and in `data-state`: loading, empty, failed, filtered, ready.
import { get, pageOf, post } from "./api.js";
import { Canvas } from "./canvas.js";
import { byId, el, later } from "./dom.js";
import { frame } from "./frame.js";
import { sentence, t } from "./i18n.js";
import { shortcut } from "./keys.js";
import { watch } from "./live.js";
import { Margin } from "./margin.js";
import { Mirror, table } from "./mirror.js";
import { Model } from "./model.js";
import { complain } from "./say.js";
import { suggest } from "./suggest.js";

// A small screen begins with fewer, or its words would find no room.
const FIRST = innerWidth < 640 ? 30 : 80;
const MOST = 300;
const STEP = 12;
const KINDS = ["person", "place", "organisation", "event", "other"];

const main = byId("main");
const model = new Model();
let limit = FIRST;
/** @type {string | null} the name the picture is centred on */
let focus = new URLSearchParams(location.search).get("focus");
let face = "canvas";
let sequence = -1;

const margin = new Margin({ changed: () => reload(), selected: (id) => select(id) });
const canvas = new Canvas(byId("canvas"), {
  select: (id) => (id ? open(id) : margin.back()),
  expand: (id) => toggle(id),
  drawn: () => placeLater(),
  covered: () => {
    const sheet = margin.root.getBoundingClientRect();
    const here = byId("canvas").getBoundingClientRect();
    return sheet.height && sheet.left < here.right ? sheet.top - here.top : here.height;
  },
  moved: (id, at) => model.move(id, at),
});
const mirror = new Mirror(main, {
  open: (id) => open(id),
  expand: (id) => expand(id),
  collapse: (id) => collapse(id),
  point: (id) => {
    canvas.point(id);
    if (id) canvas.reveal(id);
  },
});
const placeLater = later(() => mirror.place((id) => canvas.where(id), canvas.lit, canvas.selected), 120);

// --- reading

/** Read from the server and show it. @param {{fit?: boolean}} [options] */
async function load({ fit = true } = {}) {
  if (!model.nodes.size) state("loading");
  try {
    const query = { limit, ...(focus ? { focus } : {}) };
    const answer = fit ? await get("/subgraph", query) : await post("/subgraph", { focus: focus ? [focus] : [], limit, positions: model.positions() });
    sequence = answer.sequence;
    if (fit) model.clear();
    model.take(answer);
    draw({ fit });
    if (fit && focus && !margin.shown && model.nodes.has(focus)) open(focus);
  } catch (error) {
    if (model.nodes.size) return complain(error);
    state("failed", sentence(error));
  }
}

/** Read again what is shown, in place: somebody changed the memory. */
const reload = () => load({ fit: false });

/** @param {string} id */
async function expand(id) {
  try {
    const before = model.nodes.size;
    const answer = await post("/subgraph", { focus: [id], limit: Math.min(before + STEP, 2000), positions: model.positions() });
    model.take(answer, id);
    draw();
  } catch (error) {
    complain(error);
  }
}

/** @param {string} id */
function collapse(id) {
  if (!model.folds(id)) return;
  model.fold(id, canvas.selected);
  draw();
}

/** @param {string} id */
const toggle = (id) => ((model.visible().nodes.find((node) => node.id === id)?.hidden ?? 0) > 0 ? expand(id) : collapse(id));

/** @param {string | null} id */
function centre(id) {
  focus = id;
  limit = id ? 40 : FIRST;
  margin.back();
  history.replaceState({}, "", pageOf("graph", id ? { focus: id } : {}));
  load();
}

// --- showing

/** @param {string} name @param {string} [detail] */
function state(name, detail = "") {
  main.dataset.state = name;
  const screen = byId("centre");
  const nothing = name === "filtered" && !canvas.size;
  screen.hidden = name === "ready" || (name === "filtered" && !nothing);
  const button = (/** @type {string} */ text, /** @type {() => void} */ run) => el("button", { class: "link", text, on: { click: run } });
  if (name === "loading") screen.replaceChildren(el("span", { class: "waiting", text: t("graph.loading") }));
  if (name === "empty")
    screen.replaceChildren(el("span", { text: t("graph.empty") }), el("small", { text: t("graph.emptyHint") }), el("a", { class: "link", href: pageOf("ask"), text: t("graph.toAsk") }));
  if (name === "failed") screen.replaceChildren(el("span", { text: t("graph.failed") }), el("small", { text: detail }), button(t("error.retry"), load));
  if (nothing) screen.replaceChildren(el("span", { text: t("graph.filteredAll") }), button(t("graph.showAll"), showAll));
  foot(name);
}

function draw({ fit = false } = {}) {
  const seen = model.visible();
  canvas.show(seen.nodes, seen.edges, { fit });
  mirror.show(seen.nodes);
  byId("table").replaceChildren(table(seen.nodes, model.degrees, canvas.selected, { open, expand, collapse, point: () => {} }));
  legend();
  state(!model.nodes.size ? "empty" : model.hiddenKinds.size ? "filtered" : "ready");
  placeLater();
}

/** Show more of the whole, around what is there. */
async function grow() {
  limit = Math.min(MOST, limit * 2);
  await load({ fit: false });
  canvas.fit();
}

/** @param {string} name */
function foot(name) {
  const entities = [...model.nodes.values()].filter(({ type }) => type === "entity").length;
  const hidden = entities - canvas.size;
  const button = (/** @type {string} */ text, /** @type {() => void} */ run) => el("button", { class: "link", text, on: { click: run } });
  const shown = name === "ready" || name === "filtered";
  const more = shown && !focus && model.truncated && limit < MOST;
  byId("foot").replaceChildren(
    shown ? el("span", { data: { count: "" }, text: t("graph.count", { shown: canvas.size, total: model.total }) }) : "",
    more ? button(t("more"), grow) : "",
    focus && shown ? button(t("graph.all"), () => centre(null)) : "",
    name === "filtered" ? el("span", { text: t("graph.filtered", { n: hidden }) }) : "",
    name === "filtered" ? button(t("graph.showAll"), showAll) : "",
    unfold(),
    shown && face === "canvas" ? el("span", { class: "hint", text: t("graph.hint") }) : "",
  );
}

/** The controls of the chosen name: unfold, fold. */
function unfold() {
  const id = canvas.selected;
  const node = id && model.visible().nodes.find((candidate) => candidate.id === id);
  if (!node) return "";
  if (node.hidden > 0) return el("button", { class: "link strong", data: { act: "expand" }, text: `${t("graph.expand")} +${node.hidden}`, on: { click: () => expand(node.id) } });
  if (model.folds(node.id)) return el("button", { class: "link", data: { act: "collapse" }, text: t("graph.collapse"), on: { click: () => collapse(node.id) } });
  return "";
}

function legend() {
  byId("legend").replaceChildren(
    ...KINDS.map((kind) =>
      el(
        "button",
        { class: kind, aria: { pressed: !model.hiddenKinds.has(kind) }, data: { kind }, on: { click: () => filter(kind) } },
        el("i"),
        t(`legend.${kind}`),
      ),
    ),
    [...model.nodes.values()].some(({ hand }) => hand) ? el("span", { class: "human" }, el("i"), t("graph.human")) : "",
  );
}

/** @param {string} kind */
function filter(kind) {
  if (!model.hiddenKinds.delete(kind)) model.hiddenKinds.add(kind);
  draw();
  /** @type {HTMLElement | null} */ (byId("legend").querySelector(`[data-kind="${kind}"]`))?.focus();
}

function showAll() {
  model.hiddenKinds.clear();
  draw();
}

/** @param {string | null} id */
function select(id) {
  canvas.select(id);
  if (id) canvas.reveal(id);
  foot(main.dataset.state ?? "ready");
  for (const row of byId("table").querySelectorAll("tr[data-id]")) row.setAttribute("aria-selected", String(row.dataset.id === id));
}

/** @param {string} id */
function open(id) {
  margin.entry(id);
}

/** Choose a name found by its letters: on the canvas if it is there, else around it. @param {{id: string}} entity */
function choose({ id }) {
  if (!model.nodes.has(id)) return centre(id);
  open(id);
}

/** @param {"canvas" | "table"} to */
function turn(to) {
  face = to;
  byId("table").hidden = to === "canvas";
  byId("face-canvas").setAttribute("aria-pressed", String(to === "canvas"));
  byId("face-table").setAttribute("aria-pressed", String(to === "table"));
  foot(main.dataset.state ?? "ready");
}

byId("face-canvas").addEventListener("click", () => turn("canvas"));
byId("face-table").addEventListener("click", () => turn("table"));
suggest(byId("search"), choose);
const selectedAnd = (/** @type {(id: string) => void} */ run) => () => canvas.selected && run(canvas.selected);
shortcut({ keys: "e", show: "E", words: "keys.expand", run: selectedAnd(expand) });
shortcut({ keys: "c", show: "C", words: "keys.collapse", run: selectedAnd(collapse) });
frame({ refresh: () => (reload(), margin.refresh()), choose });
const changed = later(() => {
  reload();
  margin.tally(t("graph.selectHint")).catch(complain);
}, 500);
watch({ changed: () => (margin.refresh(), changed()) });
margin.tally(t("graph.selectHint")).catch(complain);
load();
