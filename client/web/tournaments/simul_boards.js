/** A simultaneous exhibition in progress: the host's score, all boards, and the way to the next one that waits for the host. */

import { element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { BoardList } from "../spectating/board_list.js";
import { nextBoardLink, waitingIn } from "./waiting_boards.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { TournamentTable, TournamentView } from "../protocol.js" */

export class SimulBoards {
  #score = element("p", { class: "simul-score" });
  #next = element("div", { class: "simul-next" });
  #boards;
  element;
  /** The matches that wait for the reader, the most urgent first. @type {string[]} */
  #waiting = [];
  /** @type {TournamentView | null} */
  #view = null;
  /** @type {(() => void) | null} */
  #unfollow = null;

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.#boards = new BoardList(connection);
    this.element = element("section", { class: "simul-boards", "aria-label": gettext("Boards"), hidden: true }, element("h2", {}, gettext("Boards")), this.#score, this.#next, this.#boards.element);
  }

  /** @param {TournamentView} view @param {boolean} isHost */
  show(view, isHost) {
    this.#view = view;
    if (isHost && view.summary.status === "running") this.#unfollow ??= this.connection.follow({ type: "watch_your_matches" }, ({ matches }) => this.#hear(waitingIn(matches, view.summary.tournament)));
    this.#show();
  }

  close() {
    this.#unfollow?.();
    this.#boards.close();
  }

  /** @param {string[]} waiting */
  #hear(waiting) {
    this.#waiting = waiting;
    this.#show();
  }

  #show() {
    if (this.#view === null) return;
    const { summary, tables = [] } = this.#view;
    const game = summary.plan.game;
    this.element.hidden = tables.length === 0;
    this.#score.textContent = scoreText(summary.by, tables);
    const isFocused = this.#next.contains(document.activeElement);
    this.#next.replaceChildren(...(this.#waiting.length > 0 ? [nextBoardLink(this.#waiting)] : []));
    if (isFocused) this.#next.querySelector("a")?.focus();
    const ordered = tables.toSorted((one, other) => one.table - other.table);
    this.#boards.show(ordered.flatMap(({ match }) => (match ? [{ match, game, note: this.#waiting.includes(match) ? gettext("Your turn") : "" }] : [])));
  }
}

/** @param {string} host The name. @param {TournamentTable[]} tables @returns {string} `Walker: 3 wins · 1 draw · 0 losses · 4 in play`. */
export function scoreText(host, tables) {
  const over = tables.filter(({ points }) => points);
  const results = over.map(({ players, points }) => {
    const [first, second] = points ?? [0, 0];
    return players[0]?.name === host ? first - second : second - first;
  });
  const count = (/** @type {(difference: number) => boolean} */ isSo) => results.filter(isSo).length;
  const [won, drawn, lost, playing] = [count((each) => each > 0), count((each) => each === 0), count((each) => each < 0), tables.length - over.length];
  const parts = [
    ngettext("{count} win", "{count} wins", won),
    ngettext("{count} draw", "{count} draws", drawn),
    ngettext("{count} loss", "{count} losses", lost),
    playing > 0 ? ngettext("{count} match in play", "{count} matches in play", playing) : "",
  ];
  return `${host}: ${parts.filter(Boolean).join(" · ")}`;
}
