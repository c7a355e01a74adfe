// What the engine says, in the page's language. The engine speaks English; `told.zh.json` maps the templates of its sentences to Chinese
// ones. `{0}` is what was put in and stays as it is, for it may be anybody's text; `{told 0}` is itself a sentence of the engine, `{each 0}`
// several side by side. What no template matches is shown as it came.

const chinese = document.documentElement.dataset.language === "zh";

/** @type {{pattern: RegExp, text: string}[]} */
const templates = chinese ? compiled(await (await fetch("/static/told.zh.json")).json()) : [];

/** Templates as expressions for whole texts, the one that says most itself first. @param {Record<string, string>} catalogue */
function compiled(catalogue) {
  const literal = (/** @type {string} */ template) => template.replace(/\{\d+\}/g, "").length;
  return Object.entries(catalogue)
    .sort(([one], [other]) => literal(other) - literal(one))
    .map(([template, text]) => {
      const parts = template.split(/\{\d+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return { pattern: new RegExp(`^${parts.join("([^]*?)")}$`), text };
    });
}

/** A sentence of the engine as the page says it. @param {string} text */
export const told = (text) => translated(text) ?? text;

/** @param {string} text @returns {string | null} */
function translated(text) {
  for (const template of templates) {
    const match = template.pattern.exec(text);
    if (match) return template.text.replace(/\{(told |each |)(\d+)\}/g, (_, how, n) => filled(match[Number(n) + 1], how));
  }
  return null;
}

/** @param {string} value @param {string} how */
function filled(value, how) {
  if (how === "told ") return told(value);
  if (how === "each ") return value.includes("; ") ? each(value, "; ").join("；") : each(value, ", ").join("、").replace(/、\.\.\.$/, " 等");
  return value.replace(/^(['"])([^]*)\1$/, "“$2”");
}

/** The sentences of a list; one may hold the joint itself. @param {string} value @param {string} joint */
function each(value, joint) {
  const parts = value.split(joint);
  /** @type {string[]} */
  const found = [];
  for (let start = 0; start < parts.length; ) {
    let end = start + 1;
    while (end < parts.length && translated(parts.slice(start, end).join(joint)) === null) end += 1;
    const whole = translated(parts.slice(start, end).join(joint));
    found.push(whole ?? parts[start]);
    start = whole === null ? start + 1 : end;
  }
  return found;
}
