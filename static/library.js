// 书: where text comes from. The shelf of sources with how far each is read, files on their way in, and a reader.
import { get, pageOf, post, remove } from "./api.js";
import { preview } from "./deletion.js";
import { byId, el, languageOf, later } from "./dom.js";
import { frame } from "./frame.js";
import { day, sentence, t } from "./i18n.js";
import { chooser, dropTarget, upload } from "./intake.js";
import { watch } from "./live.js";
import { Margin } from "./margin.js";
import { Reading } from "./reading.js";
import { complain, say } from "./say.js";

const PART = 50;

const main = byId("main");
const body = byId("body");
const margin = new Margin({ changed: () => reading?.refresh() });
const open = (/** @type {string} */ id) => margin.entry(id);

/** @type {Reading | null} */
let reading = null;
/** @type {Map<string, import("./live.js").JobEvent>} the latest word of the job that reads a source */
const jobs = new Map();
/** @type {any[]} */
let sources = [];
let total = 0;

const shelf = el("ul", { class: "shelf" });
const arriving = el("ul", { class: "shelf arriving", aria: { live: "polite" } });
const more = el("button", { class: "link", text: t("more"), hidden: true, on: { click: () => extend() } });
const summary = el("span", { class: "small" });

/** Show what the address asks for. */
async function load() {
  const query = new URLSearchParams(location.search);
  const source = query.get("source");
  try {
    if (source) await read(source, query.get("paragraph"));
    else await index();
  } catch (error) {
    main.dataset.state = "failed";
    const retry = el("button", { class: "link", text: t("error.retry"), on: { click: load } });
    body.replaceChildren(el("p", { class: "still" }, t("error.title"), el("small", { text: sentence(error) }), el("small", {}, retry)));
  }
}

// --- the shelf

async function index() {
  reading = null;
  const stats = await margin.tally();
  const { items } = await get("/jobs");
  for (const job of items.reverse()) for (const source of job.sources) jobs.set(source, job);
  const page = await get("/sources", { offset: 0, limit: Math.max(PART, sources.length) });
  sources = page.items;
  total = page.total;
  summary.textContent = t("library.summary", { sources: total, paragraphs: stats.paragraphs });
  if (!body.contains(shelf))
    body.replaceChildren(
      el("div", { class: "shelf-head" }, el("h2", { text: t("library.title") }), summary, chooser(t("library.add"), receive)),
      arriving,
      shelf,
      more,
    );
  showShelf();
}

async function extend() {
  const page = await get("/sources", { offset: sources.length, limit: PART });
  sources.push(...page.items);
  showShelf();
}

function showShelf() {
  main.dataset.state = total || arriving.childElementCount ? "ready" : "empty";
  more.hidden = sources.length >= total;
  if (!total && !arriving.childElementCount)
    return shelf.replaceChildren(el("li", {}, el("p", { class: "still" }, t("library.empty"), el("small", { text: t("sheet.hint") }))));
  shelf.replaceChildren(...sources.map(row));
}

/** @param {any} source */
function row(source) {
  const job = jobs.get(source.id);
  const done = source.paragraphs - (source.states.waiting ?? 0);
  const failed = source.states.failed ?? 0;
  const busy = done < source.paragraphs;
  const state = busy ? t("reading.progress", { done, total: source.paragraphs }) : failed ? t("library.state.failed", { n: failed }) : t("library.state.ready");
  const href = pageOf("library", { source: source.id });
  const tools = el(
    "div",
    { class: "tools" },
    failed && !busy && job ? el("button", { class: "link hand", text: t("reading.retry", { n: failed }), on: { click: () => retry(job.id) } }) : null,
    busy && job ? el("button", { class: "link", text: t("reading.cancel"), on: { click: () => act(job.id, "cancel") } }) : null,
    el("button", { class: "link", text: t("library.delete"), aria: { label: `${t("library.delete")} ${source.name}` }, on: { click: () => sure(item, source) } }),
  );
  const item = el(
    "li",
    { data: { source: source.id, state: busy ? "reading" : failed ? "failed" : "ready" } },
    el("a", { class: "title", lang: languageOf(source.name), href, text: source.name, on: { click: (event) => go(event, href) } }),
    el(
      "div",
      { class: "meta" },
      el("span", { text: t("library.paragraphs", { n: source.paragraphs }) }),
      el("span", { text: day(source.created) }),
      el("span", { class: failed && !busy ? "bad" : "", text: state }),
      source.encoding && !/^(utf-?8|ascii)$/i.test(source.encoding) ? el("span", { text: t("library.guess", { encoding: source.encoding }) }) : null,
    ),
    tools,
    busy ? el("progress", { attributes: { max: source.paragraphs, value: done }, aria: { label: state } }) : null,
  );
  return item;
}

/** @param {MouseEvent} event @param {string} href */
function go(event, href) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({}, "", href);
  load();
}

/** Ask once more before deleting. @param {HTMLElement} item @param {any} source */
function sure(item, source) {
  const no = el("button", { class: "link", text: t("cancel"), on: { click: showShelf } });
  const yes = el("button", {
    class: "link strong",
    text: t("library.deleteYes"),
    on: {
      click: async () => {
        try {
          await remove(`/sources/${encodeURIComponent(source.id)}`);
          say(t("library.deleted", { name: source.name }));
          if (reading) back();
          else await index();
        } catch (error) {
          complain(error);
        }
      },
    },
  });
  item.querySelector(".tools")?.remove();
  const told = el("span", { class: "small" });
  item.append(el("div", { class: "sure" }, el("span", { text: t("library.deleteSure") }), told, yes, no));
  yes.focus();
  preview(source.id).then((text) => (told.textContent = text), complain);
}

/** @param {string} job @param {"cancel" | "retry"} verb */
async function act(job, verb) {
  try {
    await post(`/jobs/${job}/${verb}`);
    await index();
  } catch (error) {
    complain(error);
  }
}
const retry = (/** @type {string} */ job) => act(job, "retry");

// --- files on their way in

/** Send each file by itself, so that each shows how far it is and one bad file stops no other. @param {File[]} files */
async function receive(files) {
  if (reading) back({ silent: true });
  if (!body.contains(shelf)) await index();
  const lines = files.map((file) => {
    const note = el("div", { class: "meta", text: t("library.uploading", { n: 0 }) });
    const bar = el("progress", { attributes: { max: 1, value: 0 }, aria: { label: file.name } });
    const item = el("li", { data: { file: file.name, state: "sending" } }, el("span", { class: "title", lang: languageOf(file.name), text: file.name }), note, bar);
    arriving.append(item);
    return { file, note, bar, item };
  });
  showShelf();
  for (const line of lines) await send(line);
}

/** @param {{file: File, note: HTMLElement, bar: HTMLProgressElement, item: HTMLElement}} line */
async function send({ file, note, bar, item }) {
  const refuse = (/** @type {string} */ text, /** @type {boolean} */ known = false) => {
    bar.remove();
    item.dataset.state = "refused";
    note.textContent = text;
    note.classList.toggle("bad", !known);
    item.append(el("div", { class: "tools" }, el("button", { class: "link", text: t("library.dismiss"), on: { click: () => (item.remove(), showShelf()) } })));
  };
  try {
    const report = await upload([file], (part) => {
      bar.value = part;
      note.textContent = t("library.uploading", { n: Math.round(part * 100) });
    });
    const result = report.files[0];
    if (result.state === "failed") return refuse([t("library.refused"), ...result.reasons].join(" · "));
    if (result.state === "known" || result.state === "skipped") return refuse([t("library.known"), ...result.reasons].join(" · "), true);
    item.remove();
    await index();
  } catch (error) {
    refuse(sentence(error));
  }
}

// --- the reader

/** @param {string} id @param {string | null} here */
async function read(id, here) {
  main.dataset.state = "loading";
  const source = await get(`/sources/${encodeURIComponent(id)}`);
  reading = new Reading(id, { open, here });
  const facts = el("div", { class: "meta" });
  const head = el(
    "div",
    { class: "shelf-head" },
    el("a", { class: "link", href: pageOf("library"), text: `← ${t("library.back")}`, on: { click: (event) => go(event, pageOf("library")) } }),
  );
  body.replaceChildren(head, el("h1", { lang: languageOf(source.name), text: source.name }), facts, reading.root);
  facts.className = "small";
  facts.textContent = `${t("library.paragraphs", { n: source.paragraphs })} · ${day(source.created)}`;
  const { items } = await get("/jobs");
  reading.job = items.find((/** @type {any} */ job) => job.sources.includes(id) && (job.state !== "done" || job.failed)) ?? null;
  await reading.load();
  main.dataset.state = "reading";
  if (!here) main.scrollTop = 0;
  await margin.tally(t("library.chooseHint"));
}

function back({ silent = false } = {}) {
  history.pushState({}, "", pageOf("library"));
  reading = null;
  if (!silent) load();
}

addEventListener("popstate", load);
dropTarget(main, receive);
const again = later(() => void (!reading && index().catch(complain)), 300);
frame({ refresh: load, choose: (entity) => open(entity.id) });
watch({
  job: (job) => {
    for (const source of job.sources) jobs.set(source, job);
    reading?.onJob(job);
    again();
  },
  changed: () => (reading ? null : again()),
  resync: () => (reading ? reading.refresh() : again()),
});
load();
