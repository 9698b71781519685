/** The seat that waits for an invited reader who learns the game first: one click joins the match. */

import { seatName } from "../board/seat_colours.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { hostName } from "../match/invitation_texts.js";
import { MatchState } from "../match/match_state.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo } from "../protocol.js" */

export class InvitedSeat {
  element = element("section", { class: "card seek invited-seat", "aria-label": gettext("Your invitation"), role: "status", hidden: true });
  #state;
  #unfollow = () => {};

  /**
   * @param {Connection} connection
   * @param {string} match
   * @param {() => GameInfo | undefined} gameOf
   * @param {(path: string) => void} navigate
   */
  constructor(connection, match, gameOf, navigate) {
    this.connection = connection;
    this.gameOf = gameOf;
    this.navigate = navigate;
    this.path = `/match/${match}`;
    this.#state = new MatchState(match, () => connection.player?.id);
  }

  /** Watch the match, so that the host sees that the reader is there, and the server keeps the seat. */
  open() {
    this.#unfollow = this.connection.follow(this.#state.request(false, true), (message) => {
      if (message.type === "refused") return;
      this.#state.receive(message);
      if (this.#state.isLoaded) this.#show();
    });
  }

  close() {
    this.#unfollow();
  }

  #show() {
    const state = this.#state;
    const [seat] = state.openSeats;
    const name = hostName(state);
    this.element.hidden = state.ownSeats.length > 0;
    if (seat === undefined || name === null) {
      const why = state.end === null ? gettext("Another player has taken the seat.") : gettext("The invitation is no longer open.");
      this.element.replaceChildren(element("p", {}, why), element("a", { class: "button", href: "/" }, gettext("Play a match")));
      return;
    }
    const isWaiting = state.present[state.hostSeat ?? 0];
    const host = isWaiting ? gettext("{name} sees that you are here.", { name }) : gettext("{name} is away.", { name });
    const kept = state.isReserved ? gettext("Your seat is kept for 10 minutes.") : gettext("Another visitor may take the seat.");
    this.element.replaceChildren(
      element("p", {}, `${host} ${kept}`),
      button(gettext("Play {colour}", { colour: seatName(this.gameOf(), seat) }), () => this.#join(seat), { class: "button primary" }),
    );
  }

  /** @param {number} seat */
  async #join(seat) {
    const accepted = await answerOrToast(this.connection.command({ type: "join", match: this.#state.id, seat }));
    if (accepted !== null) this.navigate(this.path);
  }
}
