/**
 * An anonymous connection that only watches a match: without cookie, and storing nothing.
 *
 * No DOM. It reconnects when it breaks, and ends with the match.
 */

import { VERSION } from "../protocol.js";

/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { ServerMessage, Welcome } from "../protocol.js" */

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** The close code of a server that stops or restarts while others may continue. */
const RESTARTING = 1012;
const RESTARTING_DELAY_MS = 300;
const UNAVAILABLE_RETRY_MS = 1_000;

/**
 * @typedef {object} Watcher
 * @property {() => number} since The number of the last event received.
 * @property {(welcome: Welcome) => void} welcomed
 * @property {(message: MatchMessage) => boolean} receive Returns whether more messages are expected.
 */

/** @param {string} match @param {Watcher} watcher @param {number} [failures] Failed connections in a row. */
export function spectateMatch(match, watcher, failures = 0) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/socket`);
  const say = (/** @type {object} */ message) => socket.send(JSON.stringify(message));
  const watch = () => {
    if (socket.readyState === WebSocket.OPEN) say({ type: "watch", match, since: watcher.since() });
  };
  let isOver = false;
  let failed = failures + 1;
  socket.addEventListener("open", () => say({ type: "hello", version: VERSION, client: "millrace-embed", anonymous: true }));
  socket.addEventListener("message", ({ data }) => {
    /** @type {ServerMessage} */
    const message = JSON.parse(data);
    if (message.type === "welcome") {
      failed = 0;
      watcher.welcomed(message);
      watch();
    } else if (message.type === "refused" && message.code === "unavailable") {
      // The server cannot read the match now; keep what is shown.
      setTimeout(watch, UNAVAILABLE_RETRY_MS);
    } else if (!isOver && !watcher.receive(/** @type {MatchMessage} */ (message))) {
      isOver = true;
      socket.close();
    }
  });
  socket.addEventListener("close", ({ code }) => {
    if (isOver) return;
    const usual_ms = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failed);
    // Randomised, so that pages do not all reconnect to the other servers at once.
    const delay_ms = code === RESTARTING ? RESTARTING_DELAY_MS * Math.random() : usual_ms;
    setTimeout(() => spectateMatch(match, watcher, failed), delay_ms);
  });
}
