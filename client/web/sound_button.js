/** The button that turns sound on and off. */

import { button } from "./element.js";
import { icon } from "./icons.js";
import { gettext } from "./language/texts.js";
import { prefer, preferenceEvents, preferences } from "./preferences.js";
import { playSound } from "./sound.js";

export class SoundButton {
  element = button(null, () => this.#press(), { class: "button icon-button", "aria-label": gettext("Sound") });
  #mirror = () => this.#show();

  constructor() {
    this.#show();
  }

  /** Also follow changes made elsewhere. */
  open() {
    preferenceEvents.addEventListener("changed", this.#mirror);
    preferenceEvents.addEventListener("loaded", this.#mirror);
    this.#show();
  }

  close() {
    preferenceEvents.removeEventListener("changed", this.#mirror);
    preferenceEvents.removeEventListener("loaded", this.#mirror);
  }

  #press() {
    prefer({ sound: !preferences().sound });
    playSound("move");
  }

  #show() {
    const { sound } = preferences();
    this.element.replaceChildren(icon(sound ? "sound" : "mute"));
    this.element.setAttribute("aria-pressed", String(sound));
    this.element.title = sound ? gettext("Turn sound off") : gettext("Turn sound on");
  }
}
