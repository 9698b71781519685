/**
 * Which position of a match the address names, so that it can be sent on: `#12` after twelve plies.
 *
 * Imported by the pages that show a match.
 */

const PLY_HASH = /^#(\d{1,5})$/;

/** @returns {number | null} Null for none, which is the latest. */
export function plyInAddress() {
  const ply = PLY_HASH.exec(location.hash)?.[1];
  return ply === undefined ? null : Number(ply);
}

/**
 * Name the position that is looked at, without a step that the browser would go back.
 * @param {number | null} ply Null for the latest.
 */
export function putPlyInAddress(ply) {
  if (ply === plyInAddress()) return;
  history.replaceState(history.state, "", location.pathname + location.search + (ply === null ? "" : `#${ply}`));
}
