/**
 * The archive page: search of finished matches by player, game, result and date.
 *
 * The address holds the query, so that searches can be shared and revisited.
 */

import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { announce } from "../toasts.js";
import { crosstable } from "./crosstable.js";
import { ImportBox } from "./import_box.js";
import { MatchTable } from "./match_table.js";
import { readQuery, searchFor, writeQuery } from "./query.js";
import { SearchForm } from "./search_form.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { SearchWanted } from "../connection/questions.js" */
/** @import { FoundMatches } from "../protocol.js" */

export class ArchivePage {
  #form;
  #import;
  #met = element("section", { class: "card", "aria-label": gettext("Head to head"), hidden: true });
  #found = element("section", { class: "card archive-results", "aria-label": gettext("Matches") });
  /** Number of the latest request; answers to earlier ones are ignored. */
  #asked = 0;
  #stopWaiting = () => {};

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} navigate */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.#import = new ImportBox(connection);
    this.#form = new SearchForm((query) => navigate(`/archive${writeQuery(query)}`));
    this.element = element("div", { class: "ratings-page archive-page" }, element("h1", {}, gettext("Archive")), this.#form.element, this.#met, this.#found, this.#import.element);
  }

  open() {
    document.title = `${gettext("Archive")} · Millrace`;
    // The form keeps its place while the games are not known yet, so that nothing jumps.
    this.#form.show(readQuery(location.search), this.connection.games);
    this.#found.replaceChildren(element("p", { class: "empty-note", role: "status" }, gettext("Searching…")));
    this.#stopWaiting = this.connection.whenKnown(() => this.#build());
  }

  close() {
    this.#stopWaiting();
    this.#asked += 1;
  }

  /** Once the games are known. */
  #build() {
    const { games } = this.connection;
    const query = readQuery(location.search);
    this.#form.show(query, games);
    this.#import.show(games);
    const wanted = searchFor(query);
    this.#search(wanted);
    this.#compare(wanted);
  }

  /** @param {SearchWanted} wanted */
  async #search(wanted) {
    const asked = (this.#asked += 1);
    try {
      const found = await this.connection.ask({ type: "search_matches", ...wanted });
      if (asked === this.#asked) this.#show(found, wanted);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#found.replaceChildren(element("p", { class: "empty-note", role: "alert" }, /** @type {Error} */ (error).message));
    }
  }

  /** @param {FoundMatches} found @param {SearchWanted} wanted */
  #show(found, wanted) {
    if (found.matches.length === 0 && found.next === "") {
      this.#found.replaceChildren(element("p", { class: "empty-note" }, gettext("No finished matches found for this search.")));
      announce(gettext("No matches found."));
      return;
    }
    const table = new MatchTable(gettext("Matches, newest first"));
    const more = element("div", { class: "archive-more" });
    this.#found.replaceChildren(table.element, more);
    this.#add(table, more, found, wanted, false);
    announce(found.next === "" ? ngettext("{count} match found.", "{count} matches found.", found.matches.length) : gettext("{count} or more matches found.", { count: found.matches.length }));
  }

  /**
   * @param {MatchTable} table
   * @param {HTMLElement} more
   * @param {FoundMatches} found
   * @param {SearchWanted} wanted
   * @param {boolean} isContinued
   */
  #add(table, more, found, wanted, isContinued) {
    table.add(found.matches, this.connection.games, isContinued);
    const next = async () => {
      const asked = this.#asked;
      const further = await this.connection.ask({ type: "search_matches", ...wanted, cursor: found.next });
      if (asked === this.#asked) this.#add(table, more, further, wanted, true);
    };
    const further = found.next === "" ? [] : [button(gettext("Show more"), next)];
    more.replaceChildren(...further, ...(this.#mayDownload(wanted) ? downloads(wanted) : []));
  }

  /** Downloads are authenticated by the browser's cookie, which guests do not have. @param {SearchWanted} wanted */
  #mayDownload({ mine, imported }) {
    return !(mine || imported) || this.connection.player?.registered === true;
  }

  /** With two players, also show their head-to-head score. @param {SearchWanted} wanted */
  async #compare({ player, opponent, mine }) {
    const [one, other] = mine ? [undefined, player] : [player, opponent];
    if (other === undefined) return;
    const asked = this.#asked;
    const table = await this.connection.ask({ type: "get_crosstable", player: one ?? null, opponent: other }).catch(() => null);
    if (table === null || asked !== this.#asked || table.scores.length === 0) return;
    this.#met.replaceChildren(element("h2", {}, gettext("Head to head")), crosstable(table, this.connection.games));
    this.#met.hidden = false;
  }
}

/**
 * Download links for the matches found. Days are those of the reader's time zone, not the server's.
 * @param {SearchWanted} wanted
 */
function downloads({ since_ms, until_ms }) {
  const query = new URLSearchParams(location.search);
  for (const [day, name, at_ms] of /** @type {const} */ ([["from", "since_ms", since_ms], ["to", "until_ms", until_ms]])) {
    query.delete(day);
    if (at_ms !== undefined) query.set(name, String(at_ms));
  }
  return ["txt", "json"].map((form) =>
    element("a", { class: "button quiet", href: `/archive.${form}${query.size === 0 ? "" : `?${query}`}`, download: true }, form === "txt" ? gettext("Download as text") : gettext("Download as JSON")),
  );
}
