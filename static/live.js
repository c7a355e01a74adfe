// What happens meanwhile. Events may be lost: after a break the server sends again what was missed or asks to read everything anew.
import { io } from "./vendor/socket.io-client/socket.io.esm.min.js";
import { space } from "./api.js";
import { t } from "./i18n.js";
import { say } from "./say.js";

/**
 * @typedef {{id: string, kind: string, state: string, total: number, done: number, failed: number, error: string | null, sources: string[],
 *   cancelling: boolean, until: string | null, names: {name: string, kind: string, paragraph: string}[]}} JobEvent
 */

/**
 * Watch this space. `resync` is called when events were lost for good.
 * @param {{job?: (job: JobEvent) => void, changed?: () => void, resync?: () => void}} handlers
 */
export function watch({ job, changed, resync }) {
  const socket = io({ transports: ["websocket", "polling"] });
  /** @type {{run: string, seq: number} | null} */
  let last = null;
  let lost = false;
  const note = (/** @type {{run: string, seq: number}} */ event) => (last = { run: event.run, seq: event.seq });
  socket.on("connect", () => {
    if (lost) say(t("live.back"));
    lost = false;
    socket.emit("watch", { space, ...last }, (/** @type {any} */ now) => {
      if (now?.run) note(now);
      document.documentElement.dataset.live = "on";
    });
  });
  socket.on("disconnect", () => {
    lost = true;
    document.documentElement.dataset.live = "off";
    setTimeout(() => lost && say(t("live.lost"), { bad: true, stay: true }), 1500);
  });
  socket.on("job", (event) => (note(event), job?.(event)));
  socket.on("changed", (event) => (note(event), changed?.()));
  socket.on("resync", () => (resync ?? changed)?.());
  return socket;
}
