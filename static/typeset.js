// Sets a text with its names as links and what mattered in an ochre wash. The server counts characters as code points, JavaScript as
// UTF-16 units: offsets are converted first, or every name after an emoji would be marked one place too far.
import { pageOf } from "./api.js";
import { el, languageOf } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {{start: number, end: number, entity: string, kind: string}} Span */

const RINGED = new Set(["person", "place", "organisation", "event"]);

/** The class of a kind. @param {string | null} kind */
export const kindClass = (kind) => (kind && RINGED.has(kind) ? kind : "other");

/**
 * Convert an offset in code points to one in UTF-16 units.
 * @param {string} text
 * @returns {(offset: number) => number}
 */
function units(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (offset) => offset;
  const at = [0];
  for (const point of text) at.push(at[at.length - 1] + point.length);
  return (offset) => at[Math.min(offset, at.length - 1)];
}

/**
 * A name as a link: the page opens its entry, a new tab opens the graph around it.
 * @param {string} text
 * @param {{entity: string, kind: string | null}} of
 * @param {(id: string) => void} open
 * @param {string} [more] further classes
 */
export function nameLink(text, { entity, kind }, open, more = "") {
  return el("a", {
    class: `name ${kindClass(kind)}${more}`,
    href: pageOf("graph", { focus: entity }),
    text,
    data: { entity },
    on: {
      click: (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        open(entity);
      },
    },
  });
}

/**
 * @param {string} text
 * @param {{spans: Span[], washed?: Set<string>, words?: string[], fresh?: Set<string>, from?: number, open: (id: string) => void}} options
 *   `washed` holds entities that mattered, `words` predicates that did, `fresh` entities just found, which soak in;
 *   `from` is where to begin
 * @returns {(Node | string)[]}
 */
export function typeset(text, { spans, washed = new Set(), words = [], fresh = new Set(), from = 0, open }) {
  const at = units(text);
  const ranges = spans
    .map((span) => ({ ...span, start: at(span.start), end: at(span.end), word: false }))
    .filter(({ start, end }) => start >= 0 && start < end && end <= text.length);
  for (const word of words) {
    const start = word.length > 1 ? text.indexOf(word) : -1;
    const end = start + word.length;
    if (start >= 0 && ranges.every((range) => end <= range.start || start >= range.end))
      ranges.push({ start, end, word: true, entity: "", kind: "" });
  }
  ranges.sort((a, b) => a.start - b.start);
  /** @type {(Node | string)[]} */
  const nodes = [];
  let done = from;
  for (const range of ranges) {
    if (range.start < done) continue;
    if (range.start > done) nodes.push(text.slice(done, range.start));
    const piece = text.slice(range.start, range.end);
    const inner = range.word ? piece : nameLink(piece, range, open, fresh.has(range.entity) ? " new" : "");
    nodes.push(range.word || washed.has(range.entity) ? el("mark", {}, inner) : inner);
    done = range.end;
  }
  if (done < text.length) nodes.push(text.slice(done));
  return nodes;
}

/**
 * The length of the mark "[speaker]" that a message's text may begin with: the page shows the speaker above the words instead.
 * @param {{text: string, speaker?: string | null}} paragraph
 */
export function markLength({ text, speaker }) {
  const mark = speaker ? [`[${speaker}]`, `【${speaker}】`].find((candidate) => text.startsWith(candidate)) : undefined;
  return mark ? mark.length + (text.slice(mark.length).match(/^[\s:：]*/)?.[0].length ?? 0) : 0;
}

/**
 * A paragraph to read: its words, its speaker, and below it whatever the page adds.
 * @param {{id: string, text: string, speaker?: string | null}} paragraph
 * @param {(Node | string)[]} words
 * @param {Options} [options]
 * @param {...(Node | null)} below
 * @typedef {import("./dom.js").Options} Options
 */
export function passage(paragraph, words, options = {}, ...below) {
  return el(
    "div",
    { ...options, class: `passage ${options.class ?? ""}`.trim(), lang: languageOf(paragraph.text), data: { paragraph: paragraph.id, ...options.data } },
    paragraph.speaker ? el("b", { class: "speaker", text: paragraph.speaker }) : null,
    el("div", { class: "words" }, ...words),
    ...below,
  );
}

/** Where a paragraph stands. @param {{source: {name: string}, position?: number | null}} paragraph */
export const place = ({ source, position }) =>
  position ? `${source.name} · ${t("ask.place", { n: position })}` : source.name;
