/** A row of a list of players: presence, name, current match, and a link to watch it. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerFigure } from "../players/player_figure.js";
import { playerLink } from "../players/player_link.js";
import { countryChip } from "./country_chip.js";
import { presenceText } from "./presence_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PlayerStatus } from "../protocol.js" */

/**
 * @param {PlayerStatus} person
 * @param {Connection} connection
 * @param {HTMLElement | null} [tool] At the end of the row.
 */
export function playerRow(person, connection, tool = null) {
  const { player, country, match, game } = person;
  const title = connection.games.find(({ name }) => name === game)?.title ?? "";
  const words = presenceText(person, connection.now_ms());
  const watch = match !== null && player.id !== connection.player?.id;
  return element(
    "li",
    { class: "player-row", "data-player": player.id },
    lamp(person),
    playerFigure(player),
    element(
      "span",
      { class: "player-row-text" },
      element("span", { class: "player-row-name" }, playerLink(player), country === null ? null : countryChip(country)),
      words === "" ? null : element("span", { class: "player-row-facts" }, match === null ? words : `${words}: ${title}`),
    ),
    watch ? element("a", { class: "button quiet watch-button", href: `/match/${match}`, "aria-label": gettext("Watch {name}", { name: player.name }) }, gettext("Watch")) : null,
    tool,
  );
}

/** @param {PlayerStatus} person */
export function lamp({ online, match }) {
  const state = online ? (match === null ? "online" : "playing") : "away";
  return element("span", { class: "presence-lamp", "data-state": state, "aria-hidden": "true" });
}
