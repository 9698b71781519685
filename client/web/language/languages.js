/**
 * The reader's language: which it is, its catalogue, and changing it without reloading the page.
 *
 * A catalogue comes in parts: `main` has what the first page needs, `rest` everything else. English needs none.
 */

import { LANGUAGES, preferenceEvents, preferences } from "../preferences.js";
import { addTranslations, gettext, useLocale } from "./texts.js";

/** @import { Catalogue } from "./texts.js" */

/** @typedef {keyof typeof LANGUAGES} Language */
/** A part of a catalogue; `embed` has what the board on other sites needs. @typedef {"main" | "rest" | "embed"} Part */

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);
/** The cookie from which the server knows the choice when it sends the page. */
const COOKIE = "millrace_language";
const COOKIE_SECONDS = 400 * 86_400;

/** Fires `changed` when the language has changed and its texts are loaded. */
export const languageEvents = new EventTarget();

/** @type {Language} */
let current = "en";
/** The parts of the catalogue that are loaded or on their way. @type {Map<Part, Promise<void>>} */
let parts = new Map();

/** The language with the reader's region, for dates and numbers. */
export function locale() {
  // Node 20 has no navigator.
  return globalThis.navigator?.languages.find((wanted) => closest(wanted) === current) ?? current;
}

/** Use the language that the reader prefers, and follow that choice. @param {Part} part What is needed at once. */
export async function openLanguage(part) {
  await use(preferred(), [part]);
  for (const type of ["changed", "loaded"]) preferenceEvents.addEventListener(type, () => change(preferred()));
}

/** Load the rest of the catalogue. @returns {Promise<void>} */
export function wholeCatalogue() {
  return load("rest");
}

/** @returns {Language} The choice, or else the first available language of the browser. */
function preferred() {
  const { language } = preferences();
  keepForServer(language);
  if (language !== "browser") return language;
  return navigator.languages.map(closest).find((each) => each !== undefined) ?? "en";
}

/** @param {string} wanted A language tag. @returns {Language | undefined} */
function closest(wanted) {
  const [base] = wanted.toLowerCase().split("-");
  return /** @type {Language[]} */ (Object.keys(LANGUAGES)).find((each) => each.split("-")[0] === base);
}

/** @param {Language} wanted */
async function change(wanted) {
  if (wanted === current) return;
  await use(wanted, [...parts.keys()]);
  if (wanted === current) languageEvents.dispatchEvent(new Event("changed"));
}

/** @param {Language} wanted @param {readonly Part[]} needed */
async function use(wanted, needed) {
  current = wanted;
  parts = new Map();
  useLocale(locale());
  await Promise.all(needed.map(load));
  if (current === wanted) markDocument();
}

/** Translate the document around the page, unless the server has done so. */
function markDocument() {
  const root = document.documentElement;
  if (root.lang === current) return;
  root.lang = current;
  root.dir = RIGHT_TO_LEFT.has(current.split("-")[0]) ? "rtl" : "ltr";
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = gettext(node.getAttribute("data-text") ?? "");
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", gettext(node.getAttribute("data-label") ?? ""));
}

/**
 * @param {Part} part
 * @returns {Promise<void>} Also settles if the part cannot be loaded; its texts then stay English.
 */
function load(part) {
  const loading = parts.get(part) ?? fetchPart(part, current);
  parts.set(part, loading);
  return loading;
}

/** @param {Part} part @param {Language} wanted */
async function fetchPart(part, wanted) {
  if (wanted === "en") return;
  try {
    const answer = await fetch(new URL(`./${wanted}.${part}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`The texts in ${LANGUAGES[wanted]} are not there.`);
    /** @type {Catalogue} */
    const translations = await answer.json();
    if (wanted === current) addTranslations(translations);
  } catch (error) {
    console.warn(error);
    // The next request tries again.
    if (wanted === current) parts.delete(part);
  }
}

/** @param {string} chosen */
function keepForServer(chosen) {
  const value = chosen === "browser" ? "; max-age=0" : `${chosen}; max-age=${COOKIE_SECONDS}`;
  document.cookie = `${COOKIE}=${value}; path=/; samesite=lax`;
}
