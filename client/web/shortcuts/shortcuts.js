/**
 * The keyboard shortcuts of the shown page: one list runs them and fills the sheet that explains them. No DOM but keys.
 *
 * Shortcuts of one character can be turned off (WCAG 2.1.4), for readers whose speech input or switches type by
 * accident.
 */

import { wholeCatalogue } from "../language/languages.js";
import { later } from "../language/texts.js";
import { recall, remember } from "../storage.js";

/**
 * @typedef {object} Shortcut
 * @property {readonly string[]} keys As `KeyboardEvent.key` has them; letters in lower case.
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

/** Open the sheet of shortcuts, which is loaded when it is needed. */
export async function openShortcutSheet() {
  const [{ showShortcutSheet }] = await Promise.all([import("./shortcut_sheet.js"), wholeCatalogue()]);
  showShortcutSheet();
}

/** Listen to the keys of the whole page, and offer the sheet everywhere. */
export function listenForShortcuts() {
  const open = { keys: ["?"], label: later("Show the keyboard shortcuts"), run: () => void openShortcutSheet() };
  offerShortcuts({ title: later("Everywhere"), shortcuts: [open], isActive: () => true });
  document.addEventListener("keydown", press);
}

/** @param {KeyboardEvent} event */
function press(event) {
  const isTyped = event.getModifierState("AltGraph");
  const isCommand = !isTyped && (event.altKey || event.ctrlKey || event.metaKey);
  if (event.defaultPrevented || isCommand || isTaken(event.target, event.key)) return;
  const shortcuts = activeGroups().flatMap((group) => group.shortcuts);
  const key = keysOf(event).find((each) => shortcuts.some(({ keys, run }) => run !== undefined && keys.includes(each)));
  if (key === undefined || (key.length === 1 && key !== " " && !hasSingleKeys())) return;
  const found = shortcuts.filter(({ keys, run }) => run !== undefined && keys.includes(key));
  if (found.some(({ run }) => run?.(key) !== false)) event.preventDefault();
}

/**
 * What a key may mean: its character and, where the layout has no Latin letter or digit on it, what other layouts have.
 * @param {KeyboardEvent} event
 */
function keysOf({ key, code, shiftKey }) {
  // A full-width character means the usual one, and the Arabic question mark the Latin one.
  const typed = key.length === 1 ? key.normalize("NFKC").replace("\u061f", "?").toLowerCase() : key;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const [, digit] = /^Digit(\d)$/.exec(code) ?? [];
  if (letter !== undefined && !/^[a-z]$/.test(typed)) return [typed, letter.toLowerCase()];
  return digit !== undefined && !shiftKey ? [typed, digit] : [typed];
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
