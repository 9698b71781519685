/**
 * The texts of a page that are not in the language of tests, in which every text of the catalogues has `opening`: `[]` if
 * there are none. `data` matches what is no text to translate.
 */
({ opening, data }) => {
  const NAMES = ["aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "alt"];
  const isLeft = (text) => !text.includes(opening) && /\p{L}{3}/u.test(text.replaceAll(new RegExp(data, "gu"), ""));
  const isOfDocument = (element) => element.closest("[data-text], [data-label], .skip-link") !== null;
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data: text, parentElement } = texts.currentNode;
    if (isLeft(text) && parentElement.checkVisibility() && !isOfDocument(parentElement)) found.push(`${parentElement.className || parentElement.localName} "${text.trim()}"`);
  }
  for (const name of NAMES) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const text = element.getAttribute(name) ?? "";
      if (isLeft(text) && !isOfDocument(element) && !element.matches(".import-text")) found.push(`${name} "${text}"`);
    }
  }
  return found;
}
