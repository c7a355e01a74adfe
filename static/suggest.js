// A line in which one finds a name: suggestions while typing, arrows and Enter, and nothing while a Chinese word is being composed.
import { get } from "./api.js";
import { el, later } from "./dom.js";
import { t } from "./i18n.js";
import { complain } from "./say.js";

let count = 0;

/**
 * Fill `holder` with the input and its list.
 * @param {HTMLElement} holder
 * @param {(entity: any) => void} choose
 * @returns {HTMLInputElement}
 */
export function suggest(holder, choose) {
  const id = `suggestions-${(count += 1)}`;
  const input = el("input", {
    type: "search",
    attributes: { role: "combobox", autocomplete: "off", spellcheck: "false", placeholder: t("find.placeholder"), maxlength: 200 },
    aria: { label: t("find.label"), expanded: "false", controls: id, autocomplete: "list" },
  });
  const list = el("div", { hidden: true, attributes: { role: "listbox", id }, aria: { label: t("find.label") } });
  /** @type {any[]} */
  let items = [];
  let at = -1;
  let asked = 0;

  const shut = () => {
    list.hidden = true;
    at = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const take = (/** @type {any} */ entity) => {
    input.value = "";
    shut();
    choose(entity);
  };
  const mark = (/** @type {number} */ to) => {
    at = to;
    [...list.querySelectorAll('[role="option"]')].forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === at));
      if (index === at) option.scrollIntoView({ block: "nearest" });
    });
    if (at >= 0) input.setAttribute("aria-activedescendant", `${id}-${at}`);
  };
  const show = () => {
    list.replaceChildren(
      ...items.map((item, index) =>
        el(
          "div",
          {
            attributes: { role: "option", id: `${id}-${index}` },
            aria: { selected: false },
            data: { id: item.id },
            on: { mousedown: (event) => (event.preventDefault(), take(item)), mousemove: () => mark(index) },
          },
          el("span", { text: item.name }),
          el("small", { text: `${t(`kind.${item.kind}`)} · ${t("space.paragraphs", { n: item.paragraphs })}` }),
        ),
      ),
    );
    if (!items.length) list.append(el("div", { class: "none", text: t("find.none") }));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    if (items.length) mark(0);
  };
  const look = later(async () => {
    const text = input.value.trim();
    const number = (asked += 1);
    if (!text) return shut();
    try {
      const found = await get("/suggestions", { q: text, limit: 10 });
      if (number !== asked) return;
      items = found.items;
      show();
    } catch (error) {
      complain(error);
    }
  }, 80);

  input.addEventListener("input", (event) => /** @type {InputEvent} */ (event).isComposing || look());
  input.addEventListener("compositionend", look);
  input.addEventListener("blur", shut);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    const open = !list.hidden && items.length > 0;
    if (event.key === "ArrowDown" && open) mark((at + 1) % items.length);
    else if (event.key === "ArrowUp" && open) mark((at - 1 + items.length) % items.length);
    else if (event.key === "Enter" && open) take(items[Math.max(at, 0)]);
    else if (event.key === "Escape" && !list.hidden) shut();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  holder.append(input, list);
  return input;
}
