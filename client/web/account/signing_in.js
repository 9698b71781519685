/**
 * Signing in and out in the browser.
 *
 * The server answers a sign-in with a ticket. A GET request exchanges it for a cookie that scripts cannot read, and the
 * page reloads with the new identity.
 */

import { gettext } from "../language/texts.js";
import { announce, toast } from "../toasts.js";
import { forget, recall, remember } from "../storage.js";
import { keepCodes } from "./kept_codes.js";

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
 * Turn this guest into an account, and show its recovery codes before the page to return to.
 * @param {Connection} connection
 * @param {string} name
 * @param {string} password
 */
export async function register(connection, name, password) {
  const answer = await connection.askOnce({ type: "register", name: name.trim(), password, browser: true });
  forget(TOKEN_KEY); // The guest is the account now. After a sign-in the guest's token is kept for signing out.
  keepCodes(answer.recovery_codes, returnPath);
  enter(answer.ticket, "/account");
}

/** Sign in to an account. @param {Connection} connection @param {string} name @param {string} password */
export async function signIn(connection, name, password) {
  enter((await connection.askOnce({ type: "sign_in", name: name.trim(), password, browser: true })).ticket, returnPath);
}

/**
 * Sign in with a new password, using one of the account's recovery codes.
 * @param {Connection} connection
 * @param {string} name
 * @param {string} code
 * @param {string} new_password
 * @param {boolean} revoke_tokens Whether API tokens end too.
 */
export async function recover(connection, name, code, new_password, revoke_tokens) {
  enter((await connection.askOnce({ type: "recover", name: name.trim(), code, new_password, revoke_tokens, browser: true })).ticket, returnPath);
}

/** @param {string} ticket @param {string} next The page to show then. */
function enter(ticket, next) {
  location.replace(`/sign-in?${new URLSearchParams({ ticket, next })}`);
}

/** @param {Connection} connection */
export async function signOut(connection) {
  await connection.askOnce({ type: "sign_out" });
}

/** Keep the identity of all tabs in step, and delete the cookie of an ended session. @param {Connection} connection */
export function syncTabs(connection) {
  const holder = () => (connection.player?.registered ? connection.player.id : "");
  connection.addEventListener("welcome", () => {
    const before = recall(HOLDER_KEY) ?? "";
    // A session that has ended meanwhile is not told from none: the server ignores its cookie.
    if (before !== "" && holder() === "") toast(gettext("You are no longer signed in. Please sign in again."));
    if (before !== holder()) remember(HOLDER_KEY, holder());
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === HOLDER_KEY && connection.player !== null && (newValue ?? "") !== holder()) connection.renew();
  });
  connection.addEventListener("guestregistered", say);
  connection.addEventListener("signedout", (event) => {
    say(event);
    remember(HOLDER_KEY, "");
    fetch("/sign-out", { redirect: "manual" }).catch(() => undefined);
  });
}

/** @param {Event} event What the server says about the reader's identity. */
function say(event) {
  const words = /** @type {CustomEvent<string>} */ (event).detail;
  toast(words);
  announce(words);
}
