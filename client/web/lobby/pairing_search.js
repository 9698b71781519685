/**
 * The quick pairing that this browser waits for: begun, kept over a reload or a broken connection, and found.
 *
 * No DOM. What is asked for is remembered in the tab under the id of its command; asked again under that id the server
 * says how it stands, so that neither a second search begins nor the news of a pairing is lost.
 */

import { RefusedError, randomId } from "../connection/requests.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { LobbyMessage, PairingRequest, Searching } from "../protocol.js" */

const KEY = "millrace.search";

/** @typedef {{ id: string, request: PairingRequest, takesFewer: boolean }} Asked */

/** Fires `change` when `state` has changed, and `paired` and `refused` with a match or words as their detail. */
export class PairingSearch extends EventTarget {
  /** How the search stands; null without one. @type {Searching | null} */
  state = null;

  /** What this tab has asked for. @type {Asked | null} */
  #asked = recallAsked();
  #isAsking = false;
  /** The latest match told of. */
  #match = "";

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    connection.addEventListener("meeting", (event) => this.#heard(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("welcome", () => this.#resume());
  }

  /** Whether this tab has begun the search, and is to be led to the match. */
  get isOwn() {
    return this.#asked !== null;
  }

  /**
   * @param {PairingRequest} request
   * @param {boolean} takesFewer
   */
  find(request, takesFewer) {
    this.#remember({ id: randomId(), request, takesFewer });
    return this.#ask();
  }

  /** Wait no longer. */
  stop() {
    this.#over();
    return this.connection.ask({ type: "stop_search" });
  }

  /** Play the bot that is offered. */
  async playBot() {
    try {
      await this.connection.ask({ type: "play_bot" });
    } catch (error) {
      this.#refused(error);
    }
  }

  /** After a new connection: tell the server what is waited for here, as it may have forgotten, or found it. */
  #resume() {
    // Another tab's search is told again by the server if it still goes on.
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
      // Without storage a search lasts as long as the page.
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
