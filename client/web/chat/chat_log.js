/** The chat of a match: lines, muted players and unread lines. No DOM. */

/** @import { Chat, ChatLine, ChatLineAdded, ChatRoom } from "../protocol.js" */

/** Lines kept, as on the server. */
const MAX_LINES = 200;

export class ChatLog {
  /** @type {ChatLine[]} */
  lines = [];
  /** The room that the reader writes to. @type {ChatRoom} */
  room = "spectators";
  /** The ids of players muted by the reader. @type {ReadonlySet<string>} */
  muted = new Set();
  isLoaded = false;
  #readTo = 0;

  /** @param {Chat | ChatLineAdded} message @returns {ChatLine[]} New lines to show. */
  receive(message) {
    if (message.type === "chat_line_added") {
      if (this.lines.some(({ number }) => number === message.line.number)) return [];
      this.lines = [...this.lines, message.line].slice(-MAX_LINES);
      return this.#isVisible(message.line) ? [message.line] : [];
    }
    this.lines = message.lines;
    this.room = message.room;
    this.muted = new Set(message.muted);
    // Lines written before the reader arrived count as read.
    if (!this.isLoaded) this.read();
    this.isLoaded = true;
    return [];
  }

  /** Lines whose authors are not muted. */
  get visible() {
    return this.lines.filter((line) => this.#isVisible(line));
  }

  /** Muted players with lines here. @returns {Map<string, string>} Names by id. */
  get mutedSpeakers() {
    return new Map(this.lines.filter((line) => !this.#isVisible(line)).map(({ player }) => [player.id, player.name]));
  }

  get unread() {
    return this.visible.filter(({ number }) => number > this.#readTo).length;
  }

  /** Mark all lines as read. */
  read() {
    this.#readTo = this.lines.at(-1)?.number ?? 0;
  }

  /** @param {ChatLine} line */
  #isVisible({ player }) {
    return !this.muted.has(player.id);
  }
}
