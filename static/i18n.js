// The page's words in one language, from the same files the server reads. `{n}` puts a value in, `{n|name|names}` picks by number.
import { told } from "./told.js";

/** @type {"zh" | "en"} */
export const language = document.documentElement.dataset.language === "zh" ? "zh" : "en";
const locale = language === "zh" ? "zh-CN" : "en-GB";

/** @type {Record<string, string>} */
const words = await (await fetch(`/static/strings.${language}.json`)).json();
const numbers = new Intl.NumberFormat(locale);

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    const value = values[name];
    if (one !== undefined) return value === 1 ? one : many;
    return typeof value === "number" ? numbers.format(value) : String(value);
  });
}

/** Whether there are words for a key. @param {string} key */
export const has = (key) => key in words;

/** What a person is told about an error. @param {any} error */
export function sentence(error) {
  if (has(`error.${error?.code}`)) return t(`error.${error.code}`);
  return told(error?.message ?? String(error));
}

/** A date as short as it stays clear. @param {string} iso */
export function day(iso) {
  const date = new Date(iso);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString(locale, { year, month: language === "zh" ? "long" : "short", day: "numeric" });
}

/** Date and time. @param {Date} date */
export const moment = (date) => date.toLocaleString(locale, { month: "long", day: "numeric", hour: "numeric", minute: "2-digit" });

/** Names one after the other, as this language lists them. @param {string[]} names */
export const list = (names) => names.join(language === "zh" ? "、" : ", ");
