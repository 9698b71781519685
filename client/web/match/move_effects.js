/** What a move sounds like; an achievement, such as a mill, also turns the mill wheel and lets a phone vibrate. */

import { turnWheel } from "../mill_wheel.js";
import { playSound, vibrate } from "../sound.js";

/** @import { Position } from "../board/position.js" */
/** @import { Ply } from "./public_match.js" */

/** A move that changes more cells than origin and target captures or flips pieces. */
const CELLS_OF_A_QUIET_MOVE = 2;
const ACHIEVEMENT_MS = [35, 55, 35, 55, 90];

/**
 * @param {Ply} ply
 * @param {Position} position After it.
 * @param {boolean} [isKnown] Whether the reader has heard what the move achieves while they entered it.
 */
export function moveEffects({ changes }, { highlights, board }, isKnown = false) {
  if (highlights.length > 0 && !isKnown) return achievementEffects(board?.shape);
  playSound(changes.length > CELLS_OF_A_QUIET_MOVE ? "take" : "move", board?.shape);
}

/** @param {NonNullable<Position["board"]>["shape"]} [shape] Of the board. */
export function achievementEffects(shape) {
  playSound("highlight", shape);
  vibrate(ACHIEVEMENT_MS);
  turnWheel("notch");
}
