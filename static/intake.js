// How text comes in by hand: files dropped anywhere on an element, files chosen, text pasted or written.
import { post, upload } from "./api.js";
import { el } from "./dom.js";
import { moment, t } from "./i18n.js";

/**
 * Let files be dropped on an element.
 * @param {HTMLElement} element
 * @param {(files: File[]) => void} take
 */
export function dropTarget(element, take) {
  let depth = 0;
  const holds = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  element.addEventListener("dragenter", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    depth += 1;
    element.classList.add("over");
  });
  element.addEventListener("dragover", (event) => holds(event) && event.preventDefault());
  element.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) element.classList.remove("over");
  });
  element.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    depth = 0;
    element.classList.remove("over");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) take(files);
  });
}

/**
 * A control that opens the file chooser.
 * @param {string} text
 * @param {(files: File[]) => void} take
 */
export function chooser(text, take) {
  const input = el("input", { type: "file", class: "away", attributes: { multiple: "", tabindex: -1 }, aria: { hidden: true } });
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length) take(files);
  });
  return el("span", { class: "end" }, el("button", { class: "link strong", text, on: { click: () => input.click() } }), input);
}

/** Keep a text written by hand. @param {string} text @returns {Promise<any>} */
export const keepText = (text) => post("/sources", { name: t("sheet.pasted", { when: moment(new Date()) }), text });

export { upload };
