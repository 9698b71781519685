/** The account page: guests register or sign in; owners change or delete their account. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { toast } from "../toasts.js";
import { ProfileForm } from "./profile_form.js";
import { AccountForm } from "./account_form.js";
import { RecoveryCodesCard } from "./recovery_codes.js";
import { recover, register, signIn, signOut } from "./signing_in.js";
import { EmailCard, codesInAddress, mailCodeButton } from "./email_forms.js";
import { NotificationForm } from "./notification_form.js";
import { TokenList } from "./token_list.js";
import { VacationForm } from "./vacation_form.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Player } from "../protocol.js" */

export class AccountPage {
  #shown = "";

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} navigate */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    this.element = element("div", { class: "account-page" });
    this.onWelcome = () => this.#show();
    this.onRestrictions = () => this.#show();
    // The link in an e-mail may open while this page is already shown.
    this.onPart = () => {
      this.#shown = "";
      this.#show();
    };
  }

  open() {
    document.title = `${gettext("Account")} · Millrace`;
    this.connection.addEventListener("welcome", this.onWelcome);
    this.connection.addEventListener("restrictions", this.onRestrictions);
    addEventListener("hashchange", this.onPart);
    this.#show();
  }

  close() {
    this.connection.removeEventListener("welcome", this.onWelcome);
    this.connection.removeEventListener("restrictions", this.onRestrictions);
    removeEventListener("hashchange", this.onPart);
  }

  /** Keeps what is being typed while the account stays the same. */
  #show() {
    const { player, restrictions } = this.connection;
    const shown = `${player?.id} ${player?.name} ${restrictions.name_removed}`;
    if (player === null || this.#shown === shown) return;
    this.#shown = shown;
    this.element.replaceChildren(...(player.registered ? this.#ownParts(player) : this.#guestParts(player)));
  }

  /** @param {Player} guest */
  #guestParts(guest) {
    const name = { name: "name", label: gettext("Name"), keeper: /** @type {const} */ ("username") };
    const registering = new AccountForm({
      title: gettext("Create an account"),
      name: "register",
      words: [gettext("You keep your matches, and nobody else can use your name.")],
      fields: [
        { ...name, hint: gettext("3 to 20 letters, digits, hyphens or underscores.") },
        { name: "password", label: gettext("Password"), keeper: "new-password", hint: gettext("At least 8 characters. A few words work well.") },
      ],
      action: gettext("Create account"),
      send: (values) => register(this.connection, values.name ?? "", values.password ?? ""),
    });
    const signingIn = new AccountForm({
      title: gettext("Sign in"),
      name: "sign-in",
      words: [gettext("Use your existing account.")],
      fields: [name, { name: "password", label: gettext("Password"), keeper: "current-password" }],
      action: gettext("Sign in"),
      send: (values) => signIn(this.connection, values.name ?? "", values.password ?? ""),
    });
    const given = codesInAddress();
    const recoveryRevoking = revokingBox();
    /** @type {AccountForm} */
    const recovering = new AccountForm({
      title: gettext("Forgot your password?"),
      name: "recover",
      words: [gettext("Use one of your recovery codes to set a new password. All devices are signed out.")],
      fields: [
        { ...name, value: given.name },
        { name: "code", label: gettext("Recovery code"), keeper: "off", value: given.recovery },
        { name: "new_password", label: gettext("New password"), keeper: "new-password", hint: gettext("At least 8 characters. A few words work well.") },
      ],
      more: [recoveryRevoking.element, mailCodeButton(this.connection, () => recovering.valueOf("name"))],
      action: gettext("Set new password"),
      send: ({ name = "", code = "", new_password = "" }) => recover(this.connection, name, code, new_password, recoveryRevoking.box.checked),
    });
    return [
      intro(gettext("Your account"), gettext("You are playing as the guest {name}. Create an account to play rated matches and keep your name on every device.", { name: guest.name })),
      // A reader who follows the link in an e-mail only wants a new password.
      element("div", { class: "account-cards" }, ...(given.recovery === "" ? [registering.element, signingIn.element] : []), recovering.element),
    ];
  }

  /** @param {Player} owner */
  #ownParts(owner) {
    const out = button(gettext("Sign out"), () => signOut(this.connection).catch((error) => toast(error.message)));
    const head = intro(owner.name, gettext("You are signed in."));
    head.append(out);
    const codes = new RecoveryCodesCard(this.connection, owner.name, this.navigate).element;
    this.tokens = new TokenList(this.connection);
    if (RecoveryCodesCard.isWaiting) return [head, element("div", { class: "account-cards" }, codes)];
    return [
      head,
      element(
        "div",
        { class: "account-cards" },
        this.connection.restrictions.name_removed ? this.#nameForm().element : null,
        new ProfileForm(this.connection, owner.bot === true).element,
        new NotificationForm(this.connection).element,
        new VacationForm(this.connection).element,
        this.#passwordForm().element,
        new EmailCard(this.connection).element,
        codes,
        this.tokens.element,
        this.#botPart(owner),
        dataPart(),
        this.#deletionForm(owner).element,
      ),
    ];
  }

  #nameForm() {
    return new AccountForm({
      title: gettext("Choose a new name"),
      name: "choose-name",
      words: [gettext("Moderators removed your name, and others see a neutral one. You can choose a new name once.")],
      fields: [{ name: "name", label: gettext("Name"), keeper: "username", hint: gettext("3 to 20 letters, digits, hyphens or underscores.") }],
      action: gettext("Use this name"),
      send: async ({ name = "" }) => {
        await this.connection.askOnce({ type: "choose_name", name: name.trim() });
        location.reload();
      },
    });
  }

  #passwordForm() {
    const revoking = revokingBox();
    return new AccountForm({
      title: gettext("Change password"),
      name: "change-password",
      words: [gettext("You stay signed in here. All other devices are signed out.")],
      fields: [
        { name: "password", label: gettext("Current password"), keeper: "current-password" },
        { name: "new_password", label: gettext("New password"), keeper: "new-password", hint: gettext("At least 8 characters. A few words work well.") },
      ],
      more: [revoking.element],
      action: gettext("Change password"),
      send: async (values, form) => {
        const { password = "", new_password = "" } = values;
        await this.connection.askOnce({ type: "change_password", password, new_password, revoke_tokens: revoking.box.checked });
        form.clear();
        if (revoking.box.checked) await this.tokens?.load();
        revoking.box.checked = false;
        toast(gettext("Password changed."));
      },
    });
  }

  /** @param {Player} owner */
  #botPart(owner) {
    const words = gettext("A bot account is played by a program. Everyone sees a mark beside its name. Players challenge it; it cannot use quick pairing.");
    if (owner.bot) return element("section", { class: "card" }, element("h2", {}, gettext("Bot account")), element("p", { class: "note" }, words));
    return new AccountForm({
      title: gettext("Convert to a bot account"),
      name: "become-bot",
      words: [words, gettext("You can convert an account that has not played yet. This cannot be undone.")],
      fields: [{ name: "name", label: gettext("Type {name} to confirm", { name: owner.name }), keeper: "off" }],
      action: gettext("Convert to a bot account"),
      isDanger: true,
      send: async ({ name = "" }) => {
        if (name.trim() !== owner.name) throw new Error(gettext("Type {name} to confirm.", { name: owner.name }));
        await this.connection.askOnce({ type: "become_bot" });
        location.reload();
      },
    }).element;
  }

  /** @param {Player} owner */
  #deletionForm(owner) {
    return new AccountForm({
      title: gettext("Delete account"),
      name: "delete-account",
      words: [
        gettext("You resign all matches in progress. Finished matches remain, with “Deleted player” in place of your name. This cannot be undone."),
      ],
      fields: [
        { name: "name", label: gettext("Type {name} to confirm", { name: owner.name }), keeper: "off" },
        { name: "password", label: gettext("Password"), keeper: "current-password" },
      ],
      action: gettext("Delete my account"),
      isDanger: true,
      send: async ({ name = "", password = "" }) => {
        if (name.trim() !== owner.name) throw new Error(gettext("Type {name} to confirm.", { name: owner.name }));
        await this.connection.askOnce({ type: "delete_account", password });
      },
    });
  }
}

/** The owner's own data, to take along. */
function dataPart() {
  const words = gettext("A file with everything this site stores about you, and your matches. Secrets such as your password are not in it.");
  const link = element("a", { class: "button", href: "/account/data.json", download: "" }, gettext("Download your data"));
  return element("section", { class: "card" }, element("h2", {}, gettext("Your data")), element("p", { class: "note" }, words), link);
}

/** @param {string} title @param {string} words */
function intro(title, words) {
  return element("div", { class: "account-intro" }, element("h1", {}, title), element("p", { class: "note" }, words));
}

/** A box to revoke the API tokens together with the old password. @returns {{ box: HTMLInputElement, element: HTMLElement }} */
function revokingBox() {
  const box = element("input", { type: "checkbox" });
  return { box, element: element("label", { class: "check" }, box, gettext("Revoke all API tokens too")) };
}
