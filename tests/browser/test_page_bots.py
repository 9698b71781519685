"""Bots of casual matches for which the page thinks: it moves as the server's bots would, which are not asked.

The engines are made once for all tests on this machine; that takes minutes.
"""

import json
import random
import re
import subprocess
import sys
import urllib.request
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import WebSocket, expect

from millrace.engine.games import SHIPPED, find_game
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import no_clock
from millrace.engine.state import State
from tests.browser.accounts import new_name, register
from tests.browser.random_moves import play_random_move
from tests.browser.visitor import Visit, Visitor
from tests.serving import ServerProcess

LEVEL = 3
HIDE_SCRIPT = """(isHidden) => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
ASKED = re.compile(r'^millrace_bot_queue_seconds_count\{urgency="move"\} (\S+)$', re.MULTILINE)


class Frames:
    """What a page sends and receives from now on."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.sent: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        visitor.page.on("websocket", self._follow)

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self.received.append(json.loads(frame)))

    def sent_of(self, type_: str) -> list[dict[str, Any]]:
        return [frame for frame in self.sent if frame["type"] == type_]

    def received_of(self, type_: str) -> list[dict[str, Any]]:
        return [frame for frame in self.received if frame["type"] == type_]

    def has_sent(self, type_: str, count: int) -> bool:
        return len(self.sent_of(type_)) == count

    def wait_for(self, type_: str, **fields: Any) -> dict[str, Any]:
        """Wait until the page has sent a message with these fields, and return the latest one."""

        def fitting() -> list[dict[str, Any]]:
            return [each for each in self.sent_of(type_) if fields.items() <= each.items()]

        self._visitor.wait_until(lambda: len(fitting()) > 0)
        return fitting()[-1]


@pytest.fixture(scope="module")
def modules(processes: None) -> None:
    subprocess.run([sys.executable, "-m", "millrace.server.bots.module_process"], check=True)


def asked_of_server(server: ServerProcess) -> float:
    """Return how many moves for people the server's processes have been asked for."""
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:
        found = ASKED.search(answer.read().decode())
    return 0 if found is None else float(found[1])


def begin(visitor: Visitor, game: str, chance: random.Random) -> None:
    """Begin a match against a bot, and make a move, which the bot answers."""
    seats: list[dict[str, Any]] = [{"occupant": "me"}, {"occupant": "bot", "level": LEVEL}]
    setup = "seats=2" if game == "battlesheep" else ""
    visitor.open(visitor.create(setup=setup, seats=seats, game=game))
    play_random_move(visitor, chance, "0")
    expect(visitor.headline).to_have_text("Your turn")


@pytest.mark.slow
@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize("game", [game.name for game in SHIPPED])
def test_the_page_moves_for_the_bot_as_the_server_would_which_is_not_asked(
    visit: Visit, server: ServerProcess, game: str
) -> None:
    server.wait_for_bots()
    visitor, chance = visit(), random.Random(1)
    frames = Frames(visitor)
    begin(visitor, game, chance)
    frames.wait_for("think_for_bot")
    before = asked_of_server(server)
    for moves in (1, 2):
        play_random_move(visitor, chance, "0")
        visitor.wait_until(partial(frames.has_sent, "play_for_bot", moves))
        expect(visitor.headline).to_have_text("Your turn")
    assert asked_of_server(server) == before
    turn, answer = frames.received_of("bot_turn")[-1], frames.sent_of("play_for_bot")[-1]
    state = State.of(find_game(game), "seats=2" if game == "battlesheep" else "")
    for move in turn["moves"]:
        state = state.play(move)
    assert answer["move"] == analyse_at_level(state, LEVEL, turn["seed"], no_clock).best_move

    visitor.page.evaluate(HIDE_SCRIPT, True)
    frames.wait_for("think_for_bot", on=False)
    play_random_move(visitor, chance, "0")
    expect(visitor.headline).to_have_text("Your turn")
    assert asked_of_server(server) > before
    assert len(frames.sent_of("play_for_bot")) == 2


def test_who_is_signed_in_chooses_whether_the_page_thinks(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_rules()
    visitor, chance = visit().open(), random.Random(2)
    register(visitor, new_name())
    frames = Frames(visitor)
    begin(visitor, "morris", chance)
    assert frames.sent_of("get_engine_line") == []
    visitor.open("/settings")
    choice = visitor.page.get_by_label("Let the page think for bots")
    expect(choice).not_to_be_checked()
    choice.check()
    expect(visitor.page.get_by_role("status").filter(has_text="Saved with your account")).to_be_visible()
    begin(visitor, "morris", chance)
    assert frames.wait_for("get_engine_line")["line"]["game"] == "morris"
