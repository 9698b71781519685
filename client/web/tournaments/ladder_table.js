/** The places of a ladder, its matches and its changes. */

import { refusalSentence } from "../connection/refusal_texts.js";
import { momentText } from "../dates.js";
import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { ratingNumber } from "../ratings/rating_texts.js";

/** @import { LadderChange, LadderMatch, LadderPlace } from "../protocol.js" */

/** @param {LadderPlace[]} places @param {number | null} own The reader's place. @param {(name: string) => void} challenge */
export function ladderTable(places, own, challenge) {
  return element(
    "table",
    { class: "rating-table standings ladder-table" },
    element("caption", { class: "visually-hidden" }, gettext("Places")),
    element("thead", {}, element("tr", {}, element("th", { scope: "col", class: "number" }, "#"), element("th", { scope: "col" }, gettext("Player")), element("th", { scope: "col" }, own === null ? gettext("Challenges") : gettext("Challenge")))),
    element("tbody", {}, ...places.map((place) => row(place, own, challenge))),
  );
}

/** @param {LadderPlace} each @param {number | null} own @param {(name: string) => void} challenge */
function row({ place, player, rating, provisional, challenges = 0, challengeable, objection = null }, own, challenge) {
  const isOwn = place === own;
  const isAbove = own !== null && place < own;
  const why = isAbove && objection !== null ? element("span", { class: "soft" }, refusalSentence(objection)) : null;
  const incoming = challenges > 0 ? element("span", { class: "soft" }, ngettext("{count} challenge", "{count} challenges", challenges)) : null;
  return element(
    "tr",
    { class: isOwn ? "own" : "", "data-player": player.name },
    element("td", { class: "number place" }, String(place)),
    element("th", { scope: "row" }, playerLink(player), " ", element("span", { class: "soft" }, ...ratingNumber(rating, provisional))),
    element("td", { class: "ladder-challenge" }, challengeable ? challengeButton(player.name, challenge) : (why ?? incoming)),
  );
}

/** @param {string} name @param {(name: string) => void} challenge */
function challengeButton(name, challenge) {
  return button(gettext("Challenge"), () => challenge(name), { class: "button", "aria-label": gettext("Challenge {name}", { name }), "data-focus": `challenge ${name}` });
}

/** @param {LadderMatch} match */
export function matchRow({ match, challenger, challenged }) {
  return element("li", {}, element("a", { href: `/match/${match}`, "data-focus": match }, gettext("{challenger} challenges {challenged}", { challenger: challenger.name, challenged: challenged.name })));
}

/** @param {LadderChange} change */
export function changeRow({ kind, at_ms, player, place, opponent = null, match = null }) {
  const words = changeText(kind, { player: player.name, place, opponent: opponent?.name ?? "" });
  return element("li", {}, match === null ? words : element("a", { href: `/match/${match}` }, words), element("span", { class: "soft" }, ` · ${momentText(at_ms)}`));
}

/** @param {LadderChange["kind"]} kind @param {{ player: string, place: number, opponent: string }} values */
function changeText(kind, values) {
  switch (kind) {
    case "joined":
      return gettext("{player} joined at place {place}", values);
    case "left":
      return gettext("{player} left place {place}", values);
    case "won":
      return gettext("{player} won place {place} against {opponent}", values);
    case "timed_out":
      return gettext("{player} lost on time, and place {place}", values);
  }
}
