/**
 * The settings page: board, men, coordinates, hints, animation, sound and theme, with a board that shows the choice.
 */

import { Board } from "../board/board.js";
import { element } from "../element.js";
import { BOARDS, MEN, prefer, preferences } from "../preferences.js";
import { playSound } from "../sound.js";
import { chooseTheme, chosenTheme } from "../theme.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Board as Geometry } from "../protocol.js" */

const THEMES = { system: "As the system", light: "Light", dark: "Dark" };
const NO_HANDLERS = { click: () => {}, drop: () => {}, wheel: () => {}, cancel: () => false };

export class SettingsPage {
  /** @param {Connection} _connection */
  constructor(_connection) {
    const { board, men, coordinates, hints, animation, volume } = preferences();
    this.element = element(
      "div",
      { class: "settings-page" },
      element("h1", {}, "Settings"),
      element("div", { class: "settings-example" }, exampleBoard()),
      element(
        "form",
        { class: "card", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
        choice("Board", BOARDS, board, (value) => prefer({ board: value })),
        choice("Men", MEN, men, (value) => prefer({ men: value })),
        choice("Theme", THEMES, chosenTheme(), chooseTheme),
        check("Coordinates", coordinates, (isOn) => prefer({ coordinates: isOn })),
        check("Mark where a piece can go", hints, (isOn) => prefer({ hints: isOn })),
        check("Animate moves", animation, (isOn) => prefer({ animation: isOn })),
        volumeField(volume),
        element("p", { class: "note" }, "Kept in this browser, for guests and for accounts."),
      ),
    );
  }

  open() {
    document.title = "Settings · Millrace";
  }

  close() {}
}

/**
 * @param {string} label
 * @param {Record<string, string>} options Their labels by value.
 * @param {string} chosen
 * @param {(value: string) => void} onChoose
 */
function choice(label, options, chosen, onChoose) {
  const select = element(
    "select",
    { onchange: () => onChoose(select.value) },
    ...Object.entries(options).map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
  );
  return element("label", { class: "labelled" }, element("span", {}, label), select);
}

/**
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onChange
 */
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
  return element("label", { class: "labelled" }, element("span", {}, "Volume"), slider);
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
    position: { piles, reserves: [], board: geometry, ground: null, territory: null },
    marks: new Map([["b1", new Set(/** @type {const} */ (["go"]))]]),
    colour: "white",
    acceptsPremove: false,
    isSudden: true,
    describe: (cell) => cell,
  });
  board.element.setAttribute("aria-hidden", "true");
  for (const cell of board.element.querySelectorAll(".cell")) cell.removeAttribute("tabindex");
  return board.element;
}
