/**
 * The form of a moderation action: reason, duration, and whether it settles the open reports.
 *
 * The caller sends the values.
 */

import { button, element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { DURATIONS } from "./moderation_texts.js";

/**
 * @typedef {object} Plan
 * @property {string} action The label of the button.
 * @property {string} [words] The consequences.
 * @property {boolean} [hasDuration]
 * @property {boolean} [isTold] Whether the player sees the reason.
 * @property {boolean} [isDanger]
 * @property {string} [settles] The reports that the action can settle, as text.
 */
/** @typedef {{ reason: string, duration_ms: number | null, settles: boolean }} ActionValues */

let forms = 0;

/**
 * @param {Plan} plan
 * @param {(values: ActionValues) => Promise<boolean>} send Returns whether it succeeded.
 * @param {() => void} cancel
 */
export function actionForm(plan, send, cancel) {
  const id = `action-${(forms += 1)}`;
  const reason = element("input", { id, class: "moderation-action-reason", maxlength: 300, autocomplete: "off", required: true });
  const duration = element(
    "select",
    { "aria-label": gettext("Duration") },
    ...DURATIONS.map(([words], index) => element("option", { value: index, selected: index === 1 }, words)),
  );
  const settles = element("input", { type: "checkbox", checked: true });
  const submit = element("button", { type: "submit", class: `button ${plan.isDanger ? "danger" : "primary"}` }, plan.action);
  const node = form(
    { class: "moderation-action-form", "aria-label": plan.action },
    go,
    plan.words ? element("p", { class: "note" }, plan.words) : null,
    element("label", { for: id }, plan.isTold ? gettext("Reason, shown to the player") : gettext("Reason, for the log")),
    reason,
    plan.hasDuration ? duration : null,
    plan.settles ? element("label", { class: "check" }, settles, gettext("Uphold {settles}", { settles: plan.settles })) : null,
    element("div", { class: "moderation-action-submit" }, submit, button(gettext("Cancel"), cancel, { class: "button quiet" })),
  );

  async function go() {
    if (reason.value.trim() === "") return reason.focus();
    const duration_ms = plan.hasDuration ? (DURATIONS[Number(duration.value)]?.[1] ?? null) : null;
    await send({ reason: reason.value.trim(), duration_ms, settles: plan.settles !== undefined && settles.checked });
  }

  return { element: node, focus: () => reason.focus() };
}
