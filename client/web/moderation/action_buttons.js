/**
 * What may be done upon somebody, as buttons; each opens its form. Used for reported players and on the list of people.
 */

import { button, element } from "../element.js";
import { answerOrToast, toast } from "../toasts.js";
import { actionForm } from "./action_form.js";
import { ACTION_TEXTS } from "./moderation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ModerationRequest } from "../connection/questions.js" */
/** @import { ModerationAction, Role } from "../protocol.js" */
/** @import { ActionValues, Plan } from "./action_form.js" */

/**
 * @typedef {object} Subject
 * @property {string} id
 * @property {string} name
 * @property {boolean} registered
 * @property {boolean} muted
 * @property {boolean} banned
 * @property {Role | null} role
 */

export class ActionButtons {
  #form = element("div", { class: "moderation-action-place" });
  #buttons = element("div", { class: "moderation-action-buttons", role: "group" });
  /** @type {{ ids: string[], words: string } | null} */
  #reports = null;

  /**
   * @param {Connection} connection
   * @param {() => void} done Is told when something was done.
   */
  constructor(connection, done) {
    this.connection = connection;
    this.done = done;
    this.element = element("div", { class: "moderation-actions" }, this.#buttons, this.#form);
  }

  /**
   * Offer what may be done.
   * @param {Subject} subject
   * @param {{ ids: string[], words: string, matches: string[] } | null} reports That it may settle.
   */
  show(subject, reports) {
    this.#reports = reports;
    // Roles are given and taken on the list of people, not where somebody is reported.
    const givesRoles = reports === null && this.connection.standing.role === "admin";
    this.#buttons.setAttribute("aria-label", `About ${subject.name}`);
    this.#buttons.replaceChildren(
      ...playerActions(subject, givesRoles).map(([action, label, plan]) => this.#opener(label, plan, { type: "moderate", action, reason: "", player: subject.id })),
      ...(reports?.matches ?? []).map((match) => this.#voidOpener(match)),
    );
  }

  get isBusy() {
    return this.#form.childElementCount > 0;
  }

  /**
   * A button that opens the form of an action.
   * @param {string} label
   * @param {Plan} plan
   * @param {ModerationRequest} command But for what the form says.
   */
  #opener(label, plan, command) {
    const opener = button(label, () => this.open(plan, command, opener), { class: "button quiet moderation-action-button" });
    return opener;
  }

  /** @param {string} match */
  #voidOpener(match) {
    const words = "Its result counts no more, and what it did to the ratings is taken back. This cannot be undone.";
    return this.#opener(`Void ${match}…`, { action: "Void the match", words, isDanger: true }, { type: "moderate", action: "void", reason: "", match });
  }

  /**
   * @param {Plan} plan
   * @param {ModerationRequest} command
   * @param {HTMLElement} opener
   */
  open(plan, command, opener) {
    const close = () => {
      this.#form.replaceChildren();
      opener.focus();
    };
    const settles = this.#reports === null || command.type === "settle_reports" ? undefined : this.#reports.words;
    const send = (/** @type {ActionValues} */ values) => this.#send(command, values);
    const form = actionForm({ ...plan, settles }, send, close);
    this.#form.replaceChildren(form.element);
    form.focus();
  }

  /**
   * @param {ModerationRequest} command
   * @param {ActionValues} values
   */
  async #send(command, { reason, duration_ms, settles }) {
    const whole = /** @type {ModerationRequest} */ ({ ...command, reason });
    if (whole.type === "moderate") {
      if (duration_ms !== null) whole.duration_ms = duration_ms;
      if (settles) whole.reports = this.#reports?.ids ?? [];
    }
    const isDone = (await answerOrToast(this.connection.ask(whole))) !== null;
    if (!isDone) return false;
    this.#form.replaceChildren();
    toast(whole.type === "moderate" ? `${ACTION_TEXTS[whole.action]}.` : "Settled.");
    this.done();
    return true;
  }
}

/**
 * @param {Subject} subject
 * @param {boolean} givesRoles
 * @returns {[action: ModerationAction, label: string, plan: Plan][]}
 */
function playerActions({ registered, muted, banned, role }, givesRoles) {
  /** @type {[ModerationAction, string, Plan][]} */
  const actions = muted
    ? [["unmute", "Unmute…", { action: "Unmute" }]]
    : [["mute", "Mute…", { action: "Mute", hasDuration: true, isTold: true, words: "The player can talk nowhere on this site." }]];
  if (!registered) return actions;
  actions.push(
    ["remove_name", "Remove the name…", { action: "Remove the name", isDanger: true, words: "The account gets a neutral name, and nobody gets the old one. This cannot be undone." }],
    ["clear_bio", "Clear the words about oneself…", { action: "Clear", isDanger: true, words: "What the player has written cannot be brought back." }],
  );
  if (banned) actions.push(["unban", "Reopen the account…", { action: "Reopen the account" }]);
  else actions.push(["ban", "Close the account…", { action: "Close the account", isTold: true, isDanger: true, words: "All sessions and tokens end, matches are given up, and nobody can sign in until it is reopened." }]);
  if (!givesRoles) return actions;
  if (role !== null) actions.push(["remove_role", "Take the role…", { action: "Take the role" }]);
  if (role !== "moderator") actions.push(["make_moderator", "Make moderator…", { action: "Make moderator" }]);
  if (role !== "admin") actions.push(["make_admin", "Make admin…", { action: "Make admin" }]);
  return actions;
}
