/** The form in which the owner of an account writes the profile text and chooses whether to appear online. */

import { element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";
import { countryName } from "../profiles/country_chip.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Preferences } from "../protocol.js" */

const MAX_CHARACTERS = 400;

export class ProfileForm {
  #bio = element("textarea", { id: "about-bio", name: "bio", rows: 4, maxlength: MAX_CHARACTERS, "aria-describedby": "about-bio-hint" });
  #country = element("select", { id: "about-country", name: "country" });
  #shown = element("input", { type: "checkbox", name: "shown" });
  #submit = element("button", { type: "submit", class: "button primary", disabled: true }, gettext("Save"));

  /** @param {Connection} connection @param {boolean} isBot */
  constructor(connection, isBot) {
    this.connection = connection;
    this.element = form(
      { class: "card account-form profile-form", "aria-label": gettext("Profile") },
      () => this.#save(),
      element("h2", {}, gettext("Profile")),
      element("p", { class: "note" }, gettext("Everyone can see this on your profile.")),
      element(
        "div",
        { class: "field" },
        element("label", { for: "about-bio" }, isBot ? gettext("About the bot") : gettext("About you")),
        this.#bio,
        element("p", { class: "hint", id: "about-bio-hint" }, gettext("Plain text, at most {count} characters.", { count: MAX_CHARACTERS })),
      ),
      element("div", { class: "field" }, element("label", { for: "about-country" }, gettext("Country")), this.#country),
      element("label", { class: "check" }, this.#shown, gettext("Show when I am online and which match I am playing")),
      element("div", { class: "account-action" }, this.#submit),
    );
    this.#load();
  }

  async #load() {
    const chosen = await answerOrToast(this.connection.ask({ type: "get_preferences" }));
    if (chosen !== null) this.#show(chosen);
  }

  /** @param {Preferences} preferences */
  #show({ bio, country, online_visible, countries }) {
    this.#bio.value = bio;
    this.#shown.checked = online_visible;
    const named = countries.map((code) => ({ code, name: countryName(code) }));
    named.sort((one, other) => one.name.localeCompare(other.name));
    this.#country.replaceChildren(
      element("option", { value: "" }, gettext("Do not show")),
      ...named.map(({ code, name }) => element("option", { value: code, selected: code === country }, name)),
    );
    this.#submit.disabled = false;
  }

  async #save() {
    const country = this.#country.value === "" ? null : this.#country.value;
    const said = await answerOrToast(this.connection.ask({ type: "set_profile", bio: this.#bio.value, country }));
    const hidden = said && (await answerOrToast(this.connection.ask({ type: "set_online_visibility", online_visible: this.#shown.checked })));
    if (hidden) toast(gettext("Profile saved."));
  }
}
