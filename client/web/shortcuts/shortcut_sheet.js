/** The sheet of keyboard shortcuts: a dialog that lists those of the shown page. */

import { button, element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { activeGroups, hasSingleKeys, setSingleKeys } from "./shortcuts.js";

/** @import { Shortcut, ShortcutGroup } from "./shortcuts.js" */

/** Names of keys that print nothing. @type {Record<string, string>} */
const KEY_NAMES = { ArrowLeft: later("Left"), ArrowRight: later("Right"), ArrowUp: later("Up"), ArrowDown: later("Down"), Home: later("Home"), End: later("End"), Escape: later("Esc"), " ": later("Space") };
const DIGITS = "0123456789";

/** Open the sheet. On closing, the focus returns to where it was. */
export function showShortcutSheet() {
  const close = button(gettext("Close"), () => sheet.close(), { class: "button primary" });
  const toggle = element("input", { type: "checkbox", checked: hasSingleKeys(), onchange: () => setSingleKeys(toggle.checked) });
  const sheet = element(
    "dialog",
    { class: "card shortcut-sheet", "aria-labelledby": "shortcut-title", onclose: () => sheet.remove() },
    element("h2", { id: "shortcut-title" }, gettext("Keyboard shortcuts")),
    element("div", { class: "shortcut-groups" }, ...activeGroups().map(groupPart)),
    element("label", { class: "check" }, toggle, gettext("Use single-key shortcuts")),
    close,
  );
  document.body.append(sheet);
  sheet.showModal();
  close.focus();
}

/** @param {ShortcutGroup} group */
function groupPart({ title, shortcuts }) {
  return element("section", {}, element("h3", {}, gettext(title)), element("dl", { class: "shortcuts" }, ...shortcuts.map(shortcutPart)));
}

/** @param {Shortcut} shortcut */
function shortcutPart({ keys, label }) {
  const names = keys.join("") === DIGITS ? [gettext("0 to 9")] : keys.map((key) => gettext(KEY_NAMES[key] ?? key));
  const shown = names.flatMap((name, index) => [index === 0 ? "" : " ", element("kbd", {}, name)]);
  return element("div", { class: "shortcut" }, element("dt", {}, ...shown), element("dd", {}, gettext(label)));
}
