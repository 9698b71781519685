/**
 * The opening explorer: the moves that matches and the book have tried in the shown position, with their results.
 *
 * It only shows and reports clicks; `openings.js` asks the server. While closed, it sends no requests.
 */

import { button, element } from "../element.js";
import { dateText } from "../dates.js";
import { gameText } from "../language/game_texts.js";
import { gettext, ngettext, numberText, percentText } from "../language/texts.js";
import { playerName } from "../match/match_texts.js";
import { recall, remember } from "../storage.js";
import { OpeningPractice } from "./opening_practice.js";
import { OpeningSearch } from "./openings.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, OpeningExplored, OpeningMove, PastMatch } from "../protocol.js" */
/** @import { Practice } from "./opening_practice.js" */
/** @import { LineNode } from "./line_tree.js" */
/** @import { PositionCache } from "./position_cache.js" */

const OPEN_KEY = "millrace.openings";
const PEOPLE_KEY = "millrace.openings.people";

/**
 * @typedef {object} OpeningHandlers
 * @property {(moves: readonly string[]) => void} play
 * @property {(practice: Practice) => unknown} practise
 */
/**
 * How to show a position.
 * @typedef {object} OpeningLook
 * @property {boolean} isQuiet Whether it must stay hidden.
 * @property {number} seats
 * @property {(seat: number) => string} nameOf
 * @property {GameInfo | undefined} game
 */

export class OpeningPanel {
  #search;
  #practice;
  #name = element("p", { class: "opening-name" });
  #people;
  #table = element("table", { class: "opening-moves" });
  #note = element("p", { class: "note" });
  #matches = element("ul", { class: "opening-matches", "aria-label": gettext("Latest matches") });
  #key = "";
  /** @type {[PositionCache, LineNode] | null} */
  #asked = null;

  /**
   * @param {Connection} connection
   * @param {OpeningHandlers} handlers
   * @param {() => void} changed Called when the panel must be shown again.
   */
  constructor(connection, handlers, changed) {
    this.handlers = handlers;
    this.#search = new OpeningSearch(connection, changed);
    this.#search.isForPeople = recall(PEOPLE_KEY) === "yes";
    this.#practice = new OpeningPractice(connection, handlers.practise);
    this.#people = element("input", { type: "checkbox", checked: this.#search.isForPeople, onchange: () => this.#chooseMatches() });
    this.element = element(
      "details",
      { class: "opening-panel", open: recall(OPEN_KEY) !== "closed", ontoggle: () => this.#toggle() },
      element("summary", {}, gettext("Openings")),
      this.#name,
      this.#table,
      this.#note,
      this.#matches,
      element("label", { class: "opening-filter" }, this.#people, gettext("Only matches between people")),
      this.#practice.element,
    );
  }

  /** Ask about a position, unless the panel is closed. @param {PositionCache} cache @param {LineNode} node */
  ask(cache, node) {
    this.#asked = [cache, node];
    if (this.element.open) this.#search.ask(cache, node);
  }

  /** @param {LineNode} node @param {OpeningLook} look */
  show(node, look) {
    this.element.hidden = look.isQuiet;
    this.#practice.show(look.game, look.seats, look.nameOf);
    const told = this.#search.found(node);
    const { refusal } = this.#search;
    const key = JSON.stringify([told?.id, refusal, look.seats, look.game?.name, this.#search.isForPeople]);
    if (key === this.#key) return;
    this.#key = key;
    this.#draw(told, refusal, look);
  }

  /**
   * @param {OpeningExplored | null} told Null until the server has answered.
   * @param {string} refusal
   * @param {OpeningLook} look
   */
  #draw(told, refusal, look) {
    const moves = told?.moves ?? [];
    this.#name.textContent = gameText(look.game, told?.opening ?? "");
    this.#name.hidden = !told?.opening;
    this.#table.hidden = moves.length === 0;
    this.#table.replaceChildren(headOf(), element("tbody", {}, ...moves.map((move) => this.#row(move, /** @type {OpeningExplored} */ (told), look))));
    this.#note.textContent = refusal || (told !== null && moves.length === 0 ? gettext("No match has reached this position yet.") : "");
    this.#note.hidden = this.#note.textContent === "";
    this.#matches.hidden = !told?.matches.length;
    this.#matches.replaceChildren(...(told?.matches ?? []).map(matchLine));
  }

  /** @param {OpeningMove} move @param {OpeningExplored} told @param {OpeningLook} look */
  #row(move, told, look) {
    const count = move.won + move.drawn + move.lost;
    const alike = move.alike.length === 0 ? null : gettext("Equivalent by symmetry: {moves}", { moves: move.alike.join(", ") });
    const play = button(move.move, () => this.handlers.play([move.move]), { class: "move", title: alike ?? gettext("Play this move") });
    const others = move.alike.length === 0 ? null : element("span", { class: "note", title: alike ?? "" }, ` +${move.alike.length}`);
    const name = move.opening === "" ? null : element("span", { class: "opening-leads-to" }, gameText(look.game, move.opening));
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, play, others, name),
      element("td", { class: "number" }, count === 0 ? "–" : numberText(count)),
      element("td", {}, count === 0 ? null : resultBar(move, told.to_move ?? 0, look)),
      element("td", { class: "number", title: bookText(move) }, move.expectation === null ? "–" : percentText(move.expectation)),
    );
  }

  #chooseMatches() {
    this.#search.isForPeople = this.#people.checked;
    remember(PEOPLE_KEY, this.#people.checked ? "yes" : "no");
    if (this.#asked !== null) this.ask(...this.#asked);
  }

  #toggle() {
    remember(OPEN_KEY, this.element.open ? "open" : "closed");
    if (this.#asked !== null) this.ask(...this.#asked);
  }
}

function headOf() {
  const labels = [gettext("Move"), gettext("Matches"), gettext("Results"), gettext("Book")];
  const cells = labels.map((label) => element("th", { scope: "col" }, label));
  return element("thead", {}, element("tr", {}, ...cells));
}

/**
 * The results as a bar: of two seats the first seat's wins, draws and the second seat's wins, else the mover's results.
 * @param {OpeningMove} move
 * @param {number} mover
 * @param {OpeningLook} look
 */
function resultBar({ won, drawn, lost }, mover, { seats, nameOf }) {
  const isTurned = seats === 2 && mover === 1;
  const counts = isTurned ? [lost, drawn, won] : [won, drawn, lost];
  const total = won + drawn + lost;
  const [first, drawnShare, second] = counts.map((count) => percentText(count / total));
  const words =
    seats === 2
      ? gettext("{first} won {firstShare}, drawn {drawnShare}, {second} won {secondShare}", { first: nameOf(0), firstShare: first, drawnShare, second: nameOf(1), secondShare: second })
      : gettext("{player} won {wonShare}, drawn {drawnShare}, lost {lostShare}", { player: nameOf(mover), wonShare: first, drawnShare, lostShare: second });
  const parts = counts.map((count, index) => {
    const part = element("span", { class: "result-part", "data-part": ["first", "drawn", "second"][index] }, element("span", {}, percentText(count / total)));
    part.style.setProperty("--share", String(count));
    part.hidden = count === 0;
    return part;
  });
  return element("span", { class: "result-bar", role: "img", "aria-label": words, title: words }, ...parts);
}

/** @param {OpeningMove} move */
function bookText({ book_matches, book_score, expectation }) {
  const parts = [];
  if (expectation !== null) parts.push(gettext("The engine expects {percent} for this move.", { percent: percentText(expectation) }));
  if (book_score !== null) parts.push(ngettext("It scored {percent} in {count} match of the engine against itself.", "It scored {percent} in {count} matches of the engine against itself.", book_matches, { percent: percentText(book_score) }));
  return parts.join(" ");
}

/** @param {PastMatch} past */
function matchLine({ match, ended_ms, players, ranks }) {
  const names = players.map(playerName).join(" – ");
  return element("li", {}, element("a", { href: `/match/${match}` }, names), element("span", { class: "note" }, ` ${resultText(ranks)} · ${dateText(ended_ms)}`));
}

/** @param {readonly number[] | null} ranks */
function resultText(ranks) {
  if (ranks === null) return gettext("no result");
  if (ranks.length !== 2) return ranks.map((rank) => `${rank}.`).join(" ");
  return ranks[0] === ranks[1] ? "½–½" : ranks[0] < ranks[1] ? "1–0" : "0–1";
}
