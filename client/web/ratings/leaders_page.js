/** The leaderboard: the best players of each kind of match, and the bots for comparison. */

import { element } from "../element.js";
import { choiceField } from "../form_fields.js";
import { gettext, later, ngettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";
import { playerFigure } from "../players/player_figure.js";
import { playerLink } from "../players/player_link.js";
import { SPEEDS, kindText } from "./rating_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, Leader, Leaders, RatingKind } from "../protocol.js" */

const GAME_KEY = "millrace.game";
const SPEED_KEY = "millrace.leaders.speed";
const SEATS_KEY = "millrace.leaders.seats";
const DEFAULT_SPEED = "blitz";

export class LeadersPage {
  #choices = element("form", { class: "leaders-choices", "aria-label": gettext("Kind of match"), onsubmit: (event) => event.preventDefault() });
  #list = element("div", { class: "leaders-list", "aria-live": "polite" });
  #stopWaiting = () => {};
  /** Number of the latest request; answers to earlier ones are ignored. */
  #asked = 0;

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} _navigate */
  constructor(connection, _id, _navigate) {
    this.connection = connection;
    this.element = element(
      "div",
      { class: "ratings-page leaders-page" },
      element("h1", {}, gettext("Leaders")),
      this.#choices,
      this.#list,
    );
  }

  open() {
    document.title = `${gettext("Leaders")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#choose(recall(GAME_KEY) ?? ""));
  }

  close() {
    this.#stopWaiting();
    this.#asked += 1;
  }

  /** Show the options of a game, and request its leaders. @param {string} name */
  #choose(name) {
    const { games } = this.connection;
    const game = games.find((each) => each.name === name) ?? games[0];
    const seats = game.seats.includes(Number(recall(SEATS_KEY))) ? Number(recall(SEATS_KEY)) : game.seats[0];
    const speed = SPEEDS.find((each) => each.speed === recall(SPEED_KEY))?.speed ?? DEFAULT_SPEED;
    const focused = document.activeElement?.getAttribute("name") ?? "";
    this.#choices.replaceChildren(
      choiceField("game", gettext("Game"), games.map((each) => [each.name, each.title]), game.name, (value) => {
        remember(GAME_KEY, value);
        this.#choose(value);
      }),
      ...this.#seatsChoice(game, seats),
      choiceField("speed", gettext("Speed"), SPEEDS.map((each) => [each.speed, `${gettext(each.name)} – ${gettext(each.hint)}`]), speed, (value) => {
        remember(SPEED_KEY, value);
        this.#choose(game.name);
      }),
    );
    const again = focused === "" ? null : this.#choices.querySelector(`[name="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
    this.#ask({ game: game.name, seats: seats ?? 2, speed });
  }

  /** @param {GameInfo} game @param {number | undefined} seats */
  #seatsChoice(game, seats) {
    if (game.seats.length < 2) return [];
    const options = game.seats.map((count) => /** @type {[string, string]} */ ([String(count), ngettext("{count} player", "{count} players", count)]));
    return [
      choiceField("seats", gettext("Players"), options, String(seats), (value) => {
        remember(SEATS_KEY, value);
        this.#choose(game.name);
      }),
    ];
  }

  /** @param {RatingKind} kind */
  async #ask(kind) {
    const asked = (this.#asked += 1);
    try {
      const leaders = await this.connection.ask({ type: "get_leaders", kind });
      if (asked === this.#asked) this.#show(leaders);
    } catch (error) {
      if (asked === this.#asked) this.#list.replaceChildren(element("p", { class: "note" }, String(/** @type {Error} */ (error).message)));
    }
  }

  /** @param {Leaders} leaders */
  #show({ kind, leaders, bots, least_matches, most_deviation }) {
    const words = kindText(kind, this.connection.games);
    const floor = gettext("Players with at least {matches} rated matches and an uncertainty of at most {points} points.", { matches: least_matches, points: most_deviation });
    const nobody = element("p", { class: "empty-note" }, gettext("No players yet. Play rated matches to be the first!"));
    this.#list.replaceChildren(
      element(
        "section",
        { class: "card" },
        element("h2", {}, words),
        leaders.length > 0 ? leaderTable(leaders, gettext("Leaders: {kind}", { kind: words }), true) : nobody,
        element("p", { class: "note" }, floor),
      ),
      element(
        "section",
        { class: "card" },
        element("h2", {}, gettext("Bots")),
        leaderTable(bots, gettext("Bots: {kind}", { kind: words }), false),
        element("p", { class: "note" }, gettext("For comparison. Bots start from an estimate and are rated by their matches like everyone else.")),
      ),
    );
  }
}

/** @param {string} head */
function column(head) {
  const name = head === "Player" ? "" : head === "Matches" ? "number matches" : "number";
  return element("th", { scope: "col", class: name }, gettext(head));
}

/** @param {Leader[]} leaders @param {string} caption @param {boolean} hasPlaces */
function leaderTable(leaders, caption, hasPlaces) {
  const heads = [hasPlaces ? later("Place") : null, later("Player"), later("Rating"), later("Uncertainty"), later("Matches")];
  const places = leaders.map(({ rating }) => leaders.findIndex((other) => other.rating === rating) + 1);
  const rows = leaders.map(({ player, rating, deviation, matches }, index) =>
    element(
      "tr",
      {},
      hasPlaces ? element("td", { class: "number place" }, String(places[index])) : null,
      element("th", { scope: "row" }, element("span", { class: "figured-name" }, playerFigure(player), element("span", {}, playerLink(player)))),
      element("td", { class: "number strong" }, String(rating)),
      element("td", { class: "number soft" }, `±${deviation}`),
      element("td", { class: "number soft matches" }, String(matches)),
    ),
  );
  return element(
    "table",
    { class: "rating-table" },
    element("caption", { class: "visually-hidden" }, caption),
    element("thead", {}, element("tr", {}, ...heads.map((head) => (head === null ? null : column(head))))),
    element("tbody", {}, ...rows),
  );
}
