/** The styles that the start page does without: inert in `index.html` until another page is shown. */

/** @type {Promise<unknown> | null} */
let loading = null;

/** Apply them. Rejects if they cannot be loaded. */
export function laterStyles() {
  return (loading ??= apply());
}

async function apply() {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("later-styles"));
  const links = [...template.content.querySelectorAll("link")];
  const loaded = links.map(
    (link) =>
      new Promise((resolve, reject) => {
        link.addEventListener("load", resolve);
        link.addEventListener("error", reject);
      }),
  );
  template.replaceWith(...links);
  await Promise.all(loaded);
}
