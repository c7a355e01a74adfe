// Shortcuts. Those of one letter are ignored while somebody writes or composes Chinese; those with ⌘ or Ctrl work everywhere but
// leave the text field its own undo.
import { el } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {{keys: string, show: string, words: string, run: (event: KeyboardEvent) => void, always?: boolean}} Shortcut */

/** @type {Shortcut[]} */
const known = [];
const apple = /Mac|iP(hone|ad)/.test(navigator.platform);

/** How a shortcut is written on this machine. @param {string} text */
export const written = (text) => (apple ? text : text.replace("⇧⌘", "Ctrl ⇧ ").replace("⌘", "Ctrl "));

/** @param {EventTarget | null} target */
const writing = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The keys of an event in the form that shortcuts are registered in. @param {KeyboardEvent} event */
const pressed = (event) => {
  const held = event.metaKey || event.ctrlKey ? `mod+${event.shiftKey ? "shift+" : ""}` : "";
  return held + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
};

/** @param {Shortcut} shortcut */
export function shortcut(shortcut) {
  known.push(shortcut);
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || event.altKey) return;
  const found = known.find(({ keys }) => keys === pressed(event));
  if (!found || (!found.always && writing(event.target))) return;
  if (!found.always && document.querySelector("dialog[open]")) return;
  event.preventDefault();
  found.run(event);
});

shortcut({
  keys: "?",
  show: "?",
  words: "keys.help",
  run: () => {
    const rows = known.flatMap(({ show, words }) => [el("dt", { text: written(show) }), el("dd", { text: t(words) })]);
    const dialog = el("dialog", { aria: { label: t("keys.title") } }, el("h2", { text: t("keys.title") }), el("dl", {}, ...rows));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  },
});
