/**
 * The search form of the archive.
 *
 * It reports a query on submit and on each choice; the page searches.
 */

import { button, element } from "../element.js";
import { choiceField, labelled } from "../form_fields.js";
import { gettext, later } from "../language/texts.js";
import { EMPTY_QUERY, hasPlayer } from "./query.js";

/** @import { GameInfo } from "../protocol.js" */
/** @import { Query } from "./query.js" */

const RATED = /** @type {[string, string][]} */ ([["", later("All matches")], ["yes", later("Rated")], ["no", later("Casual")]]);
const PLAYER_RESULTS = /** @type {[string, string][]} */ ([
  ["", later("Any result")],
  ["won", later("Won")],
  ["drawn", later("Drawn")],
  ["lost", later("Lost")],
  ["none", later("No result")],
]);
const GENERAL_RESULTS = /** @type {[string, string][]} */ ([
  ["", later("Any result")],
  ["decided", later("With a winner")],
  ["drawn", later("Drawn")],
  ["none", later("No result")],
]);

export class SearchForm {
  element = element("form", { class: "card archive-form", role: "search", "aria-label": gettext("Search finished matches") });

  /** @param {(query: Query) => void} onSearch */
  constructor(onSearch) {
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      onSearch(this.#read());
    });
    this.onSearch = onSearch;
  }

  /** @param {Query} query @param {GameInfo[]} games */
  show(query, games) {
    const focused = document.activeElement?.getAttribute("name") ?? "";
    const hadFocus = this.element.contains(document.activeElement);
    const search = () => this.onSearch(this.#read());
    const results = hasPlayer(query) ? PLAYER_RESULTS : GENERAL_RESULTS;
    const titles = games.map(({ name, title }) => /** @type {[string, string]} */ ([name, title]));
    this.element.replaceChildren(
      element(
        "div",
        { class: "archive-fields" },
        field("player", gettext("Player"), { value: query.player, placeholder: gettext("Name"), autocomplete: "off", maxlength: 64 }),
        field("opponent", gettext("Opponent"), { value: query.opponent, placeholder: gettext("Name"), autocomplete: "off", maxlength: 64 }),
        choiceField("game", gettext("Game"), [["", gettext("All games")], ...titles], query.game, search),
        choiceField("result", hasPlayer(query) ? gettext("The player") : gettext("Result"), translated(results), query.result, search),
        choiceField("rated", gettext("Rated"), translated(RATED), query.rated, search),
        field("from", gettext("From"), { value: query.from, type: "date" }),
        field("to", gettext("To"), { value: query.to, type: "date" }),
      ),
      element(
        "div",
        { class: "archive-buttons" },
        element("button", { class: "button primary" }, gettext("Search")),
        mineBox(query, search),
        button(gettext("Clear"), () => this.onSearch(EMPTY_QUERY), { class: "button quiet" }),
      ),
    );
    const again = hadFocus && focused !== "" ? this.element.elements.namedItem(focused) : null;
    if (again instanceof HTMLElement) again.focus();
  }

  /** @returns {Query} */
  #read() {
    const given = new FormData(this.element);
    const names = /** @type {(keyof Query)[]} */ (Object.keys(EMPTY_QUERY));
    return /** @type {Query} */ (Object.fromEntries(names.map((name) => [name, String(given.get(name) ?? "").trim()])));
  }
}

/** @param {Query} query @param {() => void} search */
function mineBox({ mine }, search) {
  const box = element("input", { type: "checkbox", name: "mine", value: "1", checked: mine !== "", onchange: search });
  return element("label", { class: "check" }, box, gettext("My matches"));
}

/** @param {string} name @param {string} label @param {import("../element.js").Attributes} attributes */
function field(name, label, attributes) {
  return labelled(label, element("input", { name, type: "text", ...attributes }));
}

/** @param {readonly [string, string][]} choices @returns {[string, string][]} */
function translated(choices) {
  return choices.map(([value, title]) => [value, gettext(title)]);
}
