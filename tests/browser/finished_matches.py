"""Matches that a visitor has played alone, to be looked at afterwards."""

import json
import urllib.request
from collections.abc import Sequence

from tests.browser.visitor import ANSWER_MS, Visitor

LOOK_MS = 500
"""Between two requests, so that the server does not take them for a flood."""

_PLAY_SCRIPT = """([match, moves]) => new Promise((resolve, reject) => {
  const socket = new WebSocket(`ws://${location.host}/socket`);
  const say = (message) => socket.send(JSON.stringify(message));
  const left = typeof moves === "number" ? Array(moves).fill(null) : [...moves];
  const firstOf = (tree) => tree === null ? [] : [Object.keys(tree)[0], ...firstOf(Object.values(tree)[0])];
  socket.onopen = () => say({ type: "hello", version: 2, token: localStorage.getItem("millrace.token") ?? "" });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const id = crypto.randomUUID();
    if (message.type === "welcome") say({ type: "watch", match });
    if (message.type === "turn") {
      const [isOver, move] = [left.length === 0, left.shift() ?? firstOf(message.moves).join(" ")];
      say({ ...(isOver ? { type: "resign" } : { type: "play", move }), id, match, seat: message.seat });
    }
    if (message.type === "refused") reject(new Error(message.message));
    if (message.type !== "match_event" || message.event.type !== "ended") return;
    socket.close();
    resolve();
  };
})"""


def finish_match(visitor: Visitor, game: str, moves: Sequence[str] | int, setup: str = "", seats: int = 2) -> str:
    """Play moves for all seats, let the seat that is then to move resign, and return the path of the match.

    A number of moves stands for the first move of each of at most so many turns.
    """
    path = visitor.create(setup, [{"occupant": "me"}] * seats, game=game)
    visitor.page.evaluate(_PLAY_SCRIPT, [path.removeprefix("/match/"), moves])
    return path


def wait_until_counted(visitor: Visitor, path: str, move: str) -> None:
    """Wait until a match with a move is counted, as a program finds out; those of other tests may be counted before."""
    for _ in range(ANSWER_MS // LOOK_MS):
        with urllib.request.urlopen(f"{visitor.server.url}{path}") as answer:
            moves = json.loads(answer.read())["moves"]
        if any(each["move"] == move and each["won"] + each["drawn"] + each["lost"] for each in moves):
            return
        visitor.page.wait_for_timeout(LOOK_MS)
    raise AssertionError("The match was not counted.")
