/** The links of the site, in a menu if one row cannot hold them, depending on the window and the language. */

import { element } from "./element.js";
import { icon } from "./icons.js";
import { languageSelect } from "./language/language_select.js";

/** Below this width the text is large for the window: a phone of 320 pixels has 20 rem, and 10 with text of 200 %. */
const LARGE_TEXT_REM = 15;

/** Pages that belong to a page of the menu, by the beginnings of their addresses. @type {[RegExp, string][]} */
const PARTS = [
  [/^\/(storm|race|endings|mistakes|coordinates)\b/, "/puzzles"],
  [/^\/(editor|study|studies)\b/, "/analysis"],
];

/** Mark the link to the shown page, or to the page that it belongs to, such as the players' page for a profile. @param {string} path */
export function markCurrent(path) {
  const page = PARTS.find(([part]) => part.test(path))?.[1] ?? path;
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#site-links a"))) {
    if (page.startsWith(link.pathname.replace(/s$/, ""))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Connect the button with the links, add the language select, and fold the links if they do not fit. */
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
  const header = /** @type {HTMLElement} */ (toggle.parentElement);
  const resizes = new ResizeObserver(() => {
    const { classList } = document.documentElement;
    classList.toggle("large-text", innerWidth < LARGE_TEXT_REM * parseFloat(getComputedStyle(document.documentElement).fontSize));
    header.classList.remove("unmeasured", "tight", "folded");
    for (const way of ["tight", "folded"]) {
      if (links.scrollWidth > links.clientWidth) header.classList.add(way);
    }
  });
  for (const part of [header, ...header.children, ...links.children]) resizes.observe(part);
}
