/**
 * Creating DOM and SVG elements in one expression.
 *
 * The content security policy forbids inline handlers and `style` attributes, so handlers are functions under names that
 * start with `on`.
 */

import { whileBusy } from "./busy.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | undefined | ((event: any) => void)} AttributeValue */
/** @typedef {{ [name: string]: AttributeValue }} Attributes */
/** @typedef {Node | string | null} Child */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/**
 * A button; its `type` keeps it from submitting forms by accident.
 *
 * If `press` returns a promise, the button is busy until it settles: it shows that it was pressed, and takes no second
 * press.
 * @param {Child} label
 * @param {() => unknown} press
 * @param {Attributes} [attributes]
 */
export function button(label, press, attributes = {}) {
  const node = element("button", { type: "button", class: "button", onclick: () => whileBusy(node, press), ...attributes }, label);
  return node;
}

/**
 * A form that does not load another page when it is submitted; it is busy like a button.
 * @param {Attributes} attributes
 * @param {() => unknown} submit
 * @param {...Child} children
 */
export function form(attributes, submit, ...children) {
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    whileBusy(node, submit);
  };
  const node = element("form", { ...attributes, onsubmit }, ...children);
  return node;
}

/**
 * Hide an element or show it. An attribute that is set again, even to what it is, makes the browser work out the styles
 * anew; so what changes many times a second is hidden by this.
 * @param {HTMLElement} node
 * @param {boolean} isHidden
 */
export function hide(node, isHidden) {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/**
 * @template {Element} Node
 * @param {Node} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {Node}
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}
