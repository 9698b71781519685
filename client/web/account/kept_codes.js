/** The recovery codes of a new account, kept in this tab while the page reloads with the new identity. */

const KEY = "millrace.recovery-codes";

/** Keep codes until their owner has seen them. @param {string[]} codes @param {string} next The page to go to then. */
export function keepCodes(codes, next) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ codes, next }));
  } catch {
    // Without storage they are not shown; their owner can create new ones.
  }
}

/** @returns {{ codes: string[], next: string } | null} */
export function keptCodes() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

export function forgetCodes() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
