/**
 * The settings page: language, board, men, coordinates, hints, animation, sound and theme, with a board that shows the choice.
 */

import { Board } from "../board/board.js";
import { EMPTY } from "../board/position.js";
import { element } from "../element.js";
import { gettext, pgettext } from "../language/texts.js";
import { BOARDS, MEN, THEMES, prefer, preferenceEvents, preferences } from "../preferences.js";
import { languageSelect } from "../language/language_select.js";
import { playSound } from "../sound.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Board as Geometry } from "../protocol.js" */

const NO_HANDLERS = { click: () => {}, drop: () => {}, wheel: () => {}, cancel: () => false };

export class SettingsPage {
  #form = element("form", { class: "card", onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
  #note = element("p", { class: "note", role: "status" });
  #release = element("footer", { class: "release" });

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.element = element(
      "div",
      { class: "settings-page" },
      element("h1", {}, gettext("Settings")),
      element("div", { class: "settings-example" }, exampleBoard()),
      this.#form,
      this.#release,
    );
    this.onLoaded = () => this.#show();
    this.onNews = (/** @type {Event} */ { type }) => this.#showNote(type === "stored");
  }

  open() {
    document.title = `${gettext("Settings")} · Millrace`;
    preferenceEvents.addEventListener("loaded", this.onLoaded);
    for (const type of ["changed", "stored"]) preferenceEvents.addEventListener(type, this.onNews);
    this.connection.addEventListener("welcome", this.onNews);
    this.#show();
    this.#showNote(false);
    void this.#showRelease();
  }

  close() {
    preferenceEvents.removeEventListener("loaded", this.onLoaded);
    for (const type of ["changed", "stored"]) preferenceEvents.removeEventListener(type, this.onNews);
    this.connection.removeEventListener("welcome", this.onNews);
  }

  #show() {
    const { board, men, theme, coordinates, hints, animation, sound, volume, vibration } = preferences();
    this.#form.replaceChildren(
      element("label", { class: "labelled" }, element("span", {}, gettext("Language")), languageSelect()),
      choice(gettext("Board"), BOARDS, board, (value) => prefer({ board: value })),
      choice(gettext("Men"), MEN, men, (value) => prefer({ men: value })),
      choice(pgettext("the colours of the page", "Theme"), THEMES, theme, (value) => prefer({ theme: value })),
      check(gettext("Coordinates"), coordinates, (isOn) => prefer({ coordinates: isOn })),
      check(gettext("Mark where a piece can go"), hints, (isOn) => prefer({ hints: isOn })),
      check(gettext("Animate moves"), animation, (isOn) => prefer({ animation: isOn })),
      check(gettext("Sound"), sound, (isOn) => prefer({ sound: isOn })),
      volumeField(volume),
      ...(canVibrate() ? [check(gettext("Vibrate at a mill and at your turn"), vibration, (isOn) => prefer({ vibration: isOn }))] : []),
      this.#note,
    );
  }

  async #showRelease() {
    try {
      const { release, commit } = await (await fetch("/health")).json();
      this.#release.textContent = commit ? `Millrace ${release} (${commit})` : `Millrace ${release}`;
    } catch {
      // The server is away, and the page says so.
    }
  }

  /** @param {boolean} isStored Whether the last change has just been stored with the account. */
  #showNote(isStored) {
    const hasAccount = this.connection.player?.registered ?? false;
    const place = isStored ? gettext("Saved with your account, for all your devices.") : gettext("Kept with your account, for all your devices.");
    this.#note.textContent = hasAccount ? place : gettext("Saved in this browser. With an account, they are the same on all your devices.");
  }
}

/** Browsers on computers know the call too, but do nothing. */
function canVibrate() {
  return "vibrate" in navigator && matchMedia("(any-pointer: coarse)").matches;
}

/**
 * @template {string} Value
 * @param {string} label
 * @param {Record<Value, string>} options Their labels by value.
 * @param {Value} chosen
 * @param {(value: Value) => void} onChoose
 */
function choice(label, options, chosen, onChoose) {
  const select = element(
    "select",
    { onchange: () => onChoose(/** @type {Value} */ (select.value)) },
    ...Object.entries(/** @type {Record<string, string>} */ (options)).map(([value, text]) => element("option", { value, selected: value === chosen }, gettext(text))),
  );
  return element("label", { class: "labelled" }, element("span", {}, label), select);
}

/** @param {string} label @param {boolean} isOn @param {(isOn: boolean) => void} onChange */
function check(label, isOn, onChange) {
  const box = element("input", { type: "checkbox", checked: isOn, onchange: () => onChange(box.checked) });
  return element("label", { class: "check" }, box, label);
}

/** @param {number} volume */
function volumeField(volume) {
  const slider = element("input", {
    type: "range",
    min: 0,
    max: 100,
    step: 5,
    value: volume,
    onchange: () => {
      prefer({ volume: Number(slider.value) });
      playSound("take");
    },
  });
  return element("label", { class: "labelled" }, element("span", {}, gettext("Volume")), slider);
}

/** A corner of a board, with men and marks. */
function exampleBoard() {
  /** @type {Geometry} */
  const geometry = {
    shape: "points",
    cells: [
      ["a1", 0, 0],
      ["b1", 1, 0],
      ["c1", 2, 0],
      ["a2", 0, -1],
      ["c2", 2, -1],
    ],
    lines: [
      [0, 1],
      [1, 2],
      [0, 3],
      [2, 4],
    ],
  };
  const board = new Board(geometry, (seat) => ["white", "black"][seat], NO_HANDLERS, false);
  const piles = new Map([
    ["a1", { seat: 0, size: 1 }],
    ["c1", { seat: 1, size: 1 }],
    ["a2", { seat: 1, size: 1 }],
  ]);
  board.show({
    position: { ...EMPTY, piles, board: geometry },
    marks: new Map([["b1", new Set(/** @type {const} */ (["go"]))]]),
    colour: "white",
    acceptsPremove: false,
    plans: null,
    isSudden: true,
    describe: (cell) => cell,
  });
  board.element.setAttribute("aria-hidden", "true");
  for (const cell of board.element.querySelectorAll(".cell")) cell.removeAttribute("tabindex");
  return board.element;
}
