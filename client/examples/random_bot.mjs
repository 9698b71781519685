/**
 * The shortest bot that others can play: it accepts every challenge and plays random moves.
 *
 * How to run it is in `docs/javascript.md`.
 */

import { BotHost, connect } from "millrace";

const { MILLRACE_URL: address = "localhost:8000", MILLRACE_TOKEN: token } = process.env;
const me = await connect(address, { token });
const games = me.games.map(({ name }) => name);
const host = new BotHost(me, { games, positions: "any", most_matches: 4 }, {
  choose: ({ moves }) => moves[Math.floor(Math.random() * moves.length)],
  say: console.log,
});
process.once("SIGINT", () => host.leave());
await host.run();
me.close();
