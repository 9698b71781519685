/** Where a match is in the page, or another place that has a chat. @param {string} name A match, or `tournament/ID`. */
export function placePath(name) {
  return name.includes("/") ? `/${name}` : `/match/${name}`;
}
