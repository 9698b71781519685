"""The page draws and plays a game that it has never heard of: four seats, hexagons, stacks, choices that are no cells.

The server is played by the test, message by message.
"""

import json
import math
import re
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.visitor import Visit, Visitor

CELLS = [
    ("abcdefg"[column] + str(row + 1), column - row / 2, row * math.sqrt(3) / 2)
    for row in range(5)
    for column in range(7)
    if (row, column) != (2, 3)
]
NAMES = ("Red", "Blue", "Green", "Yellow")
PLAYERS = [{"id": f"guest-{seat}", "name": f"Shepherd {name}", "level": None} for seat, name in enumerate(NAMES)]
START = [["b2", 0, 16], ["f2", 1, 16], ["a5", 2, 16], ["g4", 3, 16]]
SPLITS = {str(number): None for number in range(1, 16)}
HAS_FOUR_EMBLEMS_SCRIPT = """() =>
  new Set([...document.querySelectorAll(".piece .mark")].map((mark) => mark.getAttribute("d"))).size === 4"""
MOVES = {"b2": {"b5": SPLITS, "e2": SPLITS}, "pass": None}


class Shepherd:
    """The server's side of one socket."""

    def __init__(self) -> None:
        self.played: list[tuple[int, str]] = []
        self.watched: list[int] = []
        self._route: WebSocketRoute | None = None

    def serve(self, route: WebSocketRoute) -> None:
        self._route = route
        route.on_message(self._hear)

    def say(self, type_: str, **fields: object) -> None:
        assert self._route is not None
        self._route.send(json.dumps({"type": type_, "match": "m1", **fields}))

    def tell(self, seq: int, event: dict[str, Any], to_move: int | None, view: object = None) -> None:
        assert self._route is not None
        self._route.send(json.dumps(self.happen(seq, event, to_move, view)))

    def happen(self, seq: int, event: dict[str, Any], to_move: int | None, view: object = None) -> dict[str, Any]:
        fields = {"match": "m1", "seq": seq, "at_ms": 0, "event": event, "to_move": to_move, "view": view}
        return {"type": "match_event", **fields}

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "hello":
            game = {
                "name": "sheep",
                "title": "Sheep",
                "seats": [2, 3, 4],
                "seat_names": NAMES,
                "levels": 8,
                "starts": [],
            }
            welcome = {
                "type": "welcome",
                "version": 2,
                "player": PLAYERS[0],
                "token": "t",
                "games": [game],
                "now_ms": 0,
            }
            assert self._route is not None
            self._route.send(json.dumps(welcome))
        elif message["type"] == "watch":
            self.watched.append(message["since"])
            self._show_match()
        elif message["type"] == "play":
            self.played.append((message["seat"], message["move"]))

    def _show_match(self) -> None:
        board = {"shape": "hexes", "cells": CELLS, "lines": []}
        plan = [{"occupant": "me", "level": None}] * 4
        created = {"type": "created", "game": "sheep", "setup": "", "seats": plan, "clock": None, "rematch_of": None}
        events = [
            self.happen(1, created, None, {"changes": START, "reserves": [0, 0, 0, 0]}),
            *(self.happen(2 + s, {"type": "seated", "seat": s, "player": PLAYERS[s]}, None) for s in range(4)),
            self.happen(6, {"type": "started"}, 0),
        ]
        self.say("watching", seq=6, board=board, your_seats=[0], now_ms=0)
        self.say("match_events", events=events)
        self.say("turn", seq=6, seat=0, moves=MOVES)
        self.say("audience_update", spectators=0, present=[True] * 4)


def _open(visit: Visit) -> tuple[Visitor, Shepherd]:
    visitor, shepherd = visit(), Shepherd()
    visitor.page.route_web_socket("**/socket", shepherd.serve)
    return visitor.open("/match/m1"), shepherd


def test_a_stack_is_split_by_a_number_typed_or_turned(visit: Visit) -> None:
    visitor, shepherd = _open(visit)
    visitor.click("b2")
    visitor.click("b5")
    amount = visitor.page.get_by_role("spinbutton", name="Number of pieces")
    expect(amount).to_have_value("8")
    amount.fill("5")
    expect(visitor.cell("b5")).to_have_attribute("data-size", "5")
    expect(visitor.cell("b2")).to_have_attribute("data-size", "11")
    visitor.page.locator(".board").hover()
    visitor.page.mouse.wheel(0, -100)
    expect(visitor.cell("b5")).to_have_attribute("data-size", "6")
    visitor.button("Move").click()
    expect(visitor.headline).to_have_text("Your turn")
    expect(visitor.page.locator(".detail")).to_have_text("Sending your move…")
    visitor.wait_until(lambda: shepherd.played == [(0, "b2 b5 6")])
    changes = [["b2", 0, 10], ["b5", 0, 6]]
    moved = {"type": "moved", "seat": 0, "move": "b2-b5:6", "clocks_ms": None}
    shepherd.tell(7, moved, 1, {"changes": changes, "reserves": [0, 0, 0, 0]})
    expect(visitor.headline).to_have_text("Waiting for Shepherd Blue")
    expect(visitor.cell("b5")).to_have_attribute("data-marks", re.compile(r"\btarget\b"))


@pytest.mark.slow
def test_a_split_is_entered_by_keys_alone(visit: Visit) -> None:
    visitor, shepherd = _open(visit)
    keyboard = visitor.page.keyboard
    expect(visitor.cell("b2")).to_have_attribute("data-marks", "pick")
    visitor.cell("b2").focus()
    keyboard.press("Enter")
    keyboard.press("ArrowRight")
    visitor.cell("e2").focus()
    keyboard.press("Enter")
    amount = visitor.page.get_by_role("spinbutton", name="Number of pieces")
    keyboard.type("12")
    expect(amount).to_have_value("12")
    keyboard.press("ArrowUp")
    keyboard.press("-")
    keyboard.press("-")
    expect(amount).to_have_value("11")
    expect(visitor.cell("e2")).to_have_attribute("data-size", "11")
    keyboard.press("Enter")
    expect(visitor.page.locator(".detail")).to_have_text("Sending your move…")
    visitor.wait_until(lambda: shepherd.played == [(0, "b2 e2 11")])


def test_a_forced_pass_is_shown_and_said(visit: Visit) -> None:
    visitor, shepherd = _open(visit)
    expect(visitor.page.locator(".piece")).to_have_count(4)
    nothing = {"changes": [], "reserves": [0, 0, 0, 0]}
    for seq, seat in ((7, 1), (8, 2)):
        moved = {"type": "moved", "seat": seat, "move": "pass", "clocks_ms": None, "forced": True}
        shepherd.tell(seq, moved, seat + 1, nothing)
    expect(visitor.page.locator(".passes")).to_have_text("Shepherd Blue and Shepherd Green could not move and passed.")
    expect(visitor.page.locator("#announcer")).to_contain_text("Blue could not move and passed.")


def test_a_board_laid_by_the_players_shows_only_the_placed_tiles(visit: Visit) -> None:
    visitor, shepherd = _open(visit)
    laying = {"changes": [], "reserves": [0, 0, 0, 0], "ground": [0, 1, 2, 7]}
    moved = {"type": "moved", "seat": 1, "move": "a1", "clocks_ms": None, "forced": False}
    shepherd.tell(7, moved, 2, laying)
    expect(visitor.page.locator('[data-laid="true"]')).to_have_count(4)
    small = {"shape": "hexes", "cells": CELLS[:9], "lines": []}
    shepherd.tell(8, {**moved, "seat": 2}, 3, {"changes": [["c1", 2, 4]], "reserves": [0, 0, 0, 0], "board": small})
    expect(visitor.page.locator("[data-cell]")).to_have_count(9)
    expect(visitor.page.locator('[data-laid="true"]')).to_have_count(9)
    expect(visitor.cell("c1")).to_have_attribute("data-size", "4")
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator("[data-cell]")).to_have_count(len(CELLS))


def test_four_seats_are_shown_each_in_its_own_colour_and_shape(visit: Visit) -> None:
    visitor, _ = _open(visit)
    expect(visitor.page.locator(".seat-strip")).to_have_count(4)
    visitor.page.wait_for_function(HAS_FOUR_EMBLEMS_SCRIPT)
    expect(visitor.page.locator(".piece .size")).to_have_text(["16"] * 4)


@pytest.mark.slow
def test_shared_ranks_are_reported_as_a_shared_win(visit: Visit) -> None:
    visitor, shepherd = _open(visit)
    ended = {"type": "ended", "ranks": [3, 1, 1, 4], "reason": "blocked", "explanation": "nobody can move"}
    shepherd.tell(7, {**ended, "seat": None, "clocks_ms": None}, None)
    expect(visitor.headline).to_have_text("Shepherd Blue and Shepherd Green share the win")
    expect(visitor.seat(3).locator(".score")).to_have_text("4.")


def test_after_a_missing_event_the_page_asks_again_from_its_last_one(visit: Visit) -> None:
    visitor, shepherd = _open(visit)
    expect(visitor.page.locator(".piece")).to_have_count(4)
    moved = {"type": "moved", "seat": 1, "move": "f2-f5:2", "clocks_ms": None}
    shepherd.tell(8, moved, 2, {"changes": [], "reserves": [0, 0, 0, 0]})
    visitor.wait_until(lambda: shepherd.watched == [0, 6])
    expect(visitor.moves).to_have_count(0)
