/**
 * Holds connections of the page's client open, and prints how long each was without a welcome after a closing.
 *
 *   node benchmarks/rolling_restart.mjs localhost:8000 20
 *
 * A line is `welcome` for a first one, or the milliseconds from the closing to the next welcome.
 */

import { ReconnectingSocket } from "../client/web/connection/reconnecting_socket.js";

const [address, count] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);

for (let number = 0; number < Number(count); number += 1) {
  let lostAt_ms = null;
  const socket = new ReconnectingSocket(`ws://${address}/socket`, {
    changed: () => {},
    welcomed: () => {
      say(lostAt_ms === null ? "welcome" : performance.now() - lostAt_ms);
      lostAt_ms = null;
    },
    received: () => {},
    lost: () => (lostAt_ms ??= performance.now()),
  });
  socket.open();
}
