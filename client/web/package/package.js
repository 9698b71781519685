/** What the package exports; `server/web/javascript_package.py` makes it. */

import { RefusedError } from "../connection/requests.js";
import { BotHost } from "./bot_host.js";
import { connect } from "./connect.js";
import { ConnectionLostError } from "./connection_lost.js";
import { ME, OPEN, bot, listMoves } from "./seats.js";

/** @type {typeof import("./millrace.d.mts")} */
export const millrace = { BotHost, ConnectionLostError, ME, OPEN, RefusedError, bot, connect, listMoves };
