/**
 * The ways to play besides the large button: quick pairing beside it, and a row of buttons. Three of them open a panel
 * below; the browser remembers which one was open.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext, later, ngettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";

/** @import { IconName } from "../icons.js" */

/** @typedef {"bot" | "friend" | "clock"} Panel */
/** What loads each panel. @typedef {Record<Panel, () => Promise<HTMLElement>>} Panels */

const KEY = "millrace.start.panel";
const CLOSED = "none";
/** The width of a window with room for the bots beside everything else. */
const WIDE = "(min-width: 641px)";
/** @type {Record<Panel, { label: string, icon: IconName }>} */
const PANELS = {
  bot: { label: later("Play a bot"), icon: "bot" },
  friend: { label: later("Play a friend"), icon: "friend" },
  clock: { label: later("Quick pairing"), icon: "clock" },
};

export class WaysToPlay {
  #waiting = element("span", { id: "quick-waiting", class: "note" });
  /** @type {Record<Panel, HTMLButtonElement>} */
  #buttons = { bot: this.#opener("bot"), friend: this.#opener("friend"), clock: this.#opener("clock") };
  #panel = element("div", { id: "way-panel", class: "way-panel" });
  #pass;
  #watch = element("a", { class: "button way", href: "/watch" }, icon("watch"), gettext("Watch"));
  /** @type {Panels | null} */
  #panels = null;
  /** The open panel. */
  #open = recall(KEY) ?? (matchMedia(WIDE).matches ? "bot" : CLOSED);

  /** @param {() => Promise<void>} onPass */
  constructor(onPass) {
    this.#pass = button(icon("pass"), onPass, { class: "button way", title: gettext("Two players on this device") });
    this.#pass.append(gettext("Pass and play"));
    this.row = element("div", { class: "ways", role: "group", "aria-label": gettext("Other ways to play") }, this.#buttons.bot, this.#buttons.friend, this.#pass, this.#watch);
    this.quick = this.#buttons.clock;
    this.quick.classList.add("quick-open");
    this.quick.append(" ", this.#waiting);
    this.panel = this.#panel;
    this.showWaiting(0);
  }

  /** @param {number} count The people who wait for an opponent in the chosen game. */
  showWaiting(count) {
    const words = count === 0 ? gettext("meet a person") : ngettext("{count} player is waiting", "{count} players are waiting", count);
    if (this.#waiting.textContent !== words) this.#waiting.textContent = words;
  }

  /** @param {string} game The name of the chosen game. @param {Panels} panels For it. */
  show(game, panels) {
    this.#panels = panels;
    this.#watch.href = `/watch/${game}`;
    this.#draw();
  }

  /** Open a panel. Settles once it is shown. @param {Panel} panel */
  open(panel) {
    this.#open = panel;
    return this.#draw();
  }

  /** @param {Panel} panel */
  #opener(panel) {
    const { label, icon: name } = PANELS[panel];
    const opener = button(icon(name), () => this.#toggle(panel), { class: "button way", "aria-controls": "way-panel", "aria-expanded": "false" });
    opener.append(element("span", {}, gettext(label)));
    return opener;
  }

  /** @param {Panel} panel */
  async #toggle(panel) {
    this.#open = this.#open === panel ? CLOSED : panel;
    remember(KEY, this.#open);
    await this.#draw();
    if (this.#open === CLOSED) return;
    const first = this.#panel.querySelector("button, input, select, summary");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    this.#panel.scrollIntoView({ block: "nearest" });
  }

  async #draw() {
    for (const [panel, opener] of Object.entries(this.#buttons)) opener.setAttribute("aria-expanded", String(panel === this.#open));
    const panels = this.#panels;
    const opened = this.#open;
    const shown = await panels?.[/** @type {Panel} */ (opened)]?.();
    // Another panel may have been opened while this one was loading.
    if (panels === this.#panels && opened === this.#open) this.#panel.replaceChildren(...(shown === undefined ? [] : [shown]));
  }
}
