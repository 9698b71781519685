/**
 * Buttons that wait for the server: pressed once, they show it at once and take no second press until it has answered.
 */

/** @type {WeakSet<Element>} The nodes whose action has not ended. */
const busy = new WeakSet();

/**
 * Start an action unless the last one of this node is still going on; while its promise is pending, the node is busy.
 * @param {Element} node A button, or a form with one.
 * @param {() => unknown} act
 */
export function whileBusy(node, act) {
  if (busy.has(node)) return;
  const acting = act();
  if (!(acting instanceof Promise)) return;
  busy.add(node);
  node.setAttribute("aria-busy", "true");
  acting.finally(() => {
    busy.delete(node);
    node.removeAttribute("aria-busy");
  });
}
