/**
 * A bot in five lines: it plays random moves in a match of Nine Men's Morris against the server's bot of level 1.
 *
 * How to run it is in `docs/javascript.md`.
 */

import { ME, bot, connect } from "millrace";

const me = await connect("localhost:8000");
const feed = me.watch((await me.create("morris", [ME, bot(1)])).match);
for await (const turn of feed.turns()) {
  await turn.play(turn.moves[Math.floor(Math.random() * turn.moves.length)]);
}
console.log((await feed.result()).explanation);
me.close();
