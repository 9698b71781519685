/** The list of open matches: others' matches to join, and the reader's own. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { seekText } from "../lobby/seek_text.js";
import { markedName } from "../players/bot_mark.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo, Seek } from "../protocol.js" */

export class SeekList {
  #list = element("ul", { class: "entries" });
  #count = element("span", { class: "count" });

  /** @param {Connection} connection @param {(command: Command) => Promise<void>} onTake */
  constructor(connection, onTake) {
    this.connection = connection;
    this.onTake = onTake;
    this.element = element(
      "section",
      { class: "card live seeks", "aria-label": gettext("Open matches"), hidden: true },
      element("h2", {}, gettext("Open matches"), " ", this.#count),
      this.#list,
    );
  }

  /** @param {Seek[]} seeks @param {GameInfo[]} games */
  show(seeks, games) {
    this.element.hidden = seeks.length === 0;
    this.#count.textContent = String(seeks.length);
    const focused = document.activeElement?.getAttribute("data-match");
    this.#list.replaceChildren(...seeks.map((seek) => this.#line(seek, games)));
    if (focused) {
      const again = this.#list.querySelector(`[data-match="${CSS.escape(focused)}"]`);
      if (again instanceof HTMLElement) again.focus();
    }
  }

  /** @param {Seek} seek @param {GameInfo[]} games */
  #line(seek, games) {
    const isOwn = seek.by.id === this.connection.player?.id;
    const title = games.find(({ name }) => name === seek.game)?.title ?? seek.game;
    return element(
      "li",
      { class: "entry seek" },
      element(
        "div",
        {},
        element("span", { class: "live-players" }, ...(isOwn ? [gettext("Your match")] : markedName(seek.by))),
        element("span", { class: "live-facts" }, seekText(seek, title)),
      ),
      isOwn ? this.#own(seek) : button(gettext("Join"), () => this.onTake({ type: "join", match: seek.match }), {
        class: "button primary",
        "data-match": seek.match,
        "aria-label": gettext("Join {name}: {game}", { name: seek.by.name, game: title }),
      }),
    );
  }

  /** @param {Seek} seek */
  #own(seek) {
    return element("a", { class: "button", href: `/match/${seek.match}`, "data-match": seek.match }, gettext("Open"));
  }
}
