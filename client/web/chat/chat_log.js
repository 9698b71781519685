/**
 * What has been said beside a match, as the server tells it: lines, who is muted, what has not been read.
 *
 * Headless. Imported by the chat panel.
 */

/** @import { Chat, ChatLine, ChatLineAdded, ChatRoom } from "../protocol.js" */

/** So many lines are kept, as the server does. */
const MAX_LINES = 200;

export class ChatLog {
  /** @type {ChatLine[]} */
  lines = [];
  /** Where what the reader says is heard. @type {ChatRoom} */
  room = "spectators";
  /** Whom the reader does not want to hear. @type {ReadonlySet<string>} */
  muted = new Set();
  isLoaded = false;
  #readTo = 0;

  /**
   * @param {Chat | ChatLineAdded} message
   * @returns {ChatLine[]} The lines that were just said and are to be heard.
   */
  receive(message) {
    if (message.type === "chat_line_added") {
      if (this.lines.some(({ number }) => number === message.line.number)) return [];
      this.lines = [...this.lines, message.line].slice(-MAX_LINES);
      return this.#isHeard(message.line) ? [message.line] : [];
    }
    this.lines = message.lines;
    this.room = message.room;
    this.muted = new Set(message.muted);
    // What was said before the reader came is no news.
    if (!this.isLoaded) this.read();
    this.isLoaded = true;
    return [];
  }

  /** The lines of those who are not muted. */
  get heard() {
    return this.lines.filter((line) => this.#isHeard(line));
  }

  /** Those who are muted and have said something here. @returns {Map<string, string>} Names by identity. */
  get mutedSpeakers() {
    return new Map(this.lines.filter((line) => !this.#isHeard(line)).map(({ player }) => [player.id, player.name]));
  }

  get unread() {
    return this.heard.filter(({ number }) => number > this.#readTo).length;
  }

  /** Everything has been read. */
  read() {
    this.#readTo = this.lines.at(-1)?.number ?? 0;
  }

  /** @param {ChatLine} line */
  #isHeard({ player }) {
    return !this.muted.has(player.id);
  }
}
