/**
 * A game's featured match as a small live board with its players; a link to watch it.
 *
 * Its viewers do not count as spectators. If no match is running, it can ask for an exhibition while the tab is
 * visible.
 */

import { element } from "../element.js";
import { MatchPicture } from "./match_picture.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo } from "../protocol.js" */

export class SmallBoard {
  #picture;
  #unfollow = () => {};
  /** Called when another match is featured. */
  onChange = () => {};

  /**
   * @param {Connection} connection
   * @param {GameInfo} game
   * @param {boolean} [wantsExhibition] Whether bots should play if nobody else does.
   */
  constructor(connection, game, wantsExhibition = false) {
    this.connection = connection;
    this.game = game;
    this.wantsExhibition = wantsExhibition;
    this.#picture = new MatchPicture(connection, game);
    this.element = element("a", { class: "card small-board", href: `/watch/${game.name}`, hidden: true }, ...this.#picture.elements);
    this.#picture.onShown = () => {
      this.element.hidden = false;
    };
    this.onVisibility = () => this.#ask();
  }

  /** The featured match; null for none. */
  get match() {
    return this.#picture.match;
  }

  open() {
    if (this.wantsExhibition) document.addEventListener("visibilitychange", this.onVisibility);
    this.#ask();
  }

  #ask() {
    const exhibition = this.wantsExhibition && document.visibilityState === "visible";
    this.#unfollow = this.connection.follow({ type: "watch_featured", game: this.game.name, exhibition }, ({ match }) => this.#follow(match));
  }

  close() {
    document.removeEventListener("visibilitychange", this.onVisibility);
    this.#unfollow();
    this.#picture.close();
  }

  /** @param {string | null} match */
  #follow(match) {
    if (match === null) this.element.hidden = true;
    this.#picture.follow(match);
    this.onChange();
  }
}
