/** The task of a puzzle, in the reader's language. No DOM. */

import { gameText } from "../language/game_texts.js";
import { ngettext } from "../language/texts.js";

/** @import { Wording } from "../protocol.js" */

/** @param {{ game: string, wording: Wording }} posed */
export function taskText({ game, wording: { message, values = {} } }) {
  const moves = ngettext("in one move", "in {count} moves", Number(values.moves));
  return gameText({ name: game }, message, { ...values, moves });
}
