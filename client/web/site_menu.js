/**
 * The button that shows the links of the site in a narrow window, where one row cannot hold them.
 */

import { element } from "./element.js";
import { icon } from "./icons.js";
import { languageSelect } from "./language/language_select.js";

/** Connect the button with the links, and add the choice of a language to them. */
export function openSiteMenu() {
  const toggle = /** @type {HTMLElement} */ (document.getElementById("site-menu"));
  const links = /** @type {HTMLElement} */ (document.getElementById("site-links"));
  links.append(element("span", { class: "language-choice" }, icon("language"), languageSelect()));
  const open = (/** @type {boolean} */ isOpen) => {
    toggle.setAttribute("aria-expanded", String(isOpen));
    links.classList.toggle("open", isOpen);
  };
  toggle.addEventListener("click", () => open(!links.classList.contains("open")));
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !toggle.contains(target) && !(target instanceof HTMLSelectElement)) open(false);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !links.classList.contains("open")) return;
    open(false);
    toggle.focus();
  });
}
