/**
 * The reader's search for a quick pairing; it survives reloads and lost connections.
 *
 * No DOM. The tab stores the request with its id. Repeating it under that id returns the current state, so no second
 * search starts and no pairing is missed.
 */

import { RefusedError, newId } from "../connection/requests.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { LobbyMessage, PairingRequest, Searching } from "../protocol.js" */

const KEY = "millrace.search";

/** @typedef {{ id: string, request: PairingRequest, takesFewer: boolean }} Asked */

/** Fires `change` when `state` has changed, and `paired` and `refused` with a match id or a message as their detail. */
export class PairingSearch extends EventTarget {
  /** The state of the search; null without one. @type {Searching | null} */
  state = null;

  /** The request of this tab. @type {Asked | null} */
  #asked = recallAsked();
  #isAsking = false;
  /** The last match reported. */
  #match = "";

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    connection.addEventListener("lobby", (event) => this.#heard(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("welcome", () => this.#resume());
  }

  /** Whether this tab started the search, and opens the match. */
  get isOwn() {
    return this.#asked !== null;
  }

  /** @param {PairingRequest} request @param {boolean} takesFewer */
  find(request, takesFewer) {
    this.#remember({ id: newId(), request, takesFewer });
    return this.#ask();
  }

  /** Cancel the search. */
  stop() {
    this.#over();
    return this.connection.ask({ type: "stop_search" });
  }

  /** Accept the offered bot. */
  async playBot() {
    try {
      await this.connection.ask({ type: "play_bot" });
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Repeat the request on a new connection: the server may have forgotten the search or found a match. */
  #resume() {
    // The server reports another tab's search again if it is still running.
    if (this.#asked === null) this.#show(null);
    else if (!this.#isAsking) this.#ask();
  }

  async #ask() {
    if (this.#asked === null) return;
    const { id, request, takesFewer } = this.#asked;
    this.#isAsking = true;
    try {
      await this.connection.ask({ type: "find_match", request, takes_fewer: takesFewer }, id);
    } catch (error) {
      this.#over();
      this.#refused(error);
    } finally {
      this.#isAsking = false;
    }
  }

  /** @param {LobbyMessage} message */
  #heard(message) {
    if (message.type === "searching") this.#show(message);
    if (message.type === "search_ended" && (message.id ?? null) === null) this.#over();
    if (message.type === "paired") this.#paired(message.match);
  }

  /** @param {string} match */
  #paired(match) {
    if (match === this.#match) return;
    this.#match = match;
    this.dispatchEvent(new CustomEvent("paired", { detail: match }));
    this.#over();
  }

  #over() {
    this.#remember(null);
    this.#show(null);
  }

  /** @param {Searching | null} state */
  #show(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  /** @param {unknown} error */
  #refused(error) {
    if (!(error instanceof RefusedError)) throw error;
    this.dispatchEvent(new CustomEvent("refused", { detail: error.message }));
  }

  /** @param {Asked | null} asked */
  #remember(asked) {
    this.#asked = asked;
    try {
      if (asked === null) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(asked));
    } catch {
      // Without storage, a search lasts as long as the page.
    }
  }
}

/** @returns {Asked | null} */
function recallAsked() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}
