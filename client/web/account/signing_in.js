/**
 * Coming in and going out: what the browser must do besides what is said over the socket.
 *
 * The server answers a sign-in with a ticket, which a GET turns into a cookie that no script can read; the page is then
 * loaded anew, as somebody else.
 */

import { announce, toast } from "../toasts.js";
import { forget, recall, remember } from "../storage.js";

/** @import { Connection } from "../connection/connection.js" */

const TOKEN_KEY = "millrace.token";
const HOLDER_KEY = "millrace.holder";

/** Where to go after signing in: the page from which one came. */
let returnPath = "/";

/** Remember the page that is open, to come back to it. */
export function rememberReturnPath() {
  if (location.pathname !== "/account") returnPath = location.pathname;
}

/**
 * Make an account of this guest, or sign in to one.
 * @param {Connection} connection
 * @param {"register" | "sign_in"} type
 * @param {string} name
 * @param {string} password
 */
export async function signIn(connection, type, name, password) {
  const answer = await connection.askOnce({ type, name: name.trim(), password, browser: true });
  // The guest has become the account; otherwise it is kept for when the reader signs out.
  if (type === "register") forget(TOKEN_KEY);
  const query = new URLSearchParams({ ticket: answer.ticket, next: returnPath });
  location.replace(`/sign-in?${query}`);
}

/** @param {Connection} connection */
export async function signOut(connection) {
  await connection.askOnce({ type: "sign_out" });
}

/**
 * Keep the tabs of this browser of one mind, and clear away the cookie of a session that is over.
 * @param {Connection} connection
 */
export function syncTabs(connection) {
  const holder = () => (connection.player?.registered ? connection.player.id : "");
  connection.addEventListener("welcome", () => {
    if (recall(HOLDER_KEY) !== holder()) remember(HOLDER_KEY, holder());
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === HOLDER_KEY && connection.player !== null && (newValue ?? "") !== holder()) connection.renew();
  });
  connection.addEventListener("signedout", (event) => {
    const words = /** @type {CustomEvent<string>} */ (event).detail;
    toast(words);
    announce(words);
    fetch("/sign-out", { redirect: "manual" }).catch(() => undefined);
  });
}
