/**
 * Trees of variations as text, as other programs write them: `d6 $1 {good} f4 (a7 $2 d2) d2`.
 *
 * No DOM. Drawings stand in comments: `[%csl Gd6]` is a green circle, `[%cal Rd6-f4]` a red arrow. The server checks the
 * moves and writes their numbers.
 */

/** @import { Drawing, DrawingColour } from "../board/drawings.js" */
/** @import { LineNode, LineTree } from "./line_tree.js" */

const TOKEN = /\{([^}]*)\}|([()])|\$(\d+)|[^\s{}()$]+/g;
const NUMBER = /^\d*(?:\.|…)+/;
const DRAWINGS = /\[%c[sa]l\s+([^\]]*)\]/g;
/** @type {Record<string, DrawingColour>} */
const COLOURS = { G: "green", R: "red", B: "blue", Y: "yellow" };

/** @param {LineTree} tree */
export function movetextOf({ root }) {
  return [noteText(root), ...tokensAfter(root)].filter((token) => token !== "").join(" ");
}

/**
 * Add the moves, comments, glyphs and drawings of a text to a tree.
 * @param {LineTree} tree
 * @param {string} text
 * @param {LineNode} [start] Where the text begins.
 */
export function addMovetext(tree, text, start = tree.root) {
  /** The nodes where the open variations continue, and what replaces the first move of each. @type {LineNode[]} */
  const open = [];
  let node = start;
  /** A comment before the first move of a variation. */
  let early = "";
  for (const [token, comment, bracket, glyph] of text.matchAll(TOKEN)) {
    if (bracket === "(") {
      open.push(node);
      node = node.parent ?? start;
      early = "";
    } else if (bracket === ")") node = open.pop() ?? node;
    else if (comment !== undefined) {
      if (open.length > 0 && node === (open.at(-1)?.parent ?? start)) early = comment;
      else takeNote(node, `{${comment}}`);
    } else if (glyph !== undefined) takeNote(node, `$${glyph}`);
    else {
      const move = token.replace(NUMBER, "");
      if (move === "") continue;
      node = tree.add(node, move);
      if (early !== "") takeNote(node, `{${early}}`);
      early = "";
    }
  }
}

/** @param {LineNode} node @returns {string} Its glyphs and comment with drawings; empty if it has none. */
export function noteText({ comment, glyphs, drawings }) {
  const circles = drawings.filter(({ to }) => to === null).map(({ colour, from }) => letterOf(colour) + from);
  const arrows = drawings.filter(({ to }) => to !== null).map(({ colour, from, to }) => `${letterOf(colour)}${from}-${to}`);
  const parts = [circles.length === 0 ? "" : `[%csl ${circles.join(",")}]`, arrows.length === 0 ? "" : `[%cal ${arrows.join(",")}]`, comment.replaceAll(/[{}]/g, "").trim()];
  const inside = parts.filter((part) => part !== "").join(" ");
  return [...glyphs.map((glyph) => `$${glyph}`), ...(inside === "" ? [] : [`{${inside}}`])].join(" ");
}

/** Give a node the glyphs, comment and drawings of a text. @param {LineNode} node @param {string} note */
export function takeNote(node, note) {
  for (const [, comment, , glyph] of note.matchAll(TOKEN)) {
    if (glyph !== undefined && !node.glyphs.includes(Number(glyph))) node.glyphs = [...node.glyphs, Number(glyph)];
    if (comment === undefined) continue;
    const words = comment.replaceAll(DRAWINGS, " ").replaceAll(/\s+/g, " ").trim();
    if (words !== "" && !node.comment.includes(words)) node.comment = node.comment === "" ? words : `${node.comment} ${words}`;
    const drawn = [...comment.matchAll(DRAWINGS)].flatMap(([, list]) => list.split(",")).flatMap((each) => drawingOf(each.trim()) ?? []);
    node.drawings = [...node.drawings, ...drawn.filter((each) => !node.drawings.some((known) => known.from === each.from && known.to === each.to))];
  }
}

/** @param {LineNode} node @returns {string[]} */
function tokensAfter(node) {
  /** @type {string[]} */
  const tokens = [];
  for (let at = node; at.children.length > 0; at = at.children[0]) {
    const [main, ...others] = at.children;
    tokens.push(main.move, noteText(main));
    for (const other of others) tokens.push(`(${[other.move, noteText(other), ...tokensAfter(other)].filter((token) => token !== "").join(" ")})`);
  }
  return tokens;
}

/** @param {string} text @returns {Drawing | null} */
function drawingOf(text) {
  const [from, to = null] = text.slice(1).split("-");
  const colour = COLOURS[text[0]];
  return colour === undefined || from === "" ? null : { colour, from, to };
}

/** @param {DrawingColour} colour */
function letterOf(colour) {
  return colour[0].toUpperCase();
}
