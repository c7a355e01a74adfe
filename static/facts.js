// A fact as one line: subject, predicate, object, when, and on request the paragraphs that state it.
import { get, pageOf } from "./api.js";
import { el, languageOf } from "./dom.js";
import { day, t } from "./i18n.js";
import { complain } from "./say.js";
import { markLength, nameLink, place } from "./typeset.js";

/**
 * @param {any} fact
 * @param {(id: string) => void} open
 * @param {string} [self] the entry this line stands in, which needs no link to itself
 */
export function factLine(fact, open, self) {
  const [from, to] = fact.valid;
  const name = (/** @type {string} */ text, /** @type {string | undefined} */ id) =>
    id && id !== self ? nameLink(text, { entity: id, kind: null }, open) : text;
  const line = [
    name(fact.subject, fact.subject_id),
    el("span", { class: "predicate", text: ` ${fact.negated ? `${t("margin.negated")} ` : ""}${fact.predicate} ` }),
    name(fact.object, fact.object_id),
  ];
  const notes = [
    from && t("margin.since", { date: day(from) }),
    to && t("margin.until", { date: day(to) }),
    fact.hand && t("margin.hand"),
  ].filter(Boolean);
  const quotes = el("div");
  const toggle = el("button", {
    class: "link",
    text: t("margin.evidence", { n: fact.evidence.length }),
    aria: { expanded: false },
    on: { click: () => unfold(fact.id, toggle, quotes, open) },
  });
  return el(
    "li",
    { class: `fact${fact.hand ? " hand" : ""}`, lang: languageOf(fact.subject + fact.predicate + fact.object), data: { fact: fact.id } },
    to ? el("s", {}, ...line) : el("span", {}, ...line),
    el("small", {}, notes.length ? `${notes.join(" · ")} · ` : "", fact.evidence.length ? toggle : ""),
    quotes,
  );
}

/** @param {string} id @param {HTMLElement} toggle @param {HTMLElement} quotes @param {(id: string) => void} open */
async function unfold(id, toggle, quotes, open) {
  const opened = toggle.getAttribute("aria-expanded") === "true";
  toggle.setAttribute("aria-expanded", String(!opened));
  if (opened) return quotes.replaceChildren();
  try {
    const entry = await get(`/facts/${encodeURIComponent(id)}`);
    quotes.replaceChildren(...entry.quotations.map((/** @type {any} */ quotation) => quote(quotation, [entry.subject, entry.object])));
  } catch (error) {
    complain(error);
  }
}

const AROUND = 46;

/**
 * A quotation: the words around the first of these names, and where it stands.
 * @param {any} quotation
 * @param {string[]} names
 */
export function quote(quotation, names) {
  const { source, position, speaker } = quotation;
  const words = quotation.text.slice(markLength(quotation));
  const text = speaker ? `${speaker}${languageOf(words) === "en" ? ": " : "："}${words}` : words;
  const found = names.map((name) => text.indexOf(name)).filter((index) => index >= 0);
  const first = found.length ? Math.min(...found) : 0;
  const narrow = languageOf(text) === "en" ? 2 : 1;
  let start = Math.max(0, first - (AROUND / 2) * narrow);
  let end = Math.min(text.length, first + AROUND * narrow * 1.5);
  if (narrow === 2 && start > 0) start = Math.max(0, text.lastIndexOf(" ", start) + 1);
  if (narrow === 2 && end < text.length) end = Math.max(end, text.indexOf(" ", end));
  const shown = text.slice(start, end);
  const href = pageOf("library", { source: source.id, paragraph: quotation.paragraph });
  return el(
    "div",
    { class: "quote", lang: languageOf(text) },
    start > 0 ? "…" : "",
    ...bold(shown, names),
    end < text.length ? "…" : "",
    el("small", {}, el("a", { class: "link", href, text: place({ source, position }) })),
  );
}

/** @param {string} text @param {string[]} names @returns {(Node | string)[]} */
function bold(text, names) {
  const name = names.find((candidate) => candidate && text.includes(candidate));
  if (!name) return [text];
  const at = text.indexOf(name);
  return [text.slice(0, at), el("b", { text: name }), text.slice(at + name.length)];
}
