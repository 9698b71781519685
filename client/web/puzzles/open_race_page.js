/** Where a race is opened, for one game or for all. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */

export class OpenRacePage {
  #stopWaiting = () => {};
  #games = element("div", { class: "extra" });

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} navigate */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    const about = gettext("Race up to nine friends: everyone solves the same puzzles, each harder than the one before, for ninety seconds. Choose a game, and send them the link.");
    this.element = element("div", { class: "lessons-page" }, element("h1", {}, gettext("Race")), element("section", { class: "card step-card" }, element("p", {}, about), this.#games), element("p", {}, element("a", { href: "/puzzles" }, gettext("Puzzles"))));
  }

  open() {
    document.title = `${gettext("Race")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#show());
  }

  close() {
    this.#stopWaiting();
  }

  #show() {
    const games = this.connection.games.filter(({ puzzles }) => puzzles > 0).map(({ name, title }) => ({ name, title }));
    const all = games.length > 1 ? [{ name: "", title: gettext("All games") }] : [];
    this.#games.replaceChildren(...[...all, ...games].map(({ name, title }) => button(title, () => this.#open(name))));
  }

  /** @param {string} game */
  async #open(game) {
    const opened = await answerOrToast(this.connection.ask({ type: "open_race", game, after: "" }));
    if (opened !== null) this.navigate(`/race/${opened.race}`);
  }
}
