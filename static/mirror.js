// The canvas as a list, for the keyboard and for screen readers (and for tests): one item a node, with what the eye sees as data. Arrows move
// from name to name, Enter opens the entry, + unfolds, - folds. And the table, the other face of the same picture.
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { inkOf } from "./ink.js";

/** @typedef {import("./canvas.js").Node} Node */
/** @typedef {{open: (id: string) => void, expand: (id: string) => void, collapse: (id: string) => void, point: (id: string | null) => void}} Handlers */

export class Mirror {
  /** @param {HTMLElement} holder @param {Handlers} handlers */
  constructor(holder, handlers) {
    this.handlers = handlers;
    this.list = el("ol", { class: "mirror away", aria: { label: t("graph.names") } });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    holder.append(this.list);
  }

  /** @param {Node[]} nodes */
  show(nodes) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest?.(".mirror li"))?.dataset.id;
    const { open, point } = this.handlers;
    const named = nodes.filter(({ type }) => type === "entity").sort((a, b) => b.paragraphs - a.paragraphs || (a.name < b.name ? -1 : 1));
    this.list.replaceChildren(
      ...named.map((node, index) =>
        el(
          "li",
          { data: { id: node.id, name: node.name, kind: node.kind ?? "", ink: inkOf(node.strength), hidden: node.hidden, lit: 0, hand: String(node.hand) } },
          el("button", {
            text: [node.name, t(`kind.${node.kind ?? "thing"}`), t("margin.passages", { n: node.paragraphs }), node.hidden ? t("graph.more", { n: node.hidden }) : ""].filter(Boolean).join(", "),
            attributes: { tabindex: focused ? (node.id === focused ? 0 : -1) : index ? -1 : 0 },
            on: { click: () => open(node.id), focus: () => point(node.id), blur: () => point(null) },
          }),
        ),
      ),
    );
    if (focused) this.#item(focused)?.querySelector("button")?.focus();
  }

  /** Write where each node stands now and how it is lit. @param {(id: string) => {x: number, y: number}} where @param {Map<string, number>} lit @param {string | null} selected */
  place(where, lit, selected) {
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("li"))) {
      const id = item.dataset.id ?? "";
      const { x, y } = where(id);
      item.dataset.x = String(x);
      item.dataset.y = String(y);
      item.dataset.position = `${x},${y}`;
      item.dataset.lit = String(lit.get(id) ?? 0);
      item.querySelector("button")?.toggleAttribute("aria-current", id === selected);
    }
  }

  /** @param {string} id @returns {HTMLElement | undefined} */
  #item(id) {
    return /** @type {HTMLElement[]} */ ([...this.list.children]).find((item) => item.dataset.id === id);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const item = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("li"));
    if (!item || event.isComposing || event.metaKey || event.ctrlKey) return;
    const id = item.dataset.id ?? "";
    const items = [...this.list.children];
    const at = items.indexOf(item);
    const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (move) {
      const next = items[(at + move + items.length) % items.length].querySelector("button");
      item.querySelector("button")?.setAttribute("tabindex", "-1");
      next?.setAttribute("tabindex", "0");
      next?.focus();
    } else if (event.key === "+" || event.key === "=") this.handlers.expand(id);
    else if (event.key === "-") this.handlers.collapse(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The table face. @param {Node[]} nodes @param {Map<string, number>} degrees @param {string | null} selected @param {Handlers} handlers */
export function table(nodes, degrees, selected, { open, expand }) {
  const head = ["name", "kind", "passages", "neighbours", "hidden"].map((key, index) =>
    el("th", { class: `${index > 1 ? "n" : ""}${index === 3 ? " narrow-off" : ""}`, attributes: { scope: "col" }, text: t(`graph.${key}`) }),
  );
  const rows = nodes
    .filter(({ type }) => type === "entity")
    .sort((a, b) => b.paragraphs - a.paragraphs || (a.name < b.name ? -1 : 1))
    .map((node) =>
      el(
        "tr",
        { data: { id: node.id }, aria: { selected: node.id === selected } },
        el("td", {}, el("button", { class: node.hand ? "hand" : "", text: node.name, on: { click: () => open(node.id) } })),
        el("td", { text: t(`kind.${node.kind ?? "thing"}`) }),
        el("td", { class: "n", text: String(node.paragraphs) }),
        el("td", { class: "n narrow-off", text: String(degrees.get(node.id) ?? 0) }),
        el("td", { class: "n" }, node.hidden ? el("button", { class: "link", text: `+${node.hidden}`, aria: { label: t("graph.more", { n: node.hidden }) }, on: { click: () => expand(node.id) } }) : ""),
      ),
    );
  return el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}
