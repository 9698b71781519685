/**
 * The sprites of the looks in pixel art, loaded once a reader has chosen one. Boards refer to them by `<use>`.
 *
 * A pixel is a fourteenth of the distance between neighbours wide, so that the hexagons of a pasture fit together.
 */

import { svgElement } from "../element.js";

/** Pixels between neighbours in a row, and between rows of hexagons. */
const [ACROSS, DOWN] = [14, 12];
const WIDTH = 1 / ACROSS;
const HEIGHT = Math.sqrt(0.75) / DOWN;

/** By the letter in a drawing, the class of its pixels. @type {Record<string, string>} */
const PAINTS = { k: "pixel-rim", l: "pixel-light", b: "pixel-base", d: "pixel-dark", w: "pixel-wool", g: "pixel-shade", f: "pixel-face" };

const MAN = `
..kkkkkk..
.kllllbbk.
klwwlbbbdk
klwlbbbbdk
kllbbbbbdk
klbbbbbbdk
kbbbbbbddk
kbbbbbdddk
.kddddddk.
..kkkkkk..`;

const SHEEP = `
....kkkkkk..
.kkkwwwwwwk.
kwwkwwwwwwwk
ffflwwwwwwwk
fwfflwwwwwwk
fffflwwwwwgk
.ff.lwwwwwgk
....kgggggk.
....kkkkkkk.
....f.f.f.f.`;

/** The emblems on sheep, by colour. @type {Record<string, string>} */
const EMBLEMS = {
  white: ".kkk. k...k k...k k...k .kkk.",
  black: ".kkk. k...k k.k.k k...k .kkk.",
  red: "..b.. .bbb. .bbb. bbbbb bbbbb",
  blue: "bbbbb bbbbb bbbbb bbbbb bbbbb",
  green: "..b.. .bbb. bbbbb .bbb. ..b..",
  yellow: ".bbb. bbbbb bbbbb bbbbb .bbb.",
};

/** Draw the sprites, unless they are there. */
export function drawSprites() {
  const fillings = document.querySelector(".fillings defs");
  if (fillings === null || document.getElementById("pixel-man") !== null) return;
  fillings.append(
    drawing("pixel-man", MAN),
    drawing("pixel-sheep", SHEEP),
    ...Object.entries(EMBLEMS).map(([colour, text]) => drawing(`pixel-${colour}`, text)),
    svgElement("path", { id: "pixel-shade", d: pathOf(field(3)) }),
    svgElement("g", { id: "pixel-hedge" }, svgElement("path", { class: "hedge-rim", d: pathOf(field(3)) }), svgElement("path", { d: pathOf(field(2)) }), svgElement("path", { class: "hedge-rim", d: pathOf(leaves(field(2))) })),
    svgElement("g", { id: "pixel-field" }, svgElement("path", { d: pathOf(field(0)) }), svgElement("path", { class: "pixel-grass", d: pathOf(GRASS) })),
  );
}

/** @param {string} id @param {string} text Rows of letters. */
function drawing(id, text) {
  const rows = text.trim().split(/\s/);
  const [left, top] = [-rows[0].length / 2, -rows.length / 2];
  const paths = Object.entries(PAINTS).map(([letter, name]) => {
    const pixels = rows.flatMap((row, y) => [...row].flatMap((each, x) => (each === letter ? [[left + x, top + y]] : [])));
    return svgElement("path", { class: name, d: pathOf(pixels) });
  });
  return svgElement("g", { id }, ...paths);
}

/** Blades of grass on a field, in pixels from its middle. */
const GRASS = [[-4, -3], [-3, -4], [3, -4], [4, -5], [4, 2], [5, 1], [-5, 3], [-4, 2]];

/**
 * The pixels nearest to the middle of a hexagon, and those at most so many away from them.
 * @param {number} margin In pixels.
 * @returns {number[][]}
 */
function field(margin) {
  const pixels = [];
  for (let y = -DOWN; y < DOWN; y += 1) {
    for (let x = -ACROSS; x < ACROSS; x += 1) if (isNear(x, y, margin)) pixels.push([x, y]);
  }
  return pixels;
}

/** @param {number} x @param {number} y @param {number} margin */
function isNear(x, y, margin) {
  // Moved by less than a pixel, so that none lies between two fields.
  const [across, down] = [(x + 0.501) * WIDTH, (y + 0.5002) * HEIGHT];
  const reach = 0.5 + margin * WIDTH;
  return [0, 60, 120, 180, 240, 300].every((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return across * Math.cos(angle) + down * Math.sin(angle) <= reach;
  });
}

/** Some of the pixels, as leaves in the shade. @param {number[][]} pixels */
function leaves(pixels) {
  return pixels.filter(([x, y]) => (x * 3 + y * 5 + 99) % 7 === 0);
}

/** @param {number[][]} pixels */
function pathOf(pixels) {
  return pixels.map(([x, y]) => `M${(x * WIDTH).toFixed(4)} ${(y * HEIGHT).toFixed(4)}h${WIDTH.toFixed(4)}v${HEIGHT.toFixed(4)}h-${WIDTH.toFixed(4)}z`).join("");
}
