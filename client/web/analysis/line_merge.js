/**
 * Merging trees of variations: what the reader and what others have changed since a version that both knew.
 *
 * No DOM. Nothing that one side has added or written is lost: a branch is gone only if one side removed it and the other
 * did not touch it, and a comment that both have changed has the words of both.
 */

import { noteText } from "./movetext.js";

/** @import { Drawing } from "../board/drawings.js" */
/** @import { LineNode } from "./line_tree.js" */

/**
 * Bring the changes of others into the reader's nodes, which stay the same objects.
 * @param {LineNode} mine Changed.
 * @param {LineNode | undefined} base As both knew it; undefined if neither did.
 * @param {LineNode} theirs
 */
export function mergeLines(mine, base, theirs) {
  mine.comment = mergedText(base?.comment ?? "", mine.comment, theirs.comment);
  mine.glyphs = mergedList(base?.glyphs ?? [], mine.glyphs, theirs.glyphs);
  mine.drawings = oneOfEach(mergedList(base?.drawings ?? [], mine.drawings, theirs.drawings));
  const before = base?.children ?? [];
  const [lead, rest] = isReordered(before, mine.children) ? [mine.children, theirs.children] : [theirs.children, mine.children];
  const moves = new Set([...lead, ...rest].map(({ move }) => move));
  mine.children = [...moves].flatMap((move) => {
    const [own, known, other] = [mine.children, before, theirs.children].map((children) => children.find((child) => child.move === move));
    if (own !== undefined && other !== undefined) {
      mergeLines(own, known, other);
      return own;
    }
    const left = /** @type {LineNode} */ (own ?? other);
    if (known !== undefined && !left.isFixed && isSame(left, known)) return [];
    return own ?? copyOf(left, mine);
  });
}

/**
 * @param {string} base
 * @param {string} mine
 * @param {string} theirs
 * @returns {string} With the words that either side has put in, and without those that one has taken out.
 */
export function mergedText(base, mine, theirs) {
  const [old, own, other] = [base, mine, theirs].map((text) => text.split(/\s+/).filter((word) => word !== ""));
  if (own.join(" ") === old.join(" ")) return theirs;
  if ([old, own].some((words) => words.join(" ") === other.join(" "))) return mine;
  const edits = [editOf(old, other), editOf(old, own)].toSorted((one, two) => one.begin - two.begin);
  const [first, second] = edits;
  const end = Math.max(first.end, second.end);
  const between = old.slice(first.end, second.begin);
  const isApart = first.end <= second.begin;
  const both = isApart ? [...first.words, ...between, ...second.words] : edits.flatMap((edit) => [...old.slice(first.begin, edit.begin), ...edit.words, ...old.slice(edit.end, end)]);
  const merged = [...old.slice(0, first.begin), ...both, ...old.slice(end)].join(" ");
  // The reader may be about to write another word.
  return /\s$/.test(mine) ? `${merged} ` : merged;
}

/** @param {string[]} old @param {string[]} words @returns {{ begin: number, end: number, words: string[] }} Which of the old words were replaced, and by what. */
function editOf(old, words) {
  const most = Math.min(old.length, words.length);
  let begin = 0;
  while (begin < most && old[begin] === words[begin]) begin += 1;
  let after = 0;
  while (after < most - begin && old[old.length - 1 - after] === words[words.length - 1 - after]) after += 1;
  return { begin, end: old.length - after, words: words.slice(begin, words.length - after) };
}

/**
 * @template Each
 * @param {readonly Each[]} base
 * @param {readonly Each[]} mine
 * @param {readonly Each[]} theirs
 */
function mergedList(base, mine, theirs) {
  const has = (/** @type {readonly Each[]} */ list, /** @type {Each} */ each) => list.some((other) => JSON.stringify(other) === JSON.stringify(each));
  return [...mine.filter((each) => !has(base, each) && !has(theirs, each)), ...theirs.filter((each) => has(mine, each) || !has(base, each))];
}

/** @param {Drawing[]} drawings @returns {Drawing[]} Without further ones at the same cells in other colours. */
function oneOfEach(drawings) {
  return drawings.filter(({ from, to }, index) => drawings.findIndex((other) => other.from === from && other.to === to) === index);
}

/** @param {LineNode[]} before @param {LineNode[]} now */
function isReordered(before, now) {
  const [old, present] = [before, now].map((children) => children.map(({ move }) => move));
  const stayed = old.filter((move) => present.includes(move));
  return present.filter((move) => old.includes(move)).some((move, index) => move !== stayed[index]);
}

/** @param {LineNode} one @param {LineNode} other @returns {boolean} */
function isSame(one, other) {
  return (
    noteText(one) === noteText(other) &&
    one.children.length === other.children.length &&
    one.children.every((child, index) => child.move === other.children[index].move && isSame(child, other.children[index]))
  );
}

/** @param {LineNode} node @param {LineNode} parent @returns {LineNode} */
function copyOf(node, parent) {
  /** @type {LineNode} */
  const copy = { ...node, parent, children: [] };
  copy.children = node.children.map((child) => copyOf(child, copy));
  return copy;
}
