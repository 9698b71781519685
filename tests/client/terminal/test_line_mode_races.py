"""Storms and races in the line mode against a real server."""

import re
from collections.abc import AsyncIterator, Sequence

import pytest
from msgspec.structs import replace

from millrace.client import Connection, connect
from millrace.client.terminal.boards import OpenBoard, OpenRace
from millrace.client.terminal.commands.actions import actions_of
from millrace.protocol import CommandId, RaceRun, RaceView
from tests.client.terminal.typist import Typist, seated
from tests.serving import ServerProcess


class News:
    """Keeps what a board reports."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def changed(self, board: OpenBoard, news: Sequence[str]) -> None:
        self.told += news


async def open_race(ann: Typist, what: str) -> str:
    """Open a race and return its code."""
    shown = await ann.type(f"race {what}", r"join with race \S+,")
    found = re.search(r"race (\S+),", shown)
    assert found is not None
    return found[1]


async def test_a_storm_judges_legal_moves_only(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("storm morris", r"1\. .* You are .* 0 solved\.")
        await ann.type("a1-z9", "not a move|There is no")
        moves = await ann.type("moves", r"^\w\S*, ")
        await ann.type(moves.split(", ")[0], r"^(Right!|Wrong\.)")


async def test_a_race_is_opened_joined_started_and_played(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben, seated(server) as eve:
        code = await open_race(ann, "morris")
        await ben.type(f"race {code}", f"{ann.name} starts it")
        await ann.hear(f"{ben.name} joins the race")
        await ben.type("race start", "Only the player who joined first can start")
        await eve.type(f"race https://millrace.example/race/{code}", f"{ann.name} starts it")
        await ben.hear(f"{eve.name} joins the race")
        await eve.type("race leave", "You left the race")
        await ben.hear(f"{eve.name} leaves the race")
        await ben.type("a1", "Others join with")
        await ann.type("race start", "Get ready|the race begins")
        await eve.type(f"race {code}", "You are watching")
        await ann.hear(r"1\. .* You are (White|Black)")
        moves = await ann.type("moves", r"^\w\S*, ")
        await ann.type(moves.split(", ")[0], r"^(Right!|Wrong\.)")
        standings = await ann.type("race standings", "1. ")
        assert f"{ann.name} (you)" in standings
        assert f"{ben.name}: 0" in standings


async def test_commands_about_races_say_what_is_missing(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("race start", "No race is open")
        await ann.type("race none", "There is no such race")
        await ann.type("race morris mingmang", "Usage: race")
        code = await open_race(ann, "")
        await ann.type("race again", "The race is not over yet")
        shown = await ann.type("board", "Race, all games")
        assert code in shown


async def test_a_race_ends_with_the_standings_and_can_be_followed_by_another(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connect(server.address) as ann, connect(server.address) as ben:
        race = await ann.races.open("morris")
        await ben.races.join(race)
        end_at_once(monkeypatch, ann, race, points={ann.player.name: 3, ben.player.name: 5})
        news = News()
        board = await OpenRace.show(ann, news, race)
        await board.follow()
        assert news.told == [f" 1. {ben.player.name}: 5", f" 2. {ann.player.name} (you): 3"]
        assert "Time is up. You are number 2 of 2." in board.status
        assert [action.command for action in actions_of(board)] == ["race again", "close"]


def end_at_once(monkeypatch: pytest.MonkeyPatch, me: Connection, race: str, points: dict[str, int]) -> None:
    """Let a race begin when it is followed, and end immediately."""
    real = me.races.follow

    async def follow(race: str) -> AsyncIterator[RaceView]:
        waiting = await anext(real(race))
        yield waiting
        racers = tuple(replace(each, score=points[each.player.name]) for each in waiting.racers)
        yield replace(waiting, starts_in_ms=0, left_ms=0, racers=racers)

    async def run(race: str) -> RaceRun:
        view = await anext(real(race))
        return RaceRun(CommandId(""), race, 0, 0, (), (), view.racers[0])

    monkeypatch.setattr(me.races, "follow", follow)
    monkeypatch.setattr(me.races, "run", run)
