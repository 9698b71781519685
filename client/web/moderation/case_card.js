/** The open reports about one player: content, reporter and context, with moderation actions. */

import { placePath } from "../chat/place_path.js";
import { momentText } from "../dates.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { ActionButtons } from "./action_buttons.js";
import { REASON_TEXTS, reportsText, shownReportsText, tallyText } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ModerationRequest } from "../connection/questions.js" */
/** @import { ChatLine, OpenReport, ReportedPlayer } from "../protocol.js" */

export class CaseCard {
  #head = element("header", { class: "case-head" });
  #reports = element("ol", { class: "case-reports" });
  #actions;
  #closing = element("div", { class: "case-closing" });
  #isOwn = false;

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.#actions = new ActionButtons(connection, () => undefined);
    this.element = element("article", { class: "card case" }, this.#head, this.#reports, this.#closing, this.#actions.element);
  }

  /** @param {ReportedPlayer} each */
  show(each) {
    const { player, taken_by, reports } = each;
    this.#isOwn = taken_by?.id === this.connection.player?.id && taken_by !== null;
    this.element.setAttribute("aria-label", gettext("Reports about {name}", { name: player.name }));
    this.element.dataset.player = player.id;
    this.#head.replaceChildren(...this.#headParts(each));
    this.#reports.replaceChildren(...reports.map((report) => this.#report(report)));
    const words = reportsText(reports.length);
    const ids = reports.map(({ id }) => id);
    this.#actions.element.hidden = !this.#isOwn;
    this.#closing.replaceChildren(...(this.#isOwn ? this.#closers(player.id, ids, words) : []));
    const matches = [...new Set(reports.flatMap(({ match }) => (match === null || match.includes("/") ? [] : [match])))];
    if (this.#isOwn && !this.#actions.isBusy) this.#actions.show({ ...each, ...player, role: null }, { ids, words, matches });
  }

  /** @param {ReportedPlayer} each */
  #headParts({ player, registered, upheld, muted, banned, taken_by, reports, further = 0 }) {
    const path = `/moderation?${new URLSearchParams({ view: "players", name: player.name })}`;
    const marks = [registered ? "" : gettext("Guest"), muted ? gettext("Muted") : "", banned ? gettext("Banned") : "", upheld > 0 ? gettext("{upheld} upheld before", { upheld }) : ""];
    const name = registered ? element("a", { class: "player-link", href: path }, player.name) : player.name;
    const take = (/** @type {boolean} */ on) => answerOrToast(this.connection.ask({ type: "take_reports", player: player.id, on }));
    const taken = taken_by === null ? "" : this.#isOwn ? gettext("Assigned to you") : gettext("Assigned to {name}", { name: taken_by.name });
    return [
      element(
        "div",
        { class: "case-who" },
        element("h2", {}, name),
        element("p", { class: "case-marks" }, shownReportsText(reports.length, further), ...marks.filter((mark) => mark !== "").map((mark) => element("span", { class: "case-mark" }, mark))),
      ),
      element("span", { class: "case-assignee" }, taken),
      taken_by === null ? button(gettext("Take"), () => take(true), { class: "button primary", "aria-label": gettext("Take the reports about {name}", { name: player.name }) }) : null,
      this.#isOwn ? button(gettext("Release"), () => take(false), { class: "button quiet" }) : null,
    ].filter((part) => part !== null);
  }

  /** @param {OpenReport} report */
  #report(report) {
    const { match, line, text, reason, note, by, at_ms, study = null } = report;
    const context = element("div", { class: "case-context", "aria-live": "polite" });
    const around = match !== null && line !== null ? button(gettext("Show context"), () => this.#showContext(match, line, context), { class: "button quiet small" }) : null;
    const remove = this.#isOwn && match !== null && line !== null && text !== "" ? this.#remover(match, line) : null;
    return element(
      "li",
      { class: "case-report" },
      element(
        "p",
        { class: "case-facts" },
        element("span", { class: "case-reason" }, REASON_TEXTS[reason]),
        this.#place(match, study),
        element("span", {}, momentText(at_ms)),
      ),
      text === "" ? null : element("blockquote", { class: "case-text", dir: "auto" }, text),
      note === "" ? null : element("p", { class: "case-comment", dir: "auto" }, `“${note}”`),
      element("p", { class: "soft case-by" }, `${gettext("Reported by {name}", { name: by.name })} · ${tallyText(report.upheld, report.dismissed)}`),
      element("div", { class: "case-tools" }, around, remove, ...(this.#isOwn ? this.#textRemovers(report) : [])),
      context,
    );
  }

  /** @param {string | null} match @param {string | null} study */
  #place(match, study) {
    if (study !== null) return element("a", { href: `/study/${study}`, target: "_blank" }, gettext("Study"));
    if (match === null) return element("span", {}, gettext("from the profile"));
    return element("a", { href: placePath(match), target: "_blank" }, match.startsWith("tournament/") ? gettext("Tournament") : gettext("Match"));
  }

  /** Buttons that remove a study, its comments, or the names of an imported match. @param {OpenReport} report */
  #textRemovers({ match, line, reason, study = null }) {
    const words = gettext("This cannot be restored. It stays in the log.");
    const opener = (/** @type {string} */ label, /** @type {string} */ action, /** @type {ModerationRequest} */ command) => {
      const made = button(label, () => this.#actions.open({ action, isDanger: true, words }, command, made), { class: "button quiet small" });
      return made;
    };
    const base = { type: /** @type {const} */ ("moderate"), reason: "" };
    if (study !== null) {
      return [
        opener(gettext("Remove study…"), gettext("Remove study"), { ...base, action: "remove_study", study }),
        opener(gettext("Remove title and comments…"), gettext("Remove title and comments"), { ...base, action: "clear_study", study }),
      ];
    }
    if (match === null || line !== null || reason !== "name") return [];
    return [opener(gettext("Remove imported names…"), gettext("Remove imported names"), { ...base, action: "clear_import", match })];
  }

  /** @param {string} match @param {number} line */
  #remover(match, line) {
    const plan = { action: gettext("Remove message"), isDanger: true, words: gettext("Everyone stops seeing the message. It stays in the log.") };
    const opener = button(gettext("Remove message…"), () => this.#actions.open(plan, { type: "moderate", action: "remove_line", reason: "", match, line }, opener), { class: "button quiet small" });
    return opener;
  }

  /** @param {string} player @param {string[]} reports @param {string} words */
  #closers(player, reports, words) {
    const settle = (/** @type {boolean} */ upheld) => {
      const action = upheld ? gettext("Uphold {words}", { words }) : gettext("Dismiss {words}", { words });
      const opener = button(`${action}…`, () => this.#actions.open({ action }, { type: "settle_reports", player, reports, upheld, reason: "" }, opener));
      return opener;
    };
    return [settle(true), settle(false)];
  }

  /** @param {string} match @param {number} line @param {HTMLElement} place */
  async #showContext(match, line, place) {
    if (place.childElementCount > 0) return place.replaceChildren();
    const answer = await answerOrToast(this.connection.ask({ type: "get_chat_context", match, line }));
    if (answer === null) return;
    place.replaceChildren(element("ol", { class: "context-lines" }, ...answer.lines.map((each) => contextLine(each, each.number === line, match.includes("/")))));
  }
}

/** @param {ChatLine} line @param {boolean} isReported @param {boolean} isOneRoom */
function contextLine({ player, room, text }, isReported, isOneRoom) {
  const said = text === "" ? element("em", { class: "soft" }, gettext("removed by a moderator")) : element("span", { dir: "auto" }, text);
  const where = room === "spectators" && !isOneRoom ? element("span", { class: "chat-room" }, "spectator") : null;
  return element("li", { class: isReported ? "reported" : "" }, element("strong", {}, player.name), where, " ", said);
}
