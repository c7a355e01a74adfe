// Builds elements. Text only ever becomes text: nothing here, and nothing elsewhere, parses markup.

/**
 * @typedef {{class?: string, text?: string, lang?: string, title?: string, href?: string, type?: string, hidden?: boolean,
 *   data?: Record<string, string | number>, aria?: Record<string, string | number | boolean>, on?: Record<string, (event: any) => void>,
 *   attributes?: Record<string, string | number>}} Options
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Options} [options]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  if (options.class) element.className = options.class;
  if (options.text !== undefined) element.textContent = options.text;
  if (options.lang) element.lang = options.lang;
  if (options.title) element.title = options.title;
  if (options.href) element.setAttribute("href", options.href);
  if (options.type) element.setAttribute("type", options.type);
  if (options.hidden) element.hidden = true;
  for (const [key, value] of Object.entries(options.data ?? {})) element.dataset[key] = String(value);
  for (const [key, value] of Object.entries(options.aria ?? {})) element.setAttribute(`aria-${key}`, String(value));
  for (const [key, value] of Object.entries(options.attributes ?? {})) element.setAttribute(key, String(value));
  for (const [key, value] of Object.entries(options.on ?? {})) element.addEventListener(key, value);
  if (tag === "button" && !options.type) element.setAttribute("type", "button");
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

/**
 * The element with this id, which the template promises.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Let a function run once after a burst of calls. @param {() => void} run @param {number} wait */
export function later(run, wait) {
  /** @type {number | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
}

/** Whether motion is unwelcome. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The language a text is set in: Chinese as soon as a good part of it is Han. @param {string} text */
export function languageOf(text) {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han * 4 >= text.replace(/\s/g, "").length || (han > 0 && text.length < 8) ? "zh-CN" : "en";
}
