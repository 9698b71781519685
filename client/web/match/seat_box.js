/**
 * Changes of seats in a casual match: a player lets a bot play on, or a spectator asks to play on for a bot. The other
 * players answer in the offer box. Who plays alone chooses the player of each seat.
 */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { levelSelect, parseLevel } from "../players/level_select.js";
import { toast } from "../toasts.js";

/** @import { GameInfo, Level, Player } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/**
 * @typedef {object} SeatHandlers
 * @property {(level: Level) => Promise<unknown>} handOver
 * @property {(seat: number) => Promise<unknown>} askForSeat Null if refused.
 * @property {(seat: number, level: Level | null) => Promise<unknown>} changePlayer Null if refused.
 */

export class SeatBox {
  #body = element("div", { class: "seat-changes" });
  #key = "";
  element = element("details", { class: "position-box seat-box", hidden: true }, element("summary", {}, gettext("Change seats")), this.#body);

  /** @param {SeatHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /** @param {MatchState} state @param {(seat: number) => string} nameOf @param {GameInfo | undefined} game */
  show(state, nameOf, game) {
    const isOffered = state.offers.open.some(({ kind }) => kind === "hand_over" || kind === "take_over");
    const canHandOver = state.canHandOver && !isOffered;
    const bots = isOffered ? [] : state.seatsToTakeOver;
    const seats = state.canChangePlayers ? state.players.flatMap((_, seat) => (state.departures.has(seat) ? [] : [seat])) : [];
    const key = JSON.stringify([canHandOver, bots, bots.map(nameOf), seats.map((seat) => state.players[seat]?.id), game?.name]);
    if (key === this.#key) return;
    this.#key = key;
    this.element.hidden = !canHandOver && bots.length === 0 && seats.length === 0;
    if (seats.length > 0) this.#body.replaceChildren(...seats.map((seat) => this.#changing(seat, state.players[seat], game)));
    else this.#body.replaceChildren(...(canHandOver ? this.#handingOver(game) : bots.map((seat) => this.#takingOver(seat, nameOf(seat)))));
  }

  /** @param {GameInfo | undefined} game */
  #handingOver(game) {
    const level = levelSelect(game, gettext("Level of the bot that plays on"));
    return [
      element("p", { class: "note" }, gettext("A bot plays on for you if your opponents agree. You can watch.")),
      element("div", { class: "extra" }, level, button(gettext("Let a bot play on"), () => this.handlers.handOver(parseLevel(level.value)))),
    ];
  }

  /** @param {number} seat @param {Player | null} player @param {GameInfo | undefined} game */
  #changing(seat, player, game) {
    const name = game?.seat_names[seat] ?? "";
    const choice = levelSelect(game, gettext("Player of {name}", { name }));
    choice.prepend(element("option", { value: "" }, gettext("You")));
    const current = player?.level ? player.id.replace("bot-", "") : "";
    choice.value = current;
    choice.addEventListener("change", async () => {
      const changed = await this.handlers.changePlayer(seat, choice.value === "" ? null : parseLevel(choice.value));
      if (changed === null) choice.value = current;
    });
    return element("label", { class: "seat-choice" }, element("span", {}, name), choice);
  }

  /** @param {number} seat @param {string} name */
  #takingOver(seat, name) {
    const ask = async () => {
      if ((await this.handlers.askForSeat(seat)) !== null) toast(gettext("The players have been asked. Stay on this page for their answer."));
    };
    return button(gettext("Play on for {name}", { name }), ask, { class: "button take-over" });
  }
}
