/**
 * The keyboard shortcuts of the shown page: one list runs them and fills the sheet that explains them. No DOM but keys.
 *
 * Shortcuts of one character can be turned off (WCAG 2.1.4), for readers whose speech input or switches type by
 * accident.
 */

import { recall, remember } from "../storage.js";

/**
 * @typedef {object} Shortcut
 * @property {readonly string[]} keys As `KeyboardEvent.key` has them.
 * @property {string} label What it does, as a command.
 * @property {(key: string) => boolean | void} [run] Returns false if it does not apply now. Without it, the control that
 *   has the focus handles the keys itself.
 */
/**
 * @typedef {object} ShortcutGroup
 * @property {string} title
 * @property {readonly Shortcut[]} shortcuts The first that applies is run.
 * @property {() => boolean} isActive Whether they apply now.
 */

const OFF_KEY = "millrace.single-keys";

/** @type {Set<ShortcutGroup>} */
const offered = new Set();

/** Offer shortcuts until the returned function is called. @param {ShortcutGroup} group @returns {() => void} */
export function offerShortcuts(group) {
  offered.add(group);
  return () => void offered.delete(group);
}

/** The shortcuts that apply now. @returns {ShortcutGroup[]} */
export function activeGroups() {
  return [...offered].filter(({ isActive }) => isActive());
}

/** Whether shortcuts of one character are on. */
export function hasSingleKeys() {
  return recall(OFF_KEY) !== "off";
}

/** @param {boolean} isOn */
export function setSingleKeys(isOn) {
  remember(OFF_KEY, isOn ? "on" : "off");
}

/** Listen to the keys of the whole page. */
export function listenForShortcuts() {
  document.addEventListener("keydown", press);
}

/** @param {KeyboardEvent} event */
function press(event) {
  const { key, target } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(target, key)) return;
  if (key.length === 1 && key !== " " && !hasSingleKeys()) return;
  const found = activeGroups().flatMap(({ shortcuts }) => shortcuts.filter(({ keys, run }) => run !== undefined && keys.includes(key)));
  if (found.some(({ run }) => run?.(key) !== false)) event.preventDefault();
}

/**
 * Whether a control handles the key itself: fields handle every key, buttons those that press them.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function isTaken(target, key) {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLElement && target.closest("dialog") !== null) return true;
  return target instanceof HTMLButtonElement && (key === "Enter" || key === " ");
}
