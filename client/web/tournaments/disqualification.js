/** A form for moderators to disqualify a player from a tournament. */

import { element, form } from "../element.js";
import { labelled } from "../form_fields.js";
import { gettext } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */

/** @param {Connection} connection @param {string} tournament */
export function disqualification(connection, tournament) {
  const name = element("input", { name: "player", required: true, maxlength: 64, autocomplete: "off" });
  const node = form(
    { class: "tournament-order", "aria-label": gettext("Disqualify a player") },
    disqualify,
    element("p", { class: "note" }, gettext("The player goes to the end of the standings and cannot return, and results against the player no longer count. This cannot be undone.")),
    labelled(gettext("Player"), name),
    element("button", { type: "submit", class: "button danger" }, gettext("Disqualify")),
  );

  async function disqualify() {
    const player = name.value.trim();
    const done = await answerOrToast(connection.ask({ type: "disqualify_player", tournament, player }));
    if (done === null) return;
    name.value = "";
    toast(gettext("{name} is disqualified.", { name: player }));
  }

  return element("details", { class: "card tournament-orders", hidden: true }, element("summary", {}, gettext("Disqualify a player")), node);
}
