// The right-hand margin, the same on every page: a name's entry with its facts, quotations and corrections; behind it what the page
// itself puts there (the reasons of an answer, the tally of the memory).
import { get, pageOf, patch, remove, space } from "./api.js";
import { preview } from "./deletion.js";
import { byId, el, languageOf } from "./dom.js";
import { factLine, quote } from "./facts.js";
import { language, list, sentence, t } from "./i18n.js";
import { shortcut } from "./keys.js";
import { complain, say } from "./say.js";

const FACTS = 12;

export class Margin {
  /** @param {{changed: () => void, selected?: (id: string | null) => void}} page */
  constructor({ changed, selected }) {
    this.root = byId("margin");
    this.changed = changed;
    this.selected = selected;
    /** @type {(Node | string)[]} */
    this.home = [];
    /** @type {string | null} */
    this.shown = null;
    /** @type {string} the entry as it was read last, to tell whether a change concerns it */
    this.seen = "";
    this.follow();
    shortcut({ keys: "Escape", show: "Esc", words: "keys.escape", run: () => this.back() });
  }

  /** Put the page's own matter there. @param {...(Node | string)} nodes */
  rest(...nodes) {
    this.home = nodes;
    if (!this.shown) this.#put(nodes);
  }

  /** The tally of this memory, where a page has nothing else to say. */
  async tally(/** @type {string} */ hint = "") {
    const stats = await get("/stats");
    if (!stats.paragraphs) {
      this.rest(el("h2", { text: t("margin.memory") }), el("p", { class: "small note", text: t("margin.empty") }));
      return stats;
    }
    const rows = ["paragraphs", "entities", "facts", "sources"].flatMap((key) => [
      el("dt", { text: stats[key].toLocaleString("en") }),
      el("dd", { text: t(`stats.${key}`) }),
    ]);
    this.rest(el("h2", { text: t("margin.memory") }), el("dl", { class: "tally" }, ...rows), hint ? el("p", { class: "small note", text: hint }) : "");
    return stats;
  }

  /** Open the entry that the address names, or none: after a change of language and on the way back. */
  follow() {
    const id = new URLSearchParams(location.search).get("entry");
    if (id && id !== this.shown) this.entry(id);
    else if (!id) this.back();
  }

  /** Note in the address which entry is open. */
  #note() {
    const address = new URL(location.href);
    if (this.shown) address.searchParams.set("entry", this.shown);
    else address.searchParams.delete("entry");
    history.replaceState(history.state, "", address);
  }

  back() {
    if (!this.shown) return;
    this.shown = null;
    this.#note();
    this.root.classList.remove("held");
    this.#put(this.home);
    this.selected?.(null);
  }

  /** Show a name's entry. @param {string} id */
  async entry(id) {
    this.shown = id;
    this.#note();
    try {
      const entry = await get(`/entities/${encodeURIComponent(id)}`);
      if (this.shown !== id) return;
      this.#show(entry);
      this.selected?.(id);
    } catch (error) {
      if (this.shown === id) this.#refuse(error);
    }
  }

  /** Read again what is shown: something in the memory changed. What somebody is writing there stays. */
  async refresh() {
    const id = this.shown;
    if (!id) return;
    try {
      const entry = await get(`/entities/${encodeURIComponent(id)}`);
      if (this.shown !== id || JSON.stringify(entry) === this.seen || this.root.querySelector(".correct, .sure")) return;
      const { scrollTop } = this.root;
      this.#show(entry);
      this.root.querySelector(".entry")?.classList.remove("arrive");
      this.root.scrollTop = scrollTop;
    } catch (error) {
      if (this.shown === id) this.#refuse(error);
    }
  }

  /** @param {unknown} error */
  #refuse(error) {
    this.seen = "";
    this.#put([this.#bar(), el("p", { class: "small", text: sentence(error) })]);
  }

  /** @param {(Node | string)[]} nodes */
  #put(nodes) {
    this.root.replaceChildren(...nodes.filter(Boolean));
    this.root.scrollTop = 0;
  }

  #bar() {
    return el("div", { class: "bar" }, el("button", { class: "link", text: `← ${t("back")}`, on: { click: () => this.back() } }));
  }

  /** @param {any} entry */
  #show(entry) {
    this.seen = JSON.stringify(entry);
    const head = el(
      "h2",
      { class: entry.hand ? "hand" : "", lang: languageOf(entry.name) },
      entry.name,
      el("span", { class: "kind", lang: language === "zh" ? "zh-CN" : "en", text: t(`kind.${entry.kind}`) }),
    );
    const open = (/** @type {string} */ id) => this.entry(id);
    const rest = entry.facts.length - FACTS;
    const facts = el("ul", {}, ...entry.facts.slice(0, FACTS).map((/** @type {any} */ fact) => factLine(fact, open, entry.id)));
    const more = el("button", {
      class: "link small",
      text: t("margin.moreFacts", { n: rest }),
      on: {
        click: () => {
          facts.append(...entry.facts.slice(FACTS).map((/** @type {any} */ fact) => factLine(fact, open, entry.id)));
          more.remove();
        },
      },
    });
    const unseen = entry.paragraphs - entry.evidence.length;
    this.root.classList.add("held");
    this.#put([
      this.#bar(),
      el(
        "section",
        { class: "entry arrive", data: { entity: entry.id } },
        head,
        entry.aliases.length ? el("p", { text: t("margin.aliases", { names: list(entry.aliases) }) }) : null,
        el("p", { text: t("margin.passages", { n: entry.paragraphs }) }),
        el("h3", { text: t("margin.facts") }),
        entry.facts.length ? facts : el("p", { text: t("margin.noFacts") }),
        rest > 0 ? more : null,
        entry.evidence.length ? el("h3", { text: t("margin.quotes") }) : null,
        ...entry.evidence.map((/** @type {any} */ quotation) => quote(quotation, [entry.name, ...entry.aliases])),
        unseen > 0 ? el("p", { text: t("margin.moreQuotes", { n: unseen }) }) : null,
        el("h3", { text: t("margin.actions") }),
        this.#actions(entry, head),
      ),
    ]);
  }

  /** @param {any} entry @param {HTMLElement} head */
  #actions(entry, head) {
    const row = el("div", { class: "actions" });
    const usual = () => [
      el("button", { class: "link hand-on-hover", text: t("margin.rename"), on: { click: () => this.#rename(entry, head) } }),
      document.documentElement.dataset.page === "graph"
        ? null
        : el("a", { class: "link", href: pageOf("graph", { focus: entry.id }, space), text: t("margin.inGraph") }),
      el("button", { class: "link", text: t("margin.delete"), on: { click: sure } }),
    ];
    const sure = () => {
      const yes = el("button", { class: "link strong", text: t("library.deleteYes"), on: { click: () => this.#delete(entry) } });
      const no = el("button", { class: "link", text: t("cancel"), on: { click: () => put(usual()) } });
      const told = el("span", { class: "small" });
      put([el("span", { class: "sure", text: t("margin.deleteSure", { name: entry.name }) }), told, yes, no]);
      yes.focus();
      preview(entry.id).then((text) => (told.textContent = text), complain);
    };
    const put = (/** @type {(Node | null)[]} */ nodes) => row.replaceChildren(.../** @type {Node[]} */ (nodes.filter(Boolean)));
    put(usual());
    return row;
  }

  /** @param {any} entry @param {HTMLElement} head */
  #rename(entry, head) {
    const input = el("input", { attributes: { maxlength: 200, spellcheck: "false" }, aria: { label: t("margin.newName") } });
    input.value = entry.name;
    const stop = () => form.replaceWith(head);
    const save = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name || name === entry.name) return stop();
      try {
        const after = await patch(`/entities/${encodeURIComponent(entry.id)}`, { name, version: entry.version });
        say(t("margin.renamed", { name: after.name }));
        this.#show(after);
        this.changed();
      } catch (/** @type {any} */ error) {
        if (error.status === 412) {
          say(t("margin.stale"), { bad: true });
          this.entry(entry.id);
        } else if (error.more.other) say(t("margin.clash", { name }), { bad: true });
        else complain(error);
      }
    };
    const form = el(
      "form",
      { class: "correct", on: { submit: save, keydown: (event) => event.key === "Escape" && !event.isComposing && (event.preventDefault(), stop()) } },
      input,
      el("button", { class: "link hand", type: "submit", text: t("margin.save") }),
      el("button", { class: "link", text: t("cancel"), on: { click: stop } }),
    );
    head.replaceWith(form);
    input.focus();
    input.select();
  }

  /** @param {any} entry */
  async #delete(entry) {
    try {
      await remove(`/entities/${encodeURIComponent(entry.id)}`);
      say(t("margin.deleted", { name: entry.name }));
      this.back();
      this.changed();
    } catch (error) {
      complain(error);
    }
  }
}
