// A source as it is read: its text stands there at once, and names ink in as the job comes to them.
import { get } from "./api.js";
import { el, later } from "./dom.js";
import { t } from "./i18n.js";
import { complain } from "./say.js";
import { told } from "./told.js";
import { markLength, passage, typeset } from "./typeset.js";
import { actOn, foremost, heard, standing } from "./work.js";

const PART = 50;

export class Reading {
  /**
   * @param {string} source
   * @param {{open: (id: string) => void, read?: (done: number) => void, here?: string | null}} options
   *   `open` shows a name's entry, `read` is told how many paragraphs are read, `here` is a paragraph to go to
   */
  constructor(source, { open, read, here = null }) {
    this.source = source;
    this.open = open;
    this.read = read;
    this.here = here;
    /** @type {Map<string, {state: string, spans: number, node: HTMLElement}>} */
    this.shown = new Map();
    /** @type {Set<string>} */
    this.names = new Set();
    this.total = 0;
    /** @type {import("./live.js").JobEvent[]} newest first */
    this.jobs = [];
    this.progress = el("div", { class: "progress", attributes: { role: "status" } });
    this.progress.hidden = true;
    this.text = el("div", { class: "reader" });
    this.more = el("button", { class: "link", text: t("library.moreParagraphs"), hidden: true, on: { click: () => this.#extend() } });
    this.root = el("div", { class: "reading", data: { source } }, this.progress, this.text, this.more);
    this.again = later(() => this.refresh(), 200);
  }

  async load() {
    let wanted = PART;
    const first = await get(`/sources/${this.source}/paragraphs`, { offset: 0, limit: wanted });
    this.#take(first, true);
    // A link may lead far into a long text: read on until its paragraph is there.
    while (this.here && !this.shown.has(this.here) && this.shown.size < this.total && wanted < 5000) {
      wanted += 500;
      this.#take(await get(`/sources/${this.source}/paragraphs`, { offset: this.shown.size, limit: 500 }), true);
    }
    this.shown.get(this.here ?? "")?.node.scrollIntoView({ block: "center" });
    this.shown.get(this.here ?? "")?.node.classList.add("here");
  }

  async refresh() {
    try {
      this.#take(await get(`/sources/${this.source}/paragraphs`, { offset: 0, limit: Math.min(500, Math.max(PART, this.shown.size)) }));
    } catch (error) {
      complain(error);
    }
  }

  /** @param {import("./live.js").JobEvent} job */
  onJob(job) {
    if (!job.sources.includes(this.source)) return;
    this.jobs = heard(this.jobs, job);
    this.#showProgress();
    this.again();
  }

  async #extend() {
    try {
      this.#take(await get(`/sources/${this.source}/paragraphs`, { offset: this.shown.size, limit: PART }), true);
    } catch (error) {
      complain(error);
    }
  }

  /** @param {any} page @param {boolean} [first] whether what comes is known already and does not soak in */
  #take(page, first = false) {
    this.total = page.total;
    let title = this.title ?? null;
    for (const item of page.items) {
      const before = this.shown.get(item.id);
      if (before && before.state === item.state && before.spans === item.spans.length) continue;
      const fresh = new Set(
        first && item.state !== "waiting" && !before ? [] : item.spans.map((/** @type {any} */ span) => span.entity),
      );
      for (const span of item.spans) this.names.add(span.entity);
      const node = passage(
        item,
        typeset(item.text, { spans: item.spans, fresh, from: markLength(item), open: this.open }),
        { data: { state: item.state }, class: item.id === this.here ? "here" : "" },
        item.state === "failed" ? el("footer", { class: "bad", text: item.error ? told(item.error) : t("reading.failed", { n: 1 }) }) : null,
      );
      if (before) before.node.replaceWith(node);
      else {
        if (item.title && item.title !== title) this.text.append(el("h2", { text: item.title }));
        title = item.title;
        this.text.append(node);
      }
      this.shown.set(item.id, { state: item.state, spans: item.spans.length, node });
    }
    this.title = title;
    this.more.hidden = this.shown.size >= this.total;
    const done = [...this.shown.values()].filter(({ state }) => state !== "waiting").length;
    this.read?.(done);
    this.#showProgress();
  }

  #showProgress() {
    const states = [...this.shown.values()].map(({ state }) => state);
    const mine = this.jobs.filter(({ sources }) => sources.includes(this.source));
    const job = foremost(mine);
    const failed = states.filter((state) => state === "failed").length;
    const counts = job ?? mine[0] ?? { done: states.filter((state) => state !== "waiting").length, total: this.total };
    const stands = job && standing(job);
    const busy = stands ? stands.state === "running" || stands.state === "waiting" : states.includes("waiting");
    this.root.dataset.state = busy ? "reading" : (stands?.state ?? (failed ? "failed" : "ready"));
    this.progress.hidden = !busy && !failed && !mine.length;
    if (this.progress.hidden) return;
    const words = stands?.words ?? (busy ? t("reading.progress", counts) : failed ? t("reading.failed", { n: failed }) : t("reading.done"));
    this.progress.replaceChildren(
      el("span", { text: words }),
      el("span", { text: t("reading.names", { n: this.names.size }) }),
      (job && stands && actOn(job, stands, (now) => now && this.onJob(now))) ?? "",
      stands?.reason ? el("span", { class: "reason", text: stands.reason }) : "",
      busy ? el("progress", { attributes: { max: Math.max(1, counts.total), value: counts.done }, aria: { label: words } }) : "",
    );
  }
}
