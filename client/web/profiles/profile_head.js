/** The upper part of a profile: text, presence, and buttons to challenge, follow and block. */

import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { bioText } from "./bio_text.js";
import { countryChip, countryName } from "./country_chip.js";
import { lamp } from "./player_row.js";
import { presenceText } from "./presence_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Blocked, Profile } from "../protocol.js" */

export class ProfileHead {
  element = element("div", { class: "profile-summary" });
  #tools = element("div", { class: "profile-tools" });
  #follow = element("span", { class: "slot" });
  #block = element("span", { class: "slot profile-block" });
  #note = element("p", { class: "soft", role: "status" });
  #followers = element("span");

  /** @param {Connection} connection @param {Profile} about */
  constructor(connection, about) {
    this.connection = connection;
    this.player = about.status.player;
    this.element.append(this.#presence(about), ...(about.bio === "" ? [] : [bioText(about.bio)]), this.#tools, this.#note);
    this.#showTools(about);
  }

  /** @param {Profile} about */
  #presence({ status, followers, closed }) {
    const { country, match } = status;
    const words = closed ? gettext("banned") : presenceText(status, this.connection.now_ms());
    this.#countFollowers(followers);
    return element(
      "p",
      { class: "profile-presence" },
      words === "" ? null : element("span", { class: "profile-fact" }, lamp(status), words),
      match === null ? null : element("a", { href: `/match/${match}` }, gettext("Watch")),
      country === null ? null : element("span", { class: "profile-fact" }, countryChip(country), element("span", { "aria-hidden": "true" }, countryName(country))),
      status.player.level === null ? this.#followers : null,
    );
  }

  /** @param {number} followers */
  #countFollowers(followers) {
    this.#followers.textContent = ngettext("{count} follower", "{count} followers", followers);
  }

  /** @param {Profile} about */
  #showTools(about) {
    const { player } = this;
    if (player.level !== null) return;
    if (player.id === this.connection.player?.id) {
      this.#tools.append(element("a", { class: "button quiet", href: "/account" }, gettext("Edit profile")));
      return;
    }
    const challenge = element("a", { class: "button primary", href: `/challenge/${encodeURIComponent(player.name)}` }, gettext("Challenge"));
    this.#tools.append(...(about.closed ? [] : [challenge]), this.#follow, this.#block);
    if (this.connection.player?.registered) this.#showFollow(about.followed);
    this.#loadBlock();
  }

  /** @param {boolean} isFollowed */
  #showFollow(isFollowed) {
    const hadFocus = this.#follow.contains(document.activeElement);
    const toggle = button(isFollowed ? gettext("Following") : gettext("Follow"), () => this.#changeFollow(!isFollowed), {
      "aria-pressed": String(isFollowed),
      title: isFollowed ? gettext("Unfollow") : gettext("See in your list when this player is online or playing"),
    });
    this.#follow.replaceChildren(toggle);
    if (hadFocus) toggle.focus();
  }

  /** @param {boolean} on */
  async #changeFollow(on) {
    const done = await answerOrToast(this.connection.ask({ type: "follow", player: this.player.id, on }));
    if (done !== null) await this.#refresh();
  }

  async #refresh() {
    const about = await answerOrToast(this.connection.ask({ type: "get_profile", name: this.player.name }));
    if (about === null) return;
    this.#countFollowers(about.followers);
    if (this.connection.player?.registered) this.#showFollow(about.followed);
  }

  async #loadBlock() {
    const answer = await answerOrToast(this.connection.ask({ type: "get_blocked" }));
    if (answer !== null) this.#showBlock(answer);
  }

  /** @param {Blocked} answer */
  #showBlock(answer) {
    const { id } = this.player;
    const isBlocked = answer.players.includes(id);
    const press = () => this.#changeBlock(isBlocked ? "unblock" : "block");
    this.#block.replaceChildren(button(isBlocked ? gettext("Unblock") : gettext("Block"), press, { class: "button quiet" }));
    this.#note.textContent = isBlocked ? gettext("You blocked this player: no pairings and no challenges.") : "";
  }

  /** @param {"block" | "unblock"} type */
  async #changeBlock(type) {
    const answer = await answerOrToast(this.connection.ask({ type, player: this.player.id }));
    if (answer === null) return;
    this.#showBlock(answer);
    await this.#refresh();
  }
}
