// What every page has: the switcher of memories, find, undo and redo, language, theme.
import { createSpace, pageOf, post, space, spaces } from "./api.js";
import { byId, el } from "./dom.js";
import { has, language, t } from "./i18n.js";
import { shortcut, written } from "./keys.js";
import { complain, say } from "./say.js";
import { suggest } from "./suggest.js";
import { bindTheme } from "./theme.js";
import { told } from "./told.js";

/** The title shown for a space. @param {any} info */
const titleOf = (info) => (info.sample ? t("space.sample") : info.name === "default" ? t("space.default") : info.title);

/** Make the sample memory, or open it. */
export async function openSample() {
  try {
    await createSpace({ sample: true });
    location.assign(pageOf("ask", {}, "sample"));
  } catch (error) {
    complain(error);
  }
}

/** A memory that cannot be read leads nowhere, but says why. @param {any} info */
const unreadable = (info) =>
  el("p", { class: "unreadable", title: told(info.error) }, el("span", { text: titleOf(info) }), el("small", { text: t("space.unreadable") }), el("small", { class: "why", text: told(info.error) }));

function bindSpaces() {
  const button = byId("space");
  const menu = byId("spaces");
  const shut = () => {
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  const fill = async () => {
    const { items } = await spaces();
    const page = document.documentElement.dataset.page ?? "ask";
    const name = el("input", { attributes: { maxlength: 60, required: "" }, aria: { label: t("space.newName") } });
    name.placeholder = t("space.new");
    const make = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const made = await createSpace({ name: name.value.trim() });
        location.assign(pageOf("ask", {}, made.name));
      } catch (error) {
        complain(error);
      }
    };
    menu.replaceChildren(
      ...items.map((/** @type {any} */ info) =>
        info.error ? unreadable(info) : el(
          "a",
          { href: pageOf(page, {}, info.name), attributes: info.name === space ? { "aria-current": "true" } : {} },
          el("span", { text: titleOf(info) }),
          el("small", { text: t("space.paragraphs", { n: info.paragraphs }) }),
        ),
      ),
      el("hr"),
      items.some((/** @type {any} */ info) => info.sample) ? "" : el("button", { text: t("space.openSample"), on: { click: openSample } }),
      el("form", { on: { submit: make } }, name, el("button", { class: "link", type: "submit", text: t("space.create") })),
    );
  };
  button.addEventListener("click", async () => {
    if (!menu.hidden) return shut();
    try {
      await fill();
    } catch (error) {
      return complain(error);
    }
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    menu.querySelector("a")?.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    const target = /** @type {Node} */ (event.target);
    if (!menu.contains(target) && !button.contains(target)) shut();
  });
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    shut();
    button.focus();
  });
}

/** @param {(entity: any) => void} choose */
function bindFind(choose) {
  const open = () => {
    if (document.querySelector("dialog[open]")) return;
    const holder = el("div", { class: "suggest" });
    const dialog = el("dialog", { aria: { label: t("find.label") } }, holder, el("p", { class: "small", text: t("find.hint") }));
    suggest(holder, (entity) => {
      dialog.close();
      choose(entity);
    });
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  };
  byId("find").addEventListener("click", open);
  shortcut({ keys: "mod+k", show: "⌘K", words: "keys.find", run: open, always: true });
}

/** @param {() => void} refresh */
function bindUndo(refresh) {
  const step = async (/** @type {"undo" | "redo"} */ verb) => {
    try {
      const operation = await post(`/operations/${verb}`);
      const key = has(`op.${operation.kind}`) ? `op.${operation.kind}` : "op.other";
      say(t(verb === "undo" ? "undo.done" : "redo.done", { what: t(key, { what: operation.summary || operation.kind }) }));
      refresh();
    } catch (/** @type {any} */ error) {
      if (error.code === "nothing-to-undo") say(t(verb === "undo" ? "undo.nothing" : "redo.nothing"));
      else if (error.code === "undo-blocked") say(t("undo.blocked"), { bad: true });
      else complain(error);
    }
  };
  byId("undo").addEventListener("click", () => step("undo"));
  shortcut({ keys: "mod+z", show: "⌘Z", words: "keys.undo", run: () => step("undo") });
  shortcut({ keys: "mod+shift+z", show: "⇧⌘Z", words: "keys.redo", run: () => step("redo") });
}

/**
 * Bring the frame to life. `refresh` reads the page's content again, `choose` opens a name that was found.
 * @param {{refresh: () => void, choose: (entity: any) => void}} page
 */
export function frame({ refresh, choose }) {
  bindSpaces();
  bindFind(choose);
  bindUndo(refresh);
  bindTheme(byId("theme"));
  for (const kbd of document.querySelectorAll(".head kbd")) kbd.textContent = written(kbd.textContent ?? "");
  byId("language").addEventListener("click", () => {
    const other = language === "zh" ? "en" : "zh";
    document.cookie = `lpmm-language=${other}; path=/; max-age=31536000; samesite=strict`;
    location.reload();
  });
}
