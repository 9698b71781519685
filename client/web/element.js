/**
 * Creating DOM and SVG elements in one expression.
 *
 * The content security policy forbids inline handlers and `style` attributes, so handlers are functions under names that
 * start with `on`.
 */

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
 * @param {Child} label
 * @param {() => void} press
 * @param {Attributes} [attributes]
 */
export function button(label, press, attributes = {}) {
  return element("button", { type: "button", class: "button", onclick: press, ...attributes }, label);
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
