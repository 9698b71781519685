/**
 * Buttons that wait for the server: they show a press immediately, and ignore further ones until the server has
 * answered.
 */

/** @type {WeakSet<Element>} Nodes with an action in progress. */
const busy = new WeakSet();

/**
 * Start an action unless the last one of this node is still running; while its promise is pending, the node is busy.
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
