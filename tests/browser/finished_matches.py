"""Matches that a visitor has played alone, to be looked at afterwards."""

import json
import urllib.request
from collections.abc import Sequence
from secrets import token_hex

from playwright.sync_api import expect

from tests.browser.bare_socket import Frame
from tests.browser.visitor import ANSWER_MS, Visitor

WON_BY_WHITE = ("d6", "a1", "f6", "g1", "b6xa1", "d1", "f4", "a7", "f2xg1")
"""White closes two mills while Black looks on."""
LOOK_MS = 500
"""Between two requests, so that the server does not take them for a flood."""


def finish_match(visitor: Visitor, game: str, moves: Sequence[str] | int, setup: str = "", seats: int = 2) -> str:
    """Play moves for all seats, let the seat that is then to move resign, and return the path of the match.

    A number of moves stands for the first move of each of at most so many turns.
    """
    path = visitor.create(setup, [{"occupant": "me"}] * seats, game=game)
    match = path.removeprefix("/match/")
    left = iter([None] * moves if isinstance(moves, int) else moves)
    with visitor.beside_the_page() as socket:
        socket.say("watch", match=match)
        while (frame := socket.hear())["type"] != "match_event" or frame["event"]["type"] != "ended":
            assert frame["type"] != "refused", frame
            if frame["type"] == "turn":
                move = next(left, "resign")
                command = {"type_": "resign"} if move == "resign" else {"type_": "play", "move": move or _first(frame)}
                socket.say(**command, id=token_hex(8), match=match, seat=frame["seat"])
    return path


def review(visitor: Visitor) -> None:
    """Have the match on the analysis board reviewed: by the page at once, where its engine has been made before."""
    graph, request = visitor.page.get_by_role("slider", name="Evaluation graph"), visitor.button("Request analysis")
    expect(graph.or_(request)).to_be_visible()
    if request.is_visible():
        request.click()


def _first(turn: Frame) -> str:
    """Return the first move of a turn."""
    tree, clicks = turn["moves"], []
    while tree is not None:
        click, tree = next(iter(tree.items()))
        clicks.append(click)
    return " ".join(clicks)


def wait_until_counted(visitor: Visitor, path: str, move: str) -> None:
    """Wait until a match with a move is counted, as a program finds out; those of other tests may be counted before."""
    for _ in range(ANSWER_MS // LOOK_MS):
        with urllib.request.urlopen(f"{visitor.server.url}{path}") as answer:
            moves = json.loads(answer.read())["moves"]
        if any(each["move"] == move and each["won"] + each["drawn"] + each["lost"] for each in moves):
            return
        visitor.page.wait_for_timeout(LOOK_MS)
    raise AssertionError("The match was not counted.")
