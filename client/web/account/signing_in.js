/**
 * Signing in and out in the browser.
 *
 * The server answers a sign-in with a ticket. A GET request exchanges it for a cookie that scripts cannot read, and the
 * page reloads with the new identity.
 */

import { announce, toast } from "../toasts.js";
import { forget, recall, remember } from "../storage.js";

/** @import { Connection } from "../connection/connection.js" */

const TOKEN_KEY = "millrace.token";
const HOLDER_KEY = "millrace.holder";

/** The page to return to after signing in. */
let returnPath = "/";

/** Remember the open page, to return to it after signing in. */
export function rememberReturnPath() {
  if (location.pathname !== "/account") returnPath = location.pathname;
}

/**
 * Turn this guest into an account, or sign in to an existing account.
 * @param {Connection} connection
 * @param {"register" | "sign_in"} type
 * @param {string} name
 * @param {string} password
 */
export async function signIn(connection, type, name, password) {
  const answer = await connection.askOnce({ type, name: name.trim(), password, browser: true });
  // After registration the guest is the account; after a sign-in the guest's token is kept for signing out.
  if (type === "register") forget(TOKEN_KEY);
  const query = new URLSearchParams({ ticket: answer.ticket, next: returnPath });
  location.replace(`/sign-in?${query}`);
}

/** @param {Connection} connection */
export async function signOut(connection) {
  await connection.askOnce({ type: "sign_out" });
}

/**
 * Keep the identity of all tabs in step, and delete the cookie of an ended session.
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
