/** Inviting a friend: by a link, by name, or in the list of open matches. */

import { element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { InvitationOptions } from "./invitation_options.js";
import { MatchOptions } from "./match_options.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo } from "../protocol.js" */

export class FriendPanel {
  #invitation;
  #options;

  /** @param {Connection} connection @param {GameInfo} game @param {(command: Command) => Promise<void>} onCreate */
  constructor(connection, game, onCreate) {
    this.#invitation = new InvitationOptions(connection);
    this.#options = new MatchOptions(connection, game, "friend", () => this.#invitation.show(this.#options));
    this.#invitation.show(this.#options);
    this.element = form(
      { class: "card for-friend", "aria-label": gettext("Play a friend") },
      () => onCreate({ ...this.#options.command(1), ...this.#invitation.fields }),
      element("h2", {}, gettext("Play a friend")),
      this.#invitation.element,
      this.#options.element,
      this.#invitation.submit,
    );
  }

  /** Prepare a challenge, for two players. @param {string} name The challenged account. */
  challenge(name) {
    this.#options.chooseTwo();
    this.#invitation.show(this.#options);
    this.#invitation.challenge(name);
  }
}
