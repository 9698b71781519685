/**
 * The chat of a match, where players and spectators write in separate rooms until it is over, or of a tournament, where
 * everyone with an account writes in one.
 *
 * The server checks each line. While folded, the panel counts unread lines.
 */

import { button, element, form } from "../element.js";
import { icon } from "../icons.js";
import { gettext, later, ngettext } from "../language/texts.js";
import { playSound } from "../sound.js";
import { answerOrToast, toast } from "../toasts.js";
import { recall, remember } from "../storage.js";
import { chatLine } from "./chat_line.js";
import { ChatLog } from "./chat_log.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { TalkCommand } from "../connection/questions.js" */
/** @import { Chat, ChatLine, ChatLineAdded, ChatRoom, ReportReason } from "../protocol.js" */
/** @import { MatchState } from "../match/match_state.js" */

const FOLDED_KEY = "millrace.chat";
/** In narrow windows the chat is below the board and starts folded. */
const WIDE = "(min-width: 861px) and (min-height: 700px)";
const GUEST_CHARACTERS = 140;
const MAX_CHARACTERS = 280;

/** @type {Record<ChatRoom, string>} */
const TITLES = { players: later("Players’ chat"), spectators: later("Spectators’ chat") };

export class ChatPanel {
  #log = new ChatLog();
  #isOpen = recall(FOLDED_KEY) === "open";
  /** Whether everyone reads everything in a match, as after its end. */
  #isOver = false;
  #unfollow = () => {};
  #lines = element("ol", { class: "chat-lines", "aria-label": gettext("Chat lines"), tabindex: 0 });
  #muted = element("div", { class: "chat-muted", hidden: true });
  /** Why the reader may not chat. */
  #silenced = element("p", { class: "chat-silenced", role: "status", hidden: true });
  #title = element("span", { class: "chat-title" }, gettext("Chat"));
  #count = element("span", { class: "chat-count", hidden: true });
  #input = element("input", { class: "chat-input", autocomplete: "off", enterkeyhint: "send" });
  #form;
  #body;
  #header;

  /** @param {Connection} connection @param {string} name The match, or `tournament/ID`. */
  constructor(connection, name) {
    this.connection = connection;
    this.name = name;
    this.isOfMatch = !name.includes("/");
    if (!this.isOfMatch) this.#unfoldAtFirst(true);
    const say = element("button", { type: "submit", class: "button" }, gettext("Send"));
    this.#form = form({ class: "chat-form" }, () => this.#submit(), this.#input, say);
    this.#body = element("div", { class: "chat-body", id: "chat-body" }, this.#muted, element("div", { role: "log" }, this.#lines), this.#silenced, this.#form);
    this.#header = element(
      "button",
      { type: "button", class: "chat-header", "aria-controls": "chat-body", onclick: () => this.#fold() },
      icon("chat"),
      this.#title,
      this.#count,
      icon("forward"),
    );
    this.element = element("section", { class: "chat", "aria-label": gettext("Chat") }, this.#header, this.#body);
    this.onRestrictions = () => this.#mirror();
    this.#mirror();
  }

  open() {
    this.connection.addEventListener("restrictions", this.onRestrictions);
    this.#unfollow = this.connection.follow({ type: "watch_chat", match: this.name }, (message) => this.#receive(message));
  }

  close() {
    this.connection.removeEventListener("restrictions", this.onRestrictions);
    this.#unfollow();
  }

  /** Update after a match event: opponents may have joined, and after the end both rooms are shown. @param {MatchState} state */
  show(state) {
    this.element.hidden = state.ownSeats.length > 0 && !state.hasCompany;
    this.#unfoldAtFirst(state.hasCompany);
    if (this.#isOpen) this.#log.read();
    this.#mirror();
    const isOver = state.end !== null;
    if (isOver === this.#isOver) return;
    this.#isOver = isOver;
    this.#draw();
  }

  /** @param {Chat | ChatLineAdded} message */
  #receive(message) {
    const said = this.#log.receive(message);
    if (this.#isOpen) this.#log.read();
    if (message.type === "chat") this.#draw();
    else this.#add(said);
    if (message.type !== "chat" && said.some(({ player }) => player.id !== this.connection.player?.id)) playSound("line");
    this.#mirror();
  }

  #draw() {
    this.#lines.replaceChildren();
    this.#add(this.#log.visible);
    const talkers = [...this.#log.mutedSpeakers];
    this.#muted.hidden = talkers.length === 0;
    this.#muted.replaceChildren(
      ...talkers.map(([id, name]) =>
        element("p", {}, gettext("{name} is muted.", { name }), " ", button(gettext("Unmute"), () => this.#mute(id, false), { "aria-label": gettext("Unmute {name}", { name }) })),
      ),
    );
    this.#mirror();
  }

  /** @param {ChatLine[]} lines */
  #add(lines) {
    const { scrollTop, scrollHeight, clientHeight } = this.#lines;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 30;
    for (const line of lines) {
      const isOwn = line.player.id === this.connection.player?.id;
      const isFromSpectator = this.#isOver && line.room === "spectators";
      const handlers = { mute: this.#mute.bind(this), report: this.#report.bind(this) };
      this.#lines.append(chatLine(line, { isOwn, isFromSpectator }, handlers));
    }
    if (isAtEnd) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  /** Update everything except the lines. */
  #mirror() {
    const { room, unread } = this.#log;
    const count = this.#isOpen ? 0 : unread;
    const isShared = this.#isOver || !this.isOfMatch;
    this.#title.textContent = isShared ? gettext("Chat") : gettext(TITLES[room]);
    this.#count.textContent = ngettext("{count} new", "{count} new", count);
    this.#count.hidden = count === 0;
    this.#header.setAttribute("aria-expanded", String(this.#isOpen));
    this.#body.hidden = !this.#isOpen;
    const { mute_text, muted_until_ms } = this.connection.restrictions;
    const isMuted = mute_text !== "" && (muted_until_ms === null || muted_until_ms > this.connection.now_ms());
    const isReader = !this.isOfMatch && !this.connection.player?.registered;
    this.#silenced.textContent = isReader ? gettext("You need an account for this; create one or sign in first.") : mute_text;
    this.#silenced.hidden = !isMuted && !isReader;
    this.#silenced.classList.toggle("note", !isMuted);
    this.#form.hidden = isReader;
    this.#lines.dataset.empty = !this.isOfMatch
      ? gettext("Everyone can read this.")
      : room === "players"
        ? gettext("Only the players can read this.")
        : gettext("Spectators can read this now, players after the match.");
    this.#input.maxLength = this.connection.player?.registered ? MAX_CHARACTERS : GUEST_CHARACTERS;
    const words = isShared ? gettext("Write a message") : room === "players" ? gettext("Write to the players") : gettext("Write to the spectators");
    this.#input.placeholder = words;
    this.#input.setAttribute("aria-label", words);
  }

  /** Unfold the panel in wide windows, until the reader has folded or unfolded it. @param {boolean} hasCompany */
  #unfoldAtFirst(hasCompany) {
    if (recall(FOLDED_KEY) === null) this.#isOpen ||= hasCompany && matchMedia(WIDE).matches;
  }

  #fold() {
    this.#isOpen = !this.#isOpen;
    remember(FOLDED_KEY, this.#isOpen ? "open" : "folded");
    if (this.#isOpen) this.#log.read();
    this.#mirror();
    if (this.#isOpen) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  async #submit() {
    const text = this.#input.value.trim();
    if (text === "") return;
    this.#input.value = "";
    const wasSaid = await this.#ask({ type: "say", match: this.name, text });
    // Put a refused line back, unless the reader is already writing another.
    if (!wasSaid && this.#input.value === "") this.#input.value = text;
  }

  /** @param {string} player @param {boolean} on */
  #mute(player, on) {
    return this.#ask({ type: "mute", player, on });
  }

  /** @param {ChatLine} line @param {ReportReason} reason */
  async #report(line, reason) {
    const wasSent = await this.#ask({ type: "report", match: this.name, line: line.number, reason });
    if (wasSent) toast(gettext("Report sent. Thank you."));
  }

  /** @param {TalkCommand} command @returns {Promise<boolean>} False if refused; the reason is shown. */
  async #ask(command) {
    return (await answerOrToast(this.connection.ask(command))) !== null;
  }
}
