/** The ply in the address of a match, so that links lead to a position: `#12` after twelve plies. */

const PLY_HASH = /^#(\d{1,5})$/;

/** @returns {number | null} Null for the latest position. */
export function plyInAddress() {
  const ply = PLY_HASH.exec(location.hash)?.[1];
  return ply === undefined ? null : Number(ply);
}

/**
 * Put the shown ply into the address, without adding to the browser's history.
 * @param {number | null} ply Null for the latest.
 */
export function putPlyInAddress(ply) {
  if (ply === plyInAddress()) return;
  history.replaceState(history.state, "", location.pathname + location.search + (ply === null ? "" : `#${ply}`));
}
