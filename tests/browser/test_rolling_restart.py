"""Two nodes that are restarted one after the other, as the pages of a match and an embedded board see it."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitor import Visit, Visitor
from tests.node_processes import TwoNodes
from tests.serving import GENEROUS, ServerProcess

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

INITIAL_S = 600
CLOCK = {"initial_ms": 1000 * INITIAL_S, "increment_ms": 0}
MOVES = ("d6", "f4", "a1", "g7", "b4", "d1")
_REMEMBER_SCRIPT = "() => { window.isSamePage = true; }"
_WAS_UNDISTURBED_SCRIPT = """
    () => window.isSamePage && window.toasts.every((toast) => toast.startsWith("The match continues. The clocks were"))
"""
"""Whose turn it was when the match's node stopped gets a grace period, and both are told."""


@pytest.fixture(scope="module")
def beside() -> Iterator[ThreadPoolExecutor]:
    """A thread beside that of the pages. It lives as long as the nodes, which end with it (`tests.processes`)."""
    with ThreadPoolExecutor(1) as beside:
        yield beside


@pytest.fixture(scope="module")
def server(
    browser: Browser, beside: ThreadPoolExecutor, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TwoNodes]:
    """Nodes of its own, since no other test expects them to be away."""
    with TwoNodes(tmp_path_factory.mktemp("nodes"), *GENEROUS, "--bot-workers", "1") as nodes:
        yield nodes


def count_connections(page: Page) -> list[object]:
    """Return a list to which each further WebSocket of a page is added."""
    opened: list[object] = []
    page.on("websocket", lambda socket: opened.append(socket))
    return opened


@contextmanager
def restarting(server: TwoNodes, node: ServerProcess, beside: ThreadPoolExecutor, visitor: Visitor) -> Iterator[None]:
    """Restart a node meanwhile, and return when it is back."""
    restart = beside.submit(server.restart, node)
    yield
    visitor.wait_until(restart.done)
    restart.result()


def clock_s(visitor: Visitor, seat: int) -> int:
    """Return what the clock of a seat shows, in whole seconds."""
    clock = visitor.seat(seat).locator(".clock")
    expect(clock).to_have_text(re.compile(r"^\d+:\d\d"))
    minutes, seconds = re.findall(r"\d+", clock.inner_text())[:2]
    return 60 * int(minutes) + int(seconds)


@pytest.mark.slow
def test_pages_of_a_match_move_to_the_other_node_unnoticed(
    visit: Visit, server: TwoNodes, beside: ThreadPoolExecutor
) -> None:
    white, black, reader = visit(), visit(), visit()
    path = white.create(clock=CLOCK)
    white.open(path)
    black.join(path)
    reader.page.goto(f"{server.url}{path.replace('/match/', '/embed/')}")
    expect(reader.page.locator(".board")).to_be_visible()
    players = (white, black)
    connections = [count_connections(each.page) for each in (*players, reader)]
    for player in players:
        player.page.evaluate(_REMEMBER_SCRIPT)

    own_time_s, turn_since_s = [0.0, 0.0], time.monotonic()

    def play(ply: int) -> None:
        nonlocal turn_since_s
        began_s = time.monotonic()
        players[ply % 2].play(MOVES[ply])
        own_time_s[ply % 2] += time.monotonic() - turn_since_s
        turn_since_s = began_s

    play(0)
    play(1)
    for restarted, node in enumerate(server.nodes, 1):
        with restarting(server, node, beside, white):
            play(2 * restarted)
        play(2 * restarted + 1)
        for player in players:
            expect(player.page.locator(".connection-badge")).to_have_attribute("data-status", "online")
            expect(player.page.locator(".banner.away")).to_have_count(0)
            expect(player.moves).to_have_text(list(MOVES[: 2 * restarted + 2]))
        expect(reader.page.locator(".embed-text")).to_contain_text(f"{2 * restarted + 2}/{2 * restarted + 2}")

    assert all(connections), "each had to move"
    for seat, player in enumerate(players):
        player.page.wait_for_function(_WAS_UNDISTURBED_SCRIPT)
        assert clock_s(player, seat) >= INITIAL_S - own_time_s[seat] - 1, "no more than the time of its turns"
    reader.expect_board({move: ply % 2 for ply, move in enumerate(MOVES)})
    assert not [line for line in server.output if "Traceback" in line]
