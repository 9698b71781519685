/**
 * Texts in the reader's language. A text is looked up by its English wording, as in gettext; without a translation it
 * stays English. No DOM but for `gettextNodes`.
 *
 * The messages in calls of these functions are string literals, because `tools/languages` collects them.
 */

import { parsePluralRule } from "./plural_rule.js";

/** @import { PluralRule } from "./plural_rule.js" */

/** A text, or its plural forms. @typedef {string | string[]} Translation */
/** Translations by message; a message with a context begins with it and `CONTEXT_END`. @typedef {{ [message: string]: Translation }} Catalogue */
/** @typedef {{ [name: string]: string | number }} Values */

const CONTEXT_END = "\u0004";
/** The key of the rule that says which plural form is for a number. */
const PLURAL_RULE = "";
const PLACEHOLDER = /\{(\w+)\}/;

/** @type {Catalogue} */
let catalogue = {};
/** Grows whenever texts may have changed. */
let version = 0;
let isEnglish = true;
/** @type {PluralRule} */
let formOf = () => 0;
let numbers = numberFormat("en");
let percents = percentFormat("en");
let lists = listFormat("en");
let language = "en";

/**
 * Use a language from now on; until `addTranslations`, its texts are English.
 * @param {string} locale The language, with the reader's region if that is known.
 */
export function useLocale(locale) {
  catalogue = {};
  isEnglish = locale.startsWith("en");
  language = locale;
  version += 1;
  numbers = numberFormat(locale);
  percents = percentFormat(locale);
  lists = listFormat(locale);
}

/** @param {Catalogue} translations Of the language in use. */
export function addTranslations(translations) {
  catalogue = { ...catalogue, ...translations };
  const rule = translations[PLURAL_RULE];
  if (typeof rule === "string") formOf = parsePluralRule(rule);
  version += 1;
}

/** @returns {number} A new number whenever texts may have changed. */
export function textsVersion() {
  return version;
}

/** @param {string} message In English, with `{name}` where a value is to stand. @param {Values} [values] */
export function gettext(message, values) {
  return fill(find(message), values);
}

/**
 * A message that is translated differently where it means something else.
 * @param {string} context What it means here.
 * @param {string} message
 * @param {Values} [values]
 */
export function pgettext(context, message, values) {
  return fill(find(context + CONTEXT_END + message, message), values);
}

/**
 * @param {string} one The English singular.
 * @param {string} many The English plural.
 * @param {number} count Stands for `{count}`.
 * @param {Values} [values]
 */
export function ngettext(one, many, count, values) {
  const found = catalogue[one];
  const form = typeof found === "object" ? found[formOf(count)] : count === 1 ? one : many;
  return fill(form, { ...values, count });
}

/**
 * Whether a message is in the catalogue; in English, every message is.
 * @param {string} message
 * @param {string} [context]
 */
export function isKnown(message, context) {
  return isEnglish || Object.hasOwn(catalogue, context === undefined ? message : context + CONTEXT_END + message);
}

/**
 * Mark a message that is translated when it is shown, such as one in a constant.
 * @template {string} Message
 * @param {Message} message
 * @returns {Message} The message as it is.
 */
export function later(message) {
  return message;
}

/**
 * A text in which elements stand for names.
 * @param {string} message
 * @param {{ [name: string]: Node | string }} nodes
 * @returns {(Node | string)[]}
 */
export function gettextNodes(message, nodes) {
  // Every other part is the name of a placeholder.
  const parts = find(message).split(PLACEHOLDER);
  return parts.map((part, index) => (index % 2 === 1 ? (nodes[part] ?? `{${part}}`) : part)).filter((part) => part !== "");
}

/** @param {number} number @returns {string} As the reader writes it. */
export function numberText(number) {
  return numbers.format(number);
}

/** @param {number} number @param {number} digits After the decimal sign. @returns {string} `1.50`. */
export function decimalText(number, digits) {
  return number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

/** @param {number} share From 0 to 1. @returns {string} `52%`. */
export function percentText(share) {
  return percents.format(share);
}

/** @param {readonly string[]} words @returns {string} `Red, Blue and Green`. */
export function listText(words) {
  return lists.format(words);
}

/** @param {string} key @param {string} [message] @returns {string} */
function find(key, message = key) {
  const found = key !== PLURAL_RULE && Object.hasOwn(catalogue, key) ? catalogue[key] : message;
  return typeof found === "string" ? found : message;
}

/** @param {string} text @param {Values} [values] */
function fill(text, values) {
  if (values === undefined) return text;
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? numberText(value) : value;
  });
}

/** @param {string} locale */
function numberFormat(locale) {
  // Four digits stay together, as in a rating.
  return new Intl.NumberFormat(locale, { useGrouping: "min2", maximumFractionDigits: 2 });
}

/** @param {string} locale */
function percentFormat(locale) {
  return new Intl.NumberFormat(locale, { style: "percent" });
}

/** @param {string} locale */
function listFormat(locale) {
  // Without the comma before "and" that American English has.
  return new Intl.ListFormat(locale.startsWith("en") ? "en-GB" : locale);
}
