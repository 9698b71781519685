/** The racers as mill wheels in a stream: each right move drives one's own on. */

import { element } from "../element.js";
import { gettext, numberText } from "../language/texts.js";
import { millWheel } from "../mill_wheel.js";
import { playerLink } from "../players/player_link.js";

/** @import { Racer } from "../protocol.js" */

/** The score for which a wheel has come to the end of the stream, unless somebody has more. */
const LENGTH = 30;

/** @param {Racer} racer @param {readonly Racer[]} racers @returns {number} The place, from 1; the same for equal scores. */
export function placeOf({ score }, racers) {
  return 1 + racers.filter((other) => other.score > score).length;
}

export class RaceStream {
  #list = element("ol", { class: "race-lanes" });
  element = element("section", { class: "card", "aria-label": gettext("Players") }, this.#list);
  /** @type {Map<string, { lane: HTMLElement, place: HTMLElement, score: HTMLElement, wheel: SVGSVGElement }>} */
  #lanes = new Map();

  /**
   * @param {readonly Racer[]} racers In the order in which they joined.
   * @param {string | undefined} reader
   * @param {boolean} isOver Whether to show them by their places.
   */
  show(racers, reader, isOver) {
    const longest = Math.max(LENGTH, ...racers.map(({ score }) => score));
    const ordered = isOver ? racers.toSorted((one, other) => other.score - one.score) : racers;
    const lanes = ordered.map((racer) => {
      const parts = this.#laneOf(racer, reader);
      const { lane, place, score, wheel } = parts;
      const reached = placeOf(racer, racers);
      place.textContent = isOver ? `${reached}.` : "";
      lane.dataset.first = String(isOver && reached === 1);
      score.textContent = numberText(racer.score);
      wheel.style.setProperty("--way", String(racer.score / longest));
      wheel.style.setProperty("--turn", `${racer.score * 45}deg`);
      return lane;
    });
    this.element.hidden = racers.length === 0;
    // Moving a node ends its transitions and loses the focus.
    if (lanes.length !== this.#list.children.length || lanes.some((lane, index) => lane !== this.#list.children[index])) this.#list.replaceChildren(...lanes);
  }

  /** @param {Racer} racer @param {string | undefined} reader */
  #laneOf({ player }, reader) {
    const known = this.#lanes.get(player.id);
    if (known !== undefined) return known;
    const [place, score, wheel] = [element("span", {}), element("strong", {}), millWheel()];
    const name = element("span", { class: "race-name" }, place, " ", player.id === reader ? gettext("You") : playerLink(player));
    const lane = element("li", { class: "race-lane", "data-own": String(player.id === reader) }, name, element("span", { class: "race-stream" }, wheel), score);
    const made = { lane, place, score, wheel };
    this.#lanes.set(player.id, made);
    return made;
  }
}
