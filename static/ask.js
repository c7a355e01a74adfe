// 问: one line to ask. An empty memory is one sheet to put text on; after that the question, what answers it, and why.
import { get, post } from "./api.js";
import { answerView } from "./answer.js";
import { byId, el, languageOf, later } from "./dom.js";
import { openSample, frame } from "./frame.js";
import { language, sentence, t } from "./i18n.js";
import { chooser, dropTarget, keepText, upload } from "./intake.js";
import { shortcut, written } from "./keys.js";
import { watch } from "./live.js";
import { Margin } from "./margin.js";
import { Reading } from "./reading.js";
import { complain } from "./say.js";
import { told } from "./told.js";

const main = byId("main");
const body = byId("body");
const form = byId("ask");
const question = byId("question");
const margin = new Margin({ changed: () => (answered ? ask(answered, { keep: true }) : null) });
const open = (/** @type {string} */ id) => margin.entry(id);

/** @type {Reading | null} */
let reading = null;
/** @type {string | null} */
let answered = null;
/** @type {AbortController | null} */
let asking = null;
/** @type {{stop: () => void} | null} */
let shown = null;

/** @param {string} state @param {...(Node | string)} nodes */
function show(state, ...nodes) {
  shown?.stop();
  shown = null;
  main.dataset.state = state;
  form.hidden = state === "empty" || (state === "loading" && !asking);
  body.replaceChildren(...nodes);
}

/** Read what there is and show the state that fits. */
async function load() {
  try {
    const stats = await margin.tally();
    const asked = new URLSearchParams(location.search).get("q");
    if (!stats.paragraphs) return sheet();
    if (asked) {
      question.value = asked;
      return ask(asked, { keep: true });
    }
    answered = null;
    question.value = "";
    show("ready", suggestions);
    question.focus();
    fillSuggestions();
  } catch (error) {
    failed(error, load);
  }
}

/** @param {any} error @param {() => void} again */
function failed(error, again) {
  const retry = el("button", { class: "link", text: t("error.retry"), on: { click: again } });
  show("failed", el("p", { class: "still" }, t("error.title"), el("small", { text: sentence(error) }), el("small", {}, retry)));
}

// --- questions to begin with

const suggestions = el("section", { class: "suggestions" });

async function fillSuggestions() {
  const { items } = await get("/questions", { limit: 3 });
  if (!items.length) return suggestions.replaceChildren();
  const before = [...suggestions.querySelectorAll("button")].map((button) => button.textContent);
  if (before.join() === items.join()) return;
  suggestions.replaceChildren(
    el("h2", { class: "label", text: t("ask.tryThese") }),
    el(
      "ul",
      {},
      ...items.map((/** @type {string} */ text) =>
        el("li", { class: "arrive", lang: languageOf(text) }, el("button", { text, on: { click: () => ((question.value = text), ask(text)) } })),
      ),
    ),
  );
}

// --- the empty sheet

function sheet() {
  const paper = el("textarea", { attributes: { spellcheck: "false" }, aria: { label: t("sheet.title") } });
  paper.placeholder = t("sheet.hint");
  const keep = el("button", { class: "link strong hand", text: `${t("sheet.keep")} ${written("⌘↵")}`, hidden: true });
  const take = async () => {
    const text = paper.value.trim();
    if (!text) return;
    keep.disabled = true;
    try {
      begin(await keepText(text));
    } catch (error) {
      keep.disabled = false;
      complain(error);
    }
  };
  keep.addEventListener("click", take);
  paper.addEventListener("input", () => (keep.hidden = !paper.value.trim()));
  paper.addEventListener("keydown", (event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing && take());
  show(
    "empty",
    el(
      "section",
      { class: "sheet" },
      el("h1", {}, t("sheet.title"), el("span", { lang: language === "zh" ? "en" : "zh-CN", text: t("sheet.other") })),
      paper,
      el(
        "div",
        { class: "actions" },
        keep,
        chooser(t("sheet.choose"), receive),
        el("button", { class: "link", text: t("sheet.sample"), on: { click: openSample } }),
        el("span", { class: "kinds", text: t("sheet.kinds") }),
      ),
    ),
  );
}

/** @param {File[]} files */
async function receive(files) {
  const line = el("p", { class: "still waiting", text: t("library.uploading", { n: 0 }) });
  show("loading", line);
  try {
    begin(await upload(files, (part) => (line.textContent = t("library.uploading", { n: Math.round(part * 100) }))));
  } catch (error) {
    failed(error, load);
  }
}

/** Show what was put in, and read along. @param {any} report */
async function begin(report) {
  const taken = report.files.find((/** @type {any} */ file) => file.source);
  const refused = report.files.filter((/** @type {any} */ file) => !file.source);
  const notes = refused.map((/** @type {any} */ file) => el("p", { class: "small" }, `${file.name}: ${file.reasons.map(told).join("; ")}`));
  if (!taken) {
    const retry = el("button", { class: "link", text: t("back"), on: { click: load } });
    return show("failed", el("div", { class: "still" }, t("library.refused"), ...notes, el("small", {}, retry)));
  }
  let asked = 0;
  reading = new Reading(taken.source, {
    open,
    read: (done) => {
      // The first questions as soon as there is one paragraph to make them from, better ones when all is read.
      if (done && (asked === 0 || done === reading?.total) && asked !== done) {
        asked = done;
        fillSuggestions().catch(complain);
      }
    },
  });
  suggestions.replaceChildren();
  show("reading", suggestions, ...notes, reading.root);
  try {
    await reading.load();
    await margin.tally();
  } catch (error) {
    failed(error, load);
  }
}

// --- question and answer

/** @param {string} text @param {{keep?: boolean}} [options] `keep` leaves the address alone */
async function ask(text, { keep = false } = {}) {
  asking?.abort();
  asking = new AbortController();
  const mine = asking;
  answered = text;
  reading = null;
  fit();
  if (!keep) history.pushState({}, "", `?${new URLSearchParams({ q: text })}`);
  const line = el("p", { class: "how" }, el("span", { class: "waiting", text: t("ask.asking") }));
  show("loading", line);
  if (!keep) margin.back();
  try {
    const answer = await post("/retrieve", { question: text, language }, mine.signal);
    if (mine !== asking) return;
    const view = answerView(answer, margin);
    show(answer.paragraphs.length ? "answered" : "nothing", ...view.nodes);
    shown = view;
    view.start();
  } catch (error) {
    if (!mine.signal.aborted) failed(error, () => ask(text, { keep: true }));
  }
}

/** Let the line grow with the question where the browser does not do it by itself. */
function fit() {
  if (CSS.supports("field-sizing", "content")) return;
  question.rows = 1;
  question.rows = Math.min(6, Math.ceil(question.scrollHeight / 40));
}

form.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = question.value.trim();
  if (text) ask(text);
});
question.addEventListener("input", fit);
question.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  form.requestSubmit();
});
addEventListener("popstate", () => (margin.follow(), load()));
dropTarget(main, receive);
shortcut({ keys: "/", show: "/", words: "keys.ask", run: () => question.focus() });
frame({ refresh: () => (margin.refresh(), load()), choose: (entity) => open(entity.id) });

const tallyAgain = later(() => void (main.dataset.state !== "answered" && margin.tally().catch(complain)), 600);
const askAgain = later(() => void (main.dataset.state === "ready" && fillSuggestions().catch(complain)), 600);
watch({
  job: (job) => {
    reading?.onJob(job);
    askAgain();
  },
  changed: () => (margin.refresh(), tallyAgain()),
  resync: () => {
    margin.refresh();
    reading?.refresh();
    tallyAgain();
  },
});
load();
