"""Arenas of four seats on a server: from the tables of a round to the export, over a restart and a crash."""

import asyncio
import json

import pytest

from millrace.server.tournaments.tournament_runner import TournamentRunner
from tests.server.in_process_server import Frame, Serve, Visitor
from tests.server.tournaments.evenings import Evening, names_of, seen
from tests.server.web.get_requests import get

NAMES = ("Annabel", "Benjamin", "Caroline", "Dominic")
POINT = 12
"""In twelfths."""


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


async def begun(serve: Serve, *names: str) -> Evening:
    return await Evening(serve).begin_rounds(*(names or NAMES), game="battlesheep", seats=4, minutes=90)


async def seated(evening: Evening, table: Frame) -> list[Visitor]:
    """Return the players of a table by seat."""
    by_name = {player.player["name"]: player for player in evening.players}
    return [by_name[each["name"]] for each in table["players"]]


async def paused_later(evening: Evening) -> int:
    """Return how many players are paused 35 seconds later, in which nobody has made a legal move."""
    evening.clock.now_ms += 35_000
    places = [(await evening.place(player))["standing"] for player in evening.players]
    for player, match in ((player, place["match"]) for player, place in zip(evening.players, places, strict=True)):
        if match is not None:
            await player.ask("play", match=match, seat=await evening.seat(player, match), move="none")
    return sum(place["paused"] for place in places)


async def leave_to_the_last(evening: Evening, table: Frame) -> list[Visitor]:
    """Let all players of a table but the last resign in the order of their seats, and return them all by seat."""
    players = await seated(evening, table)
    for seat, player in enumerate(players[:-1]):
        assert (await player.ask("resign", match=table["match"], seat=seat))["type"] == "accepted"
    await evening.place(players[-1], match=None, score=4 * POINT)
    return players


async def test_four_play_at_a_table_until_one_has_stayed(serve: Serve) -> None:
    evening = await begun(serve)
    (table,) = await evening.round(1)
    assert names_of(table) == {*NAMES}
    place = await evening.place(evening.players[0], match=table["match"])
    assert [each["name"] for each in place["opponents"]] == [*NAMES[1:]]
    assert (place["opponent"], place["table"]) == (place["opponents"][0], 1)
    *losers, winner = await leave_to_the_last(evening, table)
    for loser in losers:
        assert (await evening.place(loser))["standing"]["points"] == [0]
    view = await evening.view(winner)
    assert view["tables"][0]["points"] == [0, 0, 0, 4 * POINT]
    _, _, exported = await get(evening.served, f"/tournament/{evening.tournament}.json")
    (match,) = json.loads(exported)["matches"]
    assert (match["players"], match["ranks"], match["left"]) == ([*NAMES], [4, 3, 2, 1], [0, 1, 2])


async def test_all_tables_of_a_round_have_the_same_pasture(serve: Serve) -> None:
    evening = await begun(serve, *NAMES, "Ferdinand", "Gwendolyn", "Henrietta", "Isabella")
    setups = []
    for table in await evening.round(1):
        await evening.players[0].say("watch", match=table["match"])
        setups.append((await evening.players[0].hear_event("created"))["event"]["setup"])
    assert setups[0] == setups[1]
    assert setups[0].startswith("seed=")


async def test_players_who_do_not_come_have_left_and_are_paused_after_two_tables(serve: Serve) -> None:
    evening = await begun(serve)
    await seen(lambda: paused_later(evening), lambda paused: paused >= 2)  # three of four leave each table
    view = await evening.view(evening.players[0])
    assert view["summary"]["round"] >= 2


async def test_a_round_goes_on_after_the_server_has_stopped(serve: Serve) -> None:
    evening = await begun(serve)
    (table,) = await evening.round(1)
    await evening.restart()
    assert (await evening.players[0].hear_until("your_tournament"))["you"]["standing"]["match"] == table["match"]
    await leave_to_the_last(evening, table)
    assert len(await evening.round(2)) == 1


async def test_tables_that_were_not_created_are_created_after_a_restart(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_stored = asyncio.Event()

    async def crash(*_: object) -> None:
        is_stored.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(TournamentRunner, "_create", crash)
        evening = await begun(serve)
        await evening.begun(evening.players[0])
        evening.clock.now_ms += 30_000
        await is_stored.wait()
    await evening.restart()
    (table,) = await evening.round(1, after_ms=0)
    await leave_to_the_last(evening, table)
