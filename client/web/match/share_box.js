/** Sharing a match: link, downloads and an embedded board; the head-to-head score of its players; reporting an import. */

import { crosstable, matchesBetweenPath, searchName } from "../archive/crosstable.js";
import { copyText } from "../clipboard.js";
import { button, element } from "../element.js";
import { wholeCatalogue } from "../language/languages.js";
import { gettext } from "../language/texts.js";
import { toast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Player } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

const EMBED_WIDTH = 480;
const EMBED_HEIGHT = 620;

export class ShareBox {
  #link = element("input", { class: "invite-link", readonly: true, "aria-label": gettext("Link to this position"), onfocus: () => this.#link.select() });
  #embed = element("textarea", { class: "position-text", readonly: true, rows: 3, spellcheck: "false", "aria-label": gettext("HTML code"), onfocus: () => this.#embed.select() });
  #met = element("div", { class: "share-crosstable" });
  #comparedFor = "";
  #report = element("div", { class: "share-report" });
  #isReportable = false;
  #animation = button(gettext("Download as an animation"), () => this.#animate(), { hidden: true });

  /** @param {Connection} connection @param {MatchState} state */
  constructor(connection, state) {
    this.connection = connection;
    this.state = state;
    const file = (/** @type {string} */ form, /** @type {string} */ label) => element("a", { class: "button", href: `/match/${state.id}.${form}`, download: true }, label);
    this.element = element(
      "details",
      { class: "position-box share-box" },
      element("summary", {}, gettext("Share · download · embed")),
      element("div", { class: "extra" }, this.#link, button(gettext("Copy link"), () => copyText(this.#link, gettext("Link copied.")))),
      element("div", { class: "extra" }, file("txt", gettext("Download as text")), file("json", gettext("Download as JSON")), this.#animation),
      element("p", { class: "note" }, gettext("HTML to embed the board in another page:")),
      this.#embed,
      element("div", { class: "extra" }, button(gettext("Copy HTML"), () => copyText(this.#embed, gettext("HTML copied.")))),
    );
    /** From top to bottom. */
    this.elements = [this.element, this.#met, this.#report];
  }

  /** @param {number | null} ply The shown ply; null for the latest. @param {boolean} isTurned Whether the board is seen from the other side. */
  show(ply, isTurned) {
    const part = ply === null ? "" : `#${ply}`;
    this.#link.value = `${location.origin}/match/${this.state.id}${part}`;
    this.#embed.value = `<iframe src="${location.origin}/embed/${this.state.id}${isTurned ? "?turned" : ""}${part}" width="${EMBED_WIDTH}" height="${EMBED_HEIGHT}" style="border:0" title="A match on Millrace" loading="lazy"></iframe>`;
    this.#animation.hidden = this.state.end === null;
    this.#compare();
    this.#offerReport();
  }

  /** The server draws a frame for each ply, which takes a few seconds. */
  async #animate() {
    const answer = await fetch(`/picture/match/${this.state.id}.gif`).catch(() => null);
    if (!answer?.ok) {
      toast(gettext("The animation could not be made. Please try again."));
      return;
    }
    const address = URL.createObjectURL(await answer.blob());
    element("a", { href: address, download: `${this.state.id}.gif` }).click();
    URL.revokeObjectURL(address);
  }

  async #offerReport() {
    if (!this.state.isImported || this.#isReportable) return;
    this.#isReportable = true;
    const [{ importReportBox }] = await Promise.all([import("../moderation/report_box.js"), wholeCatalogue()]);
    this.#report.replaceChildren(importReportBox(this.connection, this.state.id));
  }

  /** Compare two players with accounts once their match is over. */
  async #compare() {
    const { players, end, isImported } = this.state;
    if (end === null || isImported || players.length !== 2 || !players.every(isNamed)) return;
    const [one, other] = /** @type {Player[]} */ (players);
    if (one.id === other.id || this.#comparedFor === end.type + one.id + other.id) return;
    this.#comparedFor = end.type + one.id + other.id;
    const table = await this.connection.ask({ type: "get_crosstable", player: searchName(one), opponent: searchName(other) }).catch(() => null);
    if (table === null || table.scores.length === 0) return;
    this.#met.replaceChildren(
      element("h2", {}, gettext("Head to head")),
      crosstable(table, this.connection.games),
      element("a", { href: matchesBetweenPath(one, other) }, gettext("All matches between them")),
    );
  }
}

/** @param {Player | null} player */
function isNamed(player) {
  return player !== null && (player.registered === true || typeof player.level === "number");
}
