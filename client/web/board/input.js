/**
 * Pointer, drag and keyboard input on a board, reported as clicks on cells.
 *
 * Pressing an own piece picks it up at once; the reader can drag it or click its destination.
 */

import { later } from "../language/texts.js";

/** @import { Board, BoardHandlers } from "./board.js" */
/** @import { DrawingColour } from "./drawings.js" */
/** @import { Shortcut } from "../shortcuts/shortcuts.js" */
/** @import { Point } from "./layout.js" */

/** Distance in pixels after which a press is a drag. */
const DRAG_FROM = 4;

/** @type {Record<string, Point>} */
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const STEP_KEYS = Object.keys(ARROWS);
const CHOOSE_KEYS = ["Enter", " "];

/** The keys of a board that has the focus, for the sheet of shortcuts. @type {Shortcut[]} */
export const BOARD_SHORTCUTS = [
  { keys: STEP_KEYS, label: later("On the board: go to the next place") },
  { keys: CHOOSE_KEYS, label: later("On the board: choose the place") },
];

/**
 * A press in progress.
 * @typedef {object} Press
 * @property {string} cell
 * @property {boolean} hasClicked Whether the press was already reported as a click.
 * @property {Point} at Where it started, in pixels.
 * @property {boolean} isDrag
 */

/** @param {Board} board @param {BoardHandlers} handlers */
export function listen(board, handlers) {
  const { element } = board;
  /** @type {Press | null} */
  let press = null;

  const drawing = listenForDrawing(board, handlers);

  const cancel = () => {
    drawing.cancel();
    if (press?.isDrag) board.pieces.drag(press.cell, null);
    board.aim(null);
    press = null;
  };

  element.addEventListener("pointerdown", (event) => {
    // A second finger, or a pen beside a mouse.
    cancel();
    if (!event.isPrimary || drawing.begin(event) || event.button !== 0) return;
    const cell = cellOf(board, event);
    if (cell === null) return handlers.drop();
    const hasClicked = board.canPickUp(cell);
    if (hasClicked) handlers.click(cell);
    press = { cell, hasClicked, at: { x: event.clientX, y: event.clientY }, isDrag: false };
  });

  // A finger on a piece drags it instead of the page. Browsers ignore `touch-action` on the parts of a drawing.
  element.addEventListener(
    "touchstart",
    (event) => {
      const cell = event.cancelable && event.touches.length === 1 ? cellOf(board, event.touches[0]) : null;
      if (cell !== null && (board.canPickUp(cell) || board.has(cell, "picked"))) event.preventDefault();
    },
    { passive: false },
  );

  // Mouse clicks do not move the focus, so that the arrow keys still step through the moves.
  element.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });

  element.addEventListener("pointermove", (event) => {
    if (drawing.move(event)) return;
    if (press === null || !board.has(press.cell, "picked")) return;
    const isFar = Math.hypot(event.clientX - press.at.x, event.clientY - press.at.y) >= DRAG_FROM;
    if (!press.isDrag && !isFar) return;
    if (!press.isDrag) element.setPointerCapture(event.pointerId);
    press.isDrag = true;
    board.pieces.drag(press.cell, pointOf(board, event));
    board.aim(cellOf(board, event));
  });

  element.addEventListener("pointerup", (event) => {
    if (drawing.end(event)) return;
    const done = press;
    press = null;
    if (done === null) return;
    const cell = cellOf(board, event);
    if (!done.isDrag) {
      if (!done.hasClicked && cell === done.cell) handlers.click(cell);
      return;
    }
    // The turn may have come meanwhile, and with it other moves.
    if (cell !== null && cell !== done.cell && board.has(done.cell, "picked") && board.canDrop(cell)) handlers.click(cell);
    if (cell === null) handlers.discard?.(done.cell);
    board.pieces.drag(done.cell, null);
    board.aim(null);
  });

  element.addEventListener("pointercancel", cancel);

  // The second finger of a pinch may be beside the board.
  element.addEventListener("touchmove", (event) => event.touches.length > 1 && cancel(), { passive: true });

  // Assistive technology clicks without a pointer.
  element.addEventListener("click", (event) => {
    const cell = cellNameOf(event.target);
    if (event.detail === 0 && cell !== null) handlers.click(cell);
  });

  element.addEventListener("contextmenu", (event) => {
    if (handlers.cancel() || handlers.draw) event.preventDefault();
  });

  element.addEventListener("keydown", (event) => {
    const cell = cellNameOf(event.target);
    // While the reader chooses a number, keys change the number.
    const isChoosing = element.dataset.choosing === "true";
    if (event.altKey || event.ctrlKey || event.metaKey || cell === null || isChoosing) return;
    if (STEP_KEYS.includes(event.key)) board.step(ARROWS[event.key]);
    else if (CHOOSE_KEYS.includes(event.key)) handlers.click(cell);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  element.addEventListener(
    "wheel",
    (event) => {
      if (element.dataset.choosing === "true") {
        event.preventDefault();
        handlers.wheel(-Math.sign(event.deltaY));
      }
    },
    { passive: false },
  );
}

/**
 * Drawing arrows and circles with the right button, or with any pointer while the board is set to drawing. Shift draws
 * in red, Alt in blue, both in yellow.
 * @param {Board} board
 * @param {BoardHandlers} handlers
 */
function listenForDrawing(board, handlers) {
  /** The cell where it began. @type {string | null} */
  let from = null;
  const drawn = (/** @type {PointerEvent} */ event) => {
    const cell = cellOf(board, event);
    const to = cell === from ? null : cell;
    return cell === null || from === null ? null : { colour: colourOf(event), from, to };
  };
  return {
    /** @param {PointerEvent} event @returns {boolean} Whether a drawing begins. */
    begin(event) {
      const isDrawing = event.button === 2 || (event.button === 0 && board.element.dataset.drawing === "true");
      if (!handlers.draw || !isDrawing) return false;
      from = cellOf(board, event);
      if (from !== null) board.element.setPointerCapture(event.pointerId);
      board.drawings.draft(drawn(event));
      return true;
    },
    /** @param {PointerEvent} event */
    move(event) {
      if (from === null) return false;
      board.drawings.draft(drawn(event));
      return true;
    },
    /** @param {PointerEvent} event */
    end(event) {
      if (from === null) return false;
      const done = drawn(event);
      from = null;
      board.drawings.draft(null);
      if (done !== null) handlers.draw?.(done);
      return true;
    },
    cancel() {
      from = null;
      board.drawings.draft(null);
    },
  };
}

/** @param {PointerEvent} event @returns {DrawingColour} */
function colourOf({ shiftKey, altKey }) {
  if (shiftKey) return altKey ? "yellow" : "red";
  return altKey ? "blue" : "green";
}

/** @param {EventTarget | null} target @returns {string | null} */
function cellNameOf(target) {
  const cell = target instanceof Element ? target.closest("[data-cell]") : null;
  return cell?.getAttribute("data-cell") ?? null;
}

/** @param {Board} board @param {PointerEvent | Touch} event @returns {string | null} */
function cellOf(board, event) {
  return board.layout.cellAt(pointOf(board, event));
}

/** @param {Board} board @param {PointerEvent | Touch} event @returns {Point} */
function pointOf(board, event) {
  const matrix = board.element.getScreenCTM()?.inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return { x, y };
}
