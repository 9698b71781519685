/** The profile of a player: ratings with their history, results, and the latest matches. */

import { crosstable, searchName } from "../archive/crosstable.js";
import { writeQuery } from "../archive/query.js";
import { scoreTable } from "../archive/score_table.js";
import { dateText } from "../dates.js";
import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { reportBox } from "../moderation/report_box.js";
import { seatPlans } from "../match/seat_plans.js";
import { markedName } from "../players/bot_mark.js";
import { botText } from "../players/bot_texts.js";
import { builtInBots } from "../players/bots.js";
import { parseLevel } from "../players/level_select.js";
import { playerFigure } from "../players/player_figure.js";
import { shownName } from "../players/shown_name.js";
import { pastMatches } from "../ratings/past_matches.js";
import { ratingGraph } from "../ratings/rating_graph.js";
import { kindText, ratingNumber } from "../ratings/rating_texts.js";
import { answerOrToast } from "../toasts.js";
import { ladderSection } from "../tournaments/ladder_list.js";
import { trophySection } from "../tournaments/trophies.js";
import { ProfileHead } from "./profile_head.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, KindRating, Level, Player, PlayerRatings, Profile } from "../protocol.js" */

export class ProfilePage {
  #graph = element("div", { class: "profile-graph", "aria-live": "polite" });
  #kinds = element("div", { class: "kinds", role: "group", "aria-label": gettext("Ratings") });
  #report = element("div", { class: "profile-report" });
  #met = element("section", { class: "card", "aria-label": gettext("Against you"), hidden: true });
  #isClosed = false;

  /**
   * @param {Connection} connection
   * @param {string} name The name as encoded in the address.
   * @param {(path: string) => void} navigate
   */
  constructor(connection, name, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    this.name = decoded(name);
    this.element = element("div", { class: "ratings-page profile-page" }, element("h1", {}, shownName(this.name)));
  }

  async open() {
    document.title = `${this.name} · Millrace`;
    try {
      const [profile, about] = await Promise.all([
        this.connection.ask({ type: "get_player_ratings", name: this.name }),
        this.connection.ask({ type: "get_profile", name: this.name }),
      ]);
      if (this.#isClosed) return;
      this.#show(profile, about);
      this.#offerReport(profile.player);
      this.#compare(profile.player);
    } catch (error) {
      if (!this.#isClosed) this.#refuse(/** @type {Error} */ (error).message);
    }
  }

  close() {
    this.#isClosed = true;
  }

  /** @param {PlayerRatings} profile @param {Profile} about */
  #show(profile, about) {
    const { player, ratings, matches } = profile;
    const { scores } = about;
    document.title = `${shownName(player.name)} · Millrace`;
    this.element.replaceChildren(
      element(
        "div",
        { class: "profile-head" },
        element("h1", { class: "figured-name" }, playerFigure(player), element("span", {}, ...markedName(player))),
        element("p", { class: "note" }, this.#about(profile)),
        new ProfileHead(this.connection, about).element,
        player.level === null ? this.#report : this.#gamesToPlay(player),
      ),
      element("section", { class: "card" }, element("h2", {}, gettext("Ratings")), ...this.#ratingParts(ratings)),
      ...(scores.length > 0 ? [element("section", { class: "card" }, element("h2", {}, gettext("Results")), scoreTable(scores, this.connection.games, gettext("Matches of {name}", { name: player.name })))] : []),
      ...trophySection(about.trophies ?? []),
      ...ladderSection(about.ladders ?? [], this.connection.games, gettext("Ladders")),
      this.#met,
      element(
        "section",
        { class: "card" },
        element("h2", {}, gettext("Latest matches")),
        pastMatches(matches, player.id, this.connection.games),
        element("p", {}, element("a", { href: `/archive${writeQuery({ player: searchName(player) })}` }, gettext("All matches"))),
      ),
    );
  }

  /** Buttons that start a match against one of the server's bots. @param {Player} bot */
  #gamesToPlay(bot) {
    const level = parseLevel(bot.id.replace("bot-", ""));
    const games = this.connection.games.filter((game) => this.connection.offersBots(game.name) && builtInBots(game).some((each) => each.level === level));
    return element("div", { class: "profile-tools" }, ...games.map((game) => button(gettext("Play {game}", { game: game.title }), () => this.#play(game, level))));
  }

  /** @param {GameInfo} game @param {Level} level */
  async #play({ name, seats: counts }, level) {
    const count = Math.min(...counts);
    const setup = counts.length > 1 ? `seats=${count}` : "";
    const seats = seatPlans(count, 0, "bot", level);
    const accepted = await answerOrToast(this.connection.command({ type: "create", game: name, seats, setup, clock: null, shuffle: true }));
    if (accepted !== null) this.navigate(`/match/${accepted.match}`);
  }

  /** The reader's score against this player. @param {Player} player */
  async #compare(player) {
    const { connection } = this;
    if (player.id === connection.player?.id) return;
    const table = await connection.ask({ type: "get_crosstable", player: null, opponent: searchName(player) }).catch(() => null);
    if (table === null || table.scores.length === 0) return;
    this.#met.replaceChildren(element("h2", {}, gettext("Against you")), crosstable(table, connection.games));
    this.#met.hidden = false;
  }

  /** @param {Player} player */
  #offerReport(player) {
    const { connection } = this;
    if (player.level !== null || player.id === connection.player?.id) return;
    const path = `/moderation?${new URLSearchParams({ view: "players", name: player.name })}`;
    const moderate = connection.restrictions.role === null ? null : element("a", { class: "button quiet", href: path }, gettext("Moderate"));
    this.#report.replaceChildren(reportBox(connection, player), ...(moderate === null ? [] : [moderate]));
  }

  /** @param {PlayerRatings} profile */
  #about({ player, since_ms }) {
    if (since_ms !== null) return gettext("Member since {date}.", { date: dateText(since_ms) });
    return gettext("A bot of this server: {description}.", { description: botText(player, this.connection.games[0]) });
  }

  /** @param {KindRating[]} ratings */
  #ratingParts(ratings) {
    if (ratings.length === 0) return [element("p", { class: "empty-note" }, gettext("No rated matches yet."))];
    this.#choose(ratings, 0);
    return [this.#kinds, this.#graph];
  }

  /** Show the history of one kind. @param {KindRating[]} ratings @param {number} chosen */
  #choose(ratings, chosen) {
    const hadFocus = this.#kinds.contains(document.activeElement);
    const buttons = ratings.map((rating, index) => this.#kindButton(rating, index === chosen, () => this.#choose(ratings, index)));
    this.#kinds.replaceChildren(...buttons);
    if (hadFocus) buttons[chosen]?.focus();
    const rating = ratings[chosen];
    if (rating !== undefined) this.#graph.replaceChildren(ratingGraph(rating));
  }

  /** @param {KindRating} rating @param {boolean} isChosen @param {() => void} choose */
  #kindButton({ kind, rating, deviation, provisional, matches }, isChosen, choose) {
    const parts = element(
      "span",
      { class: "kind" },
      element("span", { class: "kind-name" }, kindText(kind, this.connection.games)),
      element("span", { class: "kind-rating" }, ...ratingNumber(rating, provisional), element("span", { class: "soft" }, ` ±${deviation}`)),
      element("span", { class: "soft" }, ngettext("{count} rated match", "{count} rated matches", matches)),
    );
    return button(parts, choose, { class: "button kind-button", "aria-pressed": String(isChosen) });
  }

  /** @param {string} words */
  #refuse(words) {
    this.element.replaceChildren(
      element("div", { class: "notice" }, element("h1", {}, gettext("No such player")), element("p", {}, words), element("a", { class: "button", href: "/leaders" }, gettext("See the leaders"))),
    );
  }
}

/** @param {string} name @returns {string} The decoded name. */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
