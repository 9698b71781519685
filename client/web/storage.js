/**
 * Settings and the guest's token, stored in the browser between visits.
 *
 * Browsers can refuse storage (private windows, blocked cookies); then values last as long as the page.
 */

/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key @returns {string | null} */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** @param {string} key @returns {Record<string, any>} A stored object; empty if there is none. */
export function recallObject(key) {
  try {
    return Object(JSON.parse(recall(key) ?? "{}"));
  } catch {
    return {};
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Kept in memory above.
  }
}

/** @param {string} key */
export function forget(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** @returns {boolean} Whether the browser keeps values between visits. */
export function isKept() {
  try {
    localStorage.setItem("probe", "");
    localStorage.removeItem("probe");
    return true;
  } catch {
    return false;
  }
}
