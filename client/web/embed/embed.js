/**
 * A board embedded in pages of other sites: a match to step through or to watch live, with a link to it.
 *
 * It has no session and stores nothing. `?theme=dark`, `?turned` and `#12` set theme, side and ply.
 */

import { drawFillings, drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { faceText } from "../clock_face.js";
import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { inReadersLanguage } from "../language/game_texts.js";
import { openLanguage } from "../language/languages.js";
import { gettext } from "../language/texts.js";
import { BoardArea } from "../match/board_area.js";
import { pastScene } from "../match/board_scene.js";
import { MatchState } from "../match/match_state.js";
import { playerTitle, plyText, resultText, scoreOf } from "../match/match_texts.js";
import { plyInAddress, putPlyInAddress } from "../match/ply_address.js";
import { shownName } from "../players/shown_name.js";
import { spectateMatch } from "./spectator_socket.js";

/** @import { IconName } from "../icons.js" */
/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */

const settings = new URLSearchParams(location.search);
const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const main = /** @type {HTMLElement} */ (document.getElementById("page"));
const theme = settings.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

class Embed {
  #state = new MatchState(id, () => undefined);
  /** @type {GameInfo[]} */
  #games = [];
  /** Null for the latest position. @type {number | null} */
  #ply = plyInAddress();
  #board = new BoardArea({ click: () => {}, drop: () => {}, wheel: () => {}, cancel: () => false }, (seat) => seatColour(this.#game, seat), () => {});
  #title = element("h1", { class: "visually-hidden" }, gettext("A match on Millrace"));
  #seats = element("div", { class: "embed-seats" });
  #words = element("p", { class: "embed-text", "aria-live": "polite" });
  #buttons = [
    this.#step("first", gettext("First position"), () => 0),
    this.#step("back", gettext("One move back"), (ply) => ply - 1),
    this.#step("forward", gettext("One move forward"), (ply) => ply + 1),
    this.#step("last", gettext("Latest position"), () => Infinity),
  ];
  #turn = button(icon("turn"), () => this.#flip(), { class: "button step", "aria-label": gettext("Flip the board"), title: gettext("Flip the board") });
  #link = element("a", { class: "embed-link", target: "_blank", rel: "noopener", href: `/match/${encodeURIComponent(id)}` }, "Millrace");

  open() {
    if (settings.has("turned")) this.#board.turn();
    main.replaceChildren(this.#title, this.#seats, this.#board.element, element("div", { class: "embed-foot" }, element("div", { class: "stepping" }, ...this.#buttons, this.#turn), this.#words, this.#link));
    document.body.append(drawFillings());
    document.addEventListener("keydown", (event) => this.#press(event));
    addEventListener("hashchange", () => this.#turnTo(plyInAddress() ?? Infinity));
    spectateMatch(id, {
      since: () => this.#state.seq,
      welcomed: ({ games }) => (this.#games = inReadersLanguage(games)),
      receive: (message) => this.#receive(message),
    });
  }

  get #game() {
    return this.#games.find(({ name }) => name === this.#state.game);
  }

  /** @param {MatchMessage} message */
  #receive(message) {
    if (message.type === "refused") {
      main.replaceChildren(element("h1", { class: "embed-text" }, message.message));
      return false;
    }
    this.#state.receive(message);
    if (!this.#state.isLoaded || this.#state.board === null) return true;
    this.#show();
    return this.#state.end === null;
  }

  /** @param {number} ply */
  #turnTo(ply) {
    const latest = this.#state.plies.length;
    this.#ply = ply >= latest ? null : Math.max(0, ply);
    putPlyInAddress(this.#ply);
    this.#show();
  }

  #flip() {
    this.#board.turn();
    if (this.#state.isLoaded) this.#show();
  }

  #show() {
    const { plies, positions, players } = this.#state;
    if (this.#ply !== null && this.#ply >= plies.length) this.#ply = null;
    const ply = this.#ply ?? plies.length;
    if (positions[ply]?.board === null) return;
    const nameOf = (/** @type {number} */ seat) => seatName(this.#game, seat);
    this.#board.show(pastScene(this.#state, ply, { nameOf, colourOf: (seat) => seatColour(this.#game, seat) }), false);
    this.#seats.replaceChildren(...players.map((player, seat) => this.#seat(player === null ? "…" : shownName(player.name), seat, ply)));
    this.#words.textContent = this.#say(ply, (seat) => playerTitle(players, seat, this.#game));
    const [first, back, forth, last] = this.#buttons;
    first.disabled = back.disabled = ply === 0;
    forth.disabled = last.disabled = ply === plies.length;
    this.#link.href = `/match/${encodeURIComponent(id)}${location.hash}`;
    this.#title.textContent = players.map((player) => (player === null ? "…" : shownName(player.name))).join(" – ");
    document.title = `${this.#title.textContent} · Millrace`;
  }

  /** @param {string} name @param {number} seat @param {number} ply */
  #seat(name, seat, ply) {
    const { end, clock } = this.#state;
    const face = clock === null ? null : this.#state.pastFace(seat, ply);
    return element(
      "span",
      { class: "embed-seat" },
      drawMan(seatColour(this.#game, seat), "choice-man"),
      element("span", { class: "embed-name" }, name),
      face === null ? null : element("span", { class: "embed-clock" }, faceText(face)),
      end?.ranks ? element("strong", {}, scoreOf(end.ranks, seat)) : null,
    );
  }

  /** @param {number} ply @param {(seat: number) => string} nameOf */
  #say(ply, nameOf) {
    const { plies, positions, end, toMove } = this.#state;
    const place = `${ply}/${plies.length}`;
    if (ply === plies.length && end !== null) {
      const { headline, reason } = resultText(this.#state, nameOf);
      return [`${place} · ${headline}. ${reason}.`, ...(this.#state.isVoid ? [gettext("Voided by a moderator.")] : [])].join(" ");
    }
    if (ply === 0) return `${place} · ${plies.length === 0 && toMove !== null ? gettext("{player} to move", { player: seatName(this.#game, toMove) }) : gettext("Start")}`;
    const last = plies[ply - 1];
    return `${place} · ${plyText(nameOf(last.seat), last, positions[ply - 1], positions[ply], this.#game)}`;
  }

  /** @param {IconName} sign @param {string} label @param {(ply: number) => number} target */
  #step(sign, label, target) {
    const press = () => this.#turnTo(target(this.#ply ?? this.#state.plies.length));
    return button(icon(sign), press, { class: "button step", "aria-label": label, title: label });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const index = ["Home", "ArrowLeft", "ArrowRight", "End", "f"].indexOf(event.key);
    if (index < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    [...this.#buttons, this.#turn][index].click();
  }
}

openLanguage("embed").then(() => new Embed().open());
