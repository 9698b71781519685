/**
 * The pieces on a board: each is drawn once, then moved, flipped or faded as positions change.
 *
 * Moves are inferred from two positions: a piece that left a cell goes to the nearest cell where a piece of its seat
 * appeared. The style sheets animate it.
 */

import { svgElement } from "../element.js";
import { isStill } from "../preferences.js";
import { NOBODY } from "../protocol.js";
import { EMPTY } from "./position.js";
import { drawSheep } from "./sheep.js";

/** @import { Pile, Position } from "./position.js" */
/** @import { Layout, Point } from "./layout.js" */

export const PIECE_RADIUS = 0.37;
/** How long a piece moves. */
export const MOVE_MS = 240;
/** The size of a piece beside the board, as a part of its size on it. */
const TRAY_SCALE = 0.4;

/** Where a seat's pieces lie beside the board: those in hand, and those it has taken. @typedef {"hand" | "taken"} Tray */

/** Emblems on pieces, so that colours also differ by shape. @type {Record<string, string>} */
const EMBLEMS = {
  white: "M-.2 0A.2 .2 0 1 0 .2 0A.2 .2 0 1 0-.2 0Z",
  black: "M-.23 0A.23 .23 0 1 0 .23 0A.23 .23 0 1 0-.23 0ZM-.12 0A.12 .12 0 1 0 .12 0A.12 .12 0 1 0-.12 0Z",
  red: "M0-.25L.23 .15L-.23 .15Z",
  blue: "M-.19-.19H.19V.19H-.19Z",
  green: "M0-.27L.27 0L0 .27L-.27 0Z",
  yellow: "M-.13-.24H.13L.26 0L.13 .24H-.13L-.26 0Z",
};

/** The emblem of a colour. @param {string} colour @returns {string} Path data centred on the origin. */
export function emblemOf(colour) {
  return EMBLEMS[colour] ?? EMBLEMS.white;
}

/** @typedef {{ node: SVGGElement, number: SVGTextElement, pile: Pile }} Piece */

export class Pieces {
  /** @type {Layout} */
  #layout;
  /** @type {Position} */
  #position = EMPTY;
  /** @type {Map<string, Piece>} */
  #byCell = new Map();
  /** The seat whose piece moved last. */
  #mover = NOBODY;

  /**
   * @param {Layout} layout
   * @param {(seat: number) => string} colourOf
   * @param {(seat: number, tray: Tray) => Point | null} trayOf Null if the tray is not shown.
   */
  constructor(layout, colourOf, trayOf) {
    this.#layout = layout;
    this.colourOf = colourOf;
    this.trayOf = trayOf;
    this.node = svgElement("g", { class: "pieces", "aria-hidden": "true" });
    this.node.style.setProperty("--move-time", `${MOVE_MS}ms`);
    this.node.addEventListener("animationend", (event) => {
      if (event.target instanceof Element) event.target.parentElement?.classList.remove("arriving", "flipped");
    });
  }

  /**
   * Show a position.
   * @param {Position} position
   * @param {boolean} isSudden Whether to skip animations, as at first or after a drag.
   * @returns {boolean} Whether pieces move now.
   */
  show(position, isSudden) {
    this.node.classList.toggle("sudden", isSudden);
    const cells = new Set([...this.#position.piles.keys(), ...position.piles.keys()]);
    const left = [...cells].filter((cell) => this.#byCell.has(cell) && !position.piles.has(cell));
    const came = [...cells].filter((cell) => !this.#byCell.has(cell) && position.piles.has(cell));
    const isMoving = left.length + came.length > 0 && !isSudden && !isStill();
    for (const cell of came) this.#come(cell, /** @type {Pile} */ (position.piles.get(cell)), left, position);
    for (const cell of left) this.#leave(cell, isMoving, position);
    for (const [cell, piece] of this.#byCell) this.#dress(piece, /** @type {Pile} */ (position.piles.get(cell)));
    this.#position = position;
    return isMoving;
  }

  /**
   * Move the piece on a cell to the pointer; without a point it returns.
   * @param {string} cell
   * @param {Point | null} point
   */
  drag(cell, point) {
    const piece = this.#byCell.get(cell);
    if (piece === undefined) return;
    piece.node.classList.toggle("dragged", point !== null);
    raise(piece.node);
    place(piece.node, point ?? this.#layout.at(cell));
  }

  /**
   * @param {string} cell
   * @param {Pile} pile
   * @param {string[]} left Cells whose pieces left; the one used here is removed.
   * @param {Position} position
   */
  #come(cell, pile, left, position) {
    this.#mover = pile.seat;
    const distance = (/** @type {string} */ from) => this.#distance(from, cell);
    const mates = left.filter((from) => this.#byCell.get(from)?.pile.seat === pile.seat);
    const [nearest] = mates.sort((one, other) => distance(one) - distance(other));
    if (nearest === undefined) {
      this.#byCell.set(cell, this.#appear(cell, pile, position));
      return;
    }
    left.splice(left.indexOf(nearest), 1);
    const piece = /** @type {Piece} */ (this.#byCell.get(nearest));
    this.#byCell.delete(nearest);
    this.#byCell.set(cell, piece);
    raise(piece.node);
    piece.node.classList.remove("dragged");
    place(piece.node, this.#layout.at(cell));
  }

  /**
   * A new piece: split off a pile that became smaller, or from the hand.
   * @param {string} cell
   * @param {Pile} pile
   * @param {Position} position
   * @returns {Piece}
   */
  #appear(cell, pile, position) {
    const number = svgElement("text", { class: "size" });
    const node = svgElement("g", { class: "piece" }, this.#draw(pile), number);
    const piece = { node, number, pile: { seat: -1, size: 0 } };
    const source = [...this.#byCell.keys()].find((from) => {
      const [before, after] = [this.#position.piles.get(from), position.piles.get(from)];
      return before?.seat === pile.seat && after?.seat === pile.seat && before.size > after.size;
    });
    const isFromHand = source === undefined && reserveOf(position, pile.seat) < reserveOf(this.#position, pile.seat);
    const hand = isFromHand ? this.trayOf(pile.seat, "hand") : null;
    if (source !== undefined) place(node, this.#layout.at(source));
    else place(node, hand ?? this.#layout.at(cell), hand === null ? 1 : TRAY_SCALE);
    this.node.append(node);
    if (source === undefined && hand === null) node.classList.add("arriving");
    else {
      node.getBoundingClientRect(); // First laid out at its origin, so that it slides from there.
      place(node, this.#layout.at(cell));
    }
    return piece;
  }

  /**
   * Take a piece off the board: back to the hand if it was placed by a move that is undone, else to the pieces of the
   * seat that took it.
   * @param {string} cell
   * @param {boolean} isMoving Whether to animate it.
   * @param {Position} position
   */
  #leave(cell, isMoving, position) {
    const { node, pile } = /** @type {Piece} */ (this.#byCell.get(cell));
    this.#byCell.delete(cell);
    if (!isMoving) return node.remove();
    const isUndone = reserveOf(position, pile.seat) > reserveOf(this.#position, pile.seat);
    const tray = isUndone ? this.trayOf(pile.seat, "hand") : this.#mover === pile.seat ? null : this.trayOf(this.#mover, "taken");
    node.classList.add(tray === null ? "leaving" : "taken-off");
    if (tray !== null) {
      raise(node);
      place(node, tray, TRAY_SCALE);
    }
    setTimeout(() => node.remove(), MOVE_MS);
  }

  /** @param {Piece} piece @param {Pile} pile */
  #dress(piece, pile) {
    const { node, number } = piece;
    if (piece.pile.seat !== pile.seat) {
      if (piece.pile.seat >= 0) {
        node.firstElementChild?.replaceWith(this.#draw(pile));
        node.classList.remove("flipped");
        node.getBoundingClientRect(); // The animation starts over even if one is running.
        node.classList.add("flipped");
      }
      node.dataset.colour = this.colourOf(pile.seat);
    }
    number.textContent = pile.size > 1 ? String(pile.size) : "";
    node.classList.toggle("stack", pile.size > 1);
    piece.pile = pile;
  }

  /** @param {Pile} pile */
  #draw(pile) {
    return drawPiece(this.colourOf(pile.seat), this.#layout.shape === "hexes");
  }

  /** @param {string} one @param {string} other */
  #distance(one, other) {
    const [from, to] = [this.#layout.at(one), this.#layout.at(other)];
    return Math.hypot(from.x - to.x, from.y - to.y);
  }
}

/**
 * One piece, centred on the origin.
 * @param {string} colour
 * @param {boolean} [isSheep] Whether it has wool and a head, for pastures.
 * @returns {SVGGElement}
 */
export function drawPiece(colour, isSheep = false) {
  if (isSheep) return drawSheep(colour, emblemOf(colour));
  return svgElement(
    "g",
    { class: `man ${colour}` },
    svgElement("ellipse", { class: "shade", cx: 0.015, cy: 0.05, rx: PIECE_RADIUS, ry: PIECE_RADIUS }),
    svgElement("circle", { class: "body", r: PIECE_RADIUS, fill: `url(#man-${colour})` }),
    svgElement("path", { class: "emblem", d: emblemOf(colour) }),
    svgElement("use", { class: "pixels", href: "#pixel-man" }),
  );
}

/**
 * A disc, which looks in pixel art make a square.
 * @param {string} name Of its class.
 * @param {number} radius
 * @param {Point} [middle]
 */
export function disc(name, radius, { x, y } = { x: 0, y: 0 }) {
  return svgElement("rect", { class: name, x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, rx: radius });
}

/** @param {string} colour @param {string} name Of its class. @returns {SVGSVGElement} */
export function drawMan(colour, name) {
  return svgElement("svg", { class: name, viewBox: "-.44 -.44 .88 .9", "aria-hidden": "true" }, drawPiece(colour));
}

/** The gradients for pieces and boards; the style sheets set their colours. @returns {SVGSVGElement} */
export function drawFillings() {
  const stops = () => [0, 1].map((offset) => svgElement("stop", { offset, class: `stop-${offset}` }));
  const men = Object.keys(EMBLEMS).map((colour) => {
    const spot = { id: `man-${colour}`, class: `filling ${colour}`, cx: 0.38, cy: 0.32, r: 0.75 };
    return svgElement("radialGradient", spot, ...stops());
  });
  const plate = { id: "plate", class: "filling plate", x1: 0, y1: 0, x2: 1, y2: 1 };
  return svgElement(
    "svg",
    { class: "fillings", width: 0, height: 0, "aria-hidden": "true" },
    svgElement("defs", {}, ...men, svgElement("linearGradient", plate, ...stops())),
  );
}

/**
 * Bring a piece to the front. The others move behind it, because a node that moves in the DOM loses its transition.
 * @param {SVGGElement} node
 */
function raise(node) {
  while (node.nextSibling !== null) node.before(node.nextSibling);
}

/** @param {SVGGElement} node @param {Point} point @param {number} [scale] */
function place(node, { x, y }, scale = 1) {
  node.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

/** @param {Position} position @param {number} seat */
function reserveOf({ reserves }, seat) {
  return reserves[seat] ?? 0;
}
