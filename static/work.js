// How a job stands, in words, with its reason, and what a person can do about it: stop it, let it go on, try it again.
import { post } from "./api.js";
import { el } from "./dom.js";
import { has, moment, t } from "./i18n.js";
import { complain } from "./say.js";
import { told } from "./told.js";

/** @typedef {import("./live.js").JobEvent} Job */
/** @typedef {{state: string, words: string, reason: string, verb: "cancel" | "retry" | null, label: string}} Standing */

const URGENCY = ["running", "waiting", "failed", "paused", "cancelled"];

/** Where a job stands: a job that waits until a certain time is paused. @param {Job} job */
export const stateOf = (job) => (job.state === "waiting" && job.until ? "paused" : job.state);

/** Of some jobs, newest first, the one a person should know of: of each kind the newest counts. @param {Job[]} jobs */
export function foremost(jobs) {
  const newest = jobs.filter((job, index) => jobs.findIndex(({ kind }) => kind === job.kind) === index);
  const open = newest.filter(({ state }) => state !== "done");
  return open.sort((a, b) => URGENCY.indexOf(stateOf(a)) - URGENCY.indexOf(stateOf(b)))[0] ?? null;
}

/** Put what is heard of a job in the place of what was known. @param {Job[]} jobs newest first @param {Job} job */
export const heard = (jobs, job) => (jobs.some(({ id }) => id === job.id) ? jobs.map((known) => (known.id === job.id ? job : known)) : [job, ...jobs]);

/**
 * @param {Job} job
 * @param {{done: number, total: number, failures?: string[]}} [counts] of the source that is looked at, else the job's own
 * @returns {Standing}
 */
export function standing(job, counts = job) {
  const state = stateOf(job);
  const { done, total } = job.kind === "read" ? counts : job;
  const kind = has(`work.kind.${job.kind}`) ? `${t(`work.kind.${job.kind}`)} · ` : "";
  const progress = t(kind ? "work.progress" : "reading.progress", { done, total });
  const words = {
    running: () => (job.cancelling ? t("work.stopping") : progress),
    waiting: () => progress,
    paused: () => t("work.paused", { when: moment(new Date(job.until ?? "")) }),
    failed: () => (job.failed ? t("reading.failed", { n: job.failed }) : t("work.failed")),
    cancelled: () => t("work.stopped", { done, total }),
  }[state];
  const reason = state === "cancelled" ? "" : (job.error ?? (state === "failed" ? counts.failures?.[0] : undefined) ?? "");
  const ended = state === "failed" || state === "cancelled";
  const stoppable = state !== "done" && !ended && !job.cancelling;
  return {
    state,
    words: kind + (words?.() ?? t("reading.done")),
    reason: told(reason),
    verb: ended ? "retry" : stoppable ? "cancel" : null,
    label: state === "cancelled" ? t("work.goOn") : state === "failed" ? (job.failed ? t("reading.retry", { n: job.failed }) : t("work.retry")) : t("reading.cancel"),
  };
}

/**
 * The button for what can be done; nothing where nothing can.
 * @param {Job} job @param {Standing} stands @param {(job: Job | null) => void} then gets the job as it is then, null when it was refused
 */
export function actOn(job, { verb, label }, then) {
  if (!verb) return null;
  const act = async () => {
    try {
      then(await post(`/jobs/${encodeURIComponent(job.id)}/${verb}`));
    } catch (error) {
      complain(error);
      then(null);
    }
  };
  return el("button", { class: `link${verb === "retry" ? " hand" : ""}`, text: label, data: { act: verb }, on: { click: act } });
}
