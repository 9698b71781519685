/** Buttons for moderation actions on a player; each opens a form. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
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

  /** @param {Connection} connection @param {() => void} done Called after an action. */
  constructor(connection, done) {
    this.connection = connection;
    this.done = done;
    this.element = element("div", { class: "moderation-actions" }, this.#buttons, this.#form);
  }

  /**
   * Show the available actions.
   * @param {Subject} subject
   * @param {{ ids: string[], words: string, matches: string[] } | null} reports The reports that an action can settle.
   */
  show(subject, reports) {
    this.#reports = reports;
    // Roles are changed in the players view, not on reports.
    const givesRoles = reports === null && this.connection.restrictions.role === "admin";
    this.#buttons.setAttribute("aria-label", gettext("About {name}", { name: subject.name }));
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
   * @param {ModerationRequest} command Without the values of the form.
   */
  #opener(label, plan, command) {
    const opener = button(label, () => this.open(plan, command, opener), { class: "button quiet moderation-action-button" });
    return opener;
  }

  /** @param {string} match */
  #voidOpener(match) {
    const words = gettext("The result no longer counts, and its rating changes are reverted. This cannot be undone.");
    return this.#opener(gettext("Void {match}…", { match }), { action: gettext("Void the match"), words, isDanger: true }, { type: "moderate", action: "void", reason: "", match });
  }

  /** @param {Plan} plan @param {ModerationRequest} command @param {HTMLElement} opener */
  open(plan, command, opener) {
    const close = () => {
      form.element.remove();
      opener.focus();
    };
    const settles = this.#reports === null || command.type === "settle_reports" ? undefined : this.#reports.words;
    const send = (/** @type {ActionValues} */ values) => this.#send(command, values, form.element);
    const form = actionForm({ ...plan, settles }, send, close);
    this.#form.replaceChildren(form.element);
    form.focus();
  }

  /**
   * @param {ModerationRequest} command
   * @param {ActionValues} values
   * @param {HTMLElement} form Where they were filled in.
   */
  async #send(command, { reason, duration_ms, settles }, form) {
    const whole = /** @type {ModerationRequest} */ ({ ...command, reason });
    if (whole.type === "moderate") {
      if (duration_ms !== null) whole.duration_ms = duration_ms;
      if (settles) whole.reports = this.#reports?.ids ?? [];
    }
    const isDone = (await answerOrToast(this.connection.ask(whole))) !== null;
    if (!isDone) return false;
    form.remove(); // Only this one: another may have been opened meanwhile.
    toast(whole.type === "moderate" ? `${gettext(ACTION_TEXTS[whole.action])}.` : gettext("Reports settled."));
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
    ? [["unmute", gettext("Unmute…"), { action: gettext("Unmute") }]]
    : [["mute", gettext("Mute…"), { action: gettext("Mute"), hasDuration: true, isTold: true, words: gettext("The player cannot chat anywhere on this site.") }]];
  if (!registered) return actions;
  actions.push(
    ["remove_name", gettext("Remove name…"), { action: gettext("Remove name"), isDanger: true, words: gettext("The account gets a neutral name, and nobody can use the old one. This cannot be undone.") }],
    ["clear_bio", gettext("Remove profile text…"), { action: gettext("Remove profile text"), isDanger: true, words: gettext("The text cannot be restored.") }],
  );
  if (banned) actions.push(["unban", gettext("Lift ban…"), { action: gettext("Lift ban") }]);
  else actions.push(["ban", gettext("Ban…"), { action: gettext("Ban"), isTold: true, isDanger: true, words: gettext("The player is signed out everywhere, resigns all matches and cannot sign in until the ban is lifted.") }]);
  if (!givesRoles) return actions;
  if (role !== null) actions.push(["remove_role", gettext("Remove role…"), { action: gettext("Remove role") }]);
  if (role !== "moderator") actions.push(["make_moderator", gettext("Make moderator…"), { action: gettext("Make moderator") }]);
  actions.push(["delete_account", gettext("Delete account…"), { action: gettext("Delete account"), isDanger: true, words: gettext("The player resigns all matches in progress. Finished matches remain, with “Deleted player” in place of the name. This cannot be undone.") }]);
  if (role !== "admin") actions.push(["make_admin", gettext("Make admin…"), { action: gettext("Make admin") }]);
  return actions;
}
