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
import { told } from "./told.js";
import { actOn, foremost, heard, standing } from "./work.js";

const PART = 50;

const main = byId("main");
const body = byId("body");
const margin = new Margin({ changed: () => reading?.refresh() });
const open = (/** @type {string} */ id) => margin.entry(id);

/** @type {Reading | null} */
let reading = null;
/** @type {import("./live.js").JobEvent[]} what is known of the jobs, newest first */
let jobs = [];
/** @type {any[]} */
let sources = [];
let total = 0;

const shelf = el("ul", { class: "shelf" });
const arriving = el("ul", { class: "shelf arriving", aria: { live: "polite" } });
const more = el("button", { class: "link", text: t("more"), hidden: true, on: { click: () => extend() } });
const summary = el("span", { class: "small" });
const general = el("p", { class: "work", attributes: { role: "status" } });

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
  jobs = (await get("/jobs", { limit: 500 })).items;
  const page = await get("/sources", { offset: 0, limit: Math.max(PART, sources.length) });
  sources = page.items;
  total = page.total;
  summary.textContent = t("library.summary", { sources: total, paragraphs: stats.paragraphs });
  if (!body.contains(shelf))
    body.replaceChildren(
      el("div", { class: "shelf-head" }, el("h2", { text: t("library.title") }), summary, chooser(t("library.add"), receive)),
      general,
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
  showGeneral();
  shelf.replaceChildren(...sources.map(row));
}

/** What is done for the whole memory and not for one source: vectors, means. */
function showGeneral() {
  const job = foremost(jobs.filter(({ sources }) => !sources.length));
  general.hidden = !job;
  if (!job) return general.replaceChildren();
  const stands = standing(job);
  general.dataset.state = stands.state;
  general.replaceChildren(el("span", { class: stands.state === "failed" ? "bad" : "", text: stands.words }), actOn(job, stands, again) ?? "", stands.reason ? el("span", { class: "reason", text: stands.reason }) : "");
}

/** @param {any} source */
function row(source) {
  const job = foremost(jobs.filter(({ sources }) => sources.includes(source.id)));
  const [done, failed] = [source.paragraphs - (source.states.waiting ?? 0), source.states.failed ?? 0];
  const counts = { done, total: source.paragraphs, failures: source.failures };
  const stands = job && standing(job, counts);
  const state = stands ? { running: "reading", waiting: "reading" }[stands.state] ?? stands.state : done < source.paragraphs ? "waiting" : failed ? "failed" : "ready";
  const words = stands?.words ?? { waiting: t("reading.progress", counts), failed: t("reading.failed", { n: failed }), ready: t("library.state.ready") }[state] ?? "";
  const reason = stands ? stands.reason : failed ? told(source.failures[0] ?? "") : "";
  const href = pageOf("library", { source: source.id });
  const tools = el(
    "div",
    { class: "tools" },
    job && stands ? actOn(job, stands, again) : null,
    el("button", { class: "link", text: t("library.delete"), aria: { label: `${t("library.delete")} ${source.name}` }, on: { click: () => sure(item, source) } }),
  );
  const item = el(
    "li",
    { data: { source: source.id, state } },
    el("a", { class: "title", lang: languageOf(source.name), href, text: source.name, on: { click: (event) => go(event, href) } }),
    el(
      "div",
      { class: "meta" },
      el("span", { text: t("library.paragraphs", { n: source.paragraphs }) }),
      el("span", { text: day(source.created) }),
      el("span", { class: state === "failed" ? "bad" : "", text: words }),
      source.encoding && !/^(utf-?8|ascii)$/i.test(source.encoding) ? el("span", { text: t("library.guess", { encoding: source.encoding }) }) : null,
      reason ? el("p", { class: "reason", text: reason }) : null,
    ),
    tools,
    state === "reading" ? progressBar(counts, words) : null,
  );
  return item;
}

/** @param {{done: number, total: number}} counts @param {string} words */
const progressBar = ({ done, total }, words) => el("progress", { attributes: { max: total, value: done }, aria: { label: words } });

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
    if (result.state === "failed") return refuse([t("library.refused"), ...result.reasons.map(told)].join(" · "));
    if (result.state === "known" || result.state === "skipped") return refuse([t("library.known"), ...result.reasons.map(told)].join(" · "), true);
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
  reading.jobs = (await get("/jobs", { limit: 500 })).items;
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

addEventListener("popstate", () => (margin.follow(), load()));
dropTarget(main, receive);
const again = later(() => void (!reading && index().catch(complain)), 300);
frame({ refresh: () => (margin.refresh(), load()), choose: (entity) => open(entity.id) });
watch({
  job: (job) => {
    jobs = heard(jobs, job);
    reading?.onJob(job);
    again();
  },
  changed: () => (margin.refresh(), reading ? null : again()),
  resync: () => (margin.refresh(), reading ? reading.refresh() : again()),
});
load();
