/**
 * What is wrong with where the page's texts and controls are, as sentences: `[]` if nothing is.
 *
 * Texts and controls of one layer must not overlap, nothing readable is cut off, and what is fixed to the window hides
 * nothing at the end of the page.
 */
() => {
  // Fonts reserve room above and below their letters, in which lines may touch.
  const SLACK_PX = 3;
  const BORDER_PX = 1.5;
  /** Between buttons side by side. */
  const GAP_PX = 2;
  const CONTROLS = "button, a.button, input, select, textarea, summary";
  const IGNORED = "svg, option, .visually-hidden, .skip-link, .toasts, .language-choice, .board, .reveal";

  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(IGNORED);
  const nameOf = (element) => `${element.className || element.localName} "${(element.innerText || element.value || "").trim().slice(0, 40)}"`;
  const layerOf = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const { position } = getComputedStyle(each);
      if (position === "fixed" || position === "sticky" || each.matches("dialog, .bell-panel, .folded .site-links, .account-panel")) return each;
    }
    return document.body;
  };

  /** The part of a box that its ancestors show; null if none. */
  const shownPart = (box, element) => {
    let { left, top, right, bottom } = box;
    for (let each = element; each !== null && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, clipPath } = getComputedStyle(each);
      if (clipPath !== "none") return null;
      const frame = each.getBoundingClientRect();
      if (overflowX !== "visible") [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (overflowY !== "visible") [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };

  const items = [];
  const add = (box, element, isControl) => {
    const shown = shownPart(box, element);
    if (shown !== null) items.push({ box, shown, element, isControl, layer: layerOf(element) });
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === "" || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const box of range.getClientRects()) if (box.width > 1) add(box, element, false);
  }
  for (const element of document.querySelectorAll(CONTROLS)) {
    const isOverPicture = element.matches("input") && getComputedStyle(element).opacity === "0";
    if (isSeen(element) && !isOverPicture) add(element.getBoundingClientRect(), element, true);
  }

  const problems = new Set();
  for (const [index, one] of items.entries()) {
    for (const other of items.slice(index + 1)) {
      if (one.layer !== other.layer || one.element === other.element) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.shown.right, other.shown.right) - Math.max(one.shown.left, other.shown.left);
      const height = Math.min(one.shown.bottom, other.shown.bottom) - Math.max(one.shown.top, other.shown.top);
      const slack = one.isControl && other.isControl ? BORDER_PX : SLACK_PX;
      if (width > BORDER_PX && height > slack) problems.add(`${nameOf(one.element)} lies on ${nameOf(other.element)}`);
    }
  }
  const controls = items.filter(({ isControl, element }) => isControl && element.matches(".button:not(.step)"));
  for (const one of controls) {
    for (const other of controls) {
      if (one.element.parentElement !== other.element.parentElement || one.shown.top >= other.shown.bottom || other.shown.top >= one.shown.bottom) continue;
      const gap = other.shown.left - one.shown.right;
      if (gap > -GAP_PX && gap < GAP_PX) problems.add(`${nameOf(one.element)} touches ${nameOf(other.element)}`);
    }
  }
  for (const { box, shown, element, isControl } of items) {
    if (isControl && (shown.left > box.left + 1 || shown.right < box.right - 1) && !isScrolled(element)) problems.add(`${nameOf(element)} is cut off by what it is in`);
    if (isControl && element.scrollWidth > element.clientWidth + 1 && !element.matches("input, select, textarea")) problems.add(`${nameOf(element)} has more text than room`);
    if ((shown.right > innerWidth + 1 || shown.left < -1) && !isScrolled(element)) problems.add(`${nameOf(element)} leaves the window`);
    if (isCut(element)) problems.add(`${nameOf(element)} is cut short`);
  }
  return [...problems];

  function isScrolled(element) {
    for (let each = element.parentElement; each !== null; each = each.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1) return true;
    }
    return false;
  }

  function isCut(element) {
    for (let each = element; each !== null && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(each);
      if (each.matches("input, select, textarea")) return false;
      if ((overflowX === "hidden" || overflowX === "clip") && each.scrollWidth > each.clientWidth + 1) return textOverflow !== "ellipsis";
      if (overflowX === "auto" || overflowX === "scroll") return false;
    }
    return false;
  }
}
