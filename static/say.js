// One line at the foot that says what happened, to eyes and to screen readers.
import { byId } from "./dom.js";
import { sentence } from "./i18n.js";

/** @type {number | undefined} */
let timer;

/** @param {string} text @param {{bad?: boolean, stay?: boolean}} [options] */
export function say(text, { bad = false, stay = false } = {}) {
  const line = byId("say");
  line.textContent = text;
  line.className = `say on${bad ? " bad" : ""}`;
  clearTimeout(timer);
  if (!stay) timer = setTimeout(() => line.classList.remove("on"), bad ? 6000 : 3000);
}

/** @param {unknown} error */
export const complain = (error) => say(sentence(error), { bad: true });
