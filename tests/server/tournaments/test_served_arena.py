"""Arenas on a server: created, joined, played, counted, watched, and continued after a crash."""

import asyncio
import json
import time
from typing import Any

import pytest

from millrace.server.app.stores import open_storage
from millrace.server.journal.journal_store import Journal
from millrace.server.tournaments.tournament_runner import TournamentRunner
from tests.client.terminal.typist import seated
from tests.server.in_process_server import Serve, Visitor
from tests.server.journal.failures import failed_append
from tests.server.moderation.console import Console
from tests.server.moderation.moderators import moderator
from tests.server.players.accounts.registered_players import register_all
from tests.server.tournaments.arenas import plan
from tests.server.tournaments.evenings import Evening, seen
from tests.server.web.get_requests import get

MINUTE_MS = 60_000


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


async def standings(player: Visitor, tournament: str) -> list[tuple[str, int]]:
    await player.say("watch_tournament", tournament=tournament)
    view = await player.hear_until("tournament_view")
    return [(row["player"]["name"], row["score"]) for row in view["standings"]]


async def standings_become(player: Visitor, tournament: str, expected: list[tuple[str, int]]) -> None:
    """Return once the standings are as expected: they are told a little later than a player's own place."""
    await seen(lambda: standings(player, tournament), lambda found: found == expected)


async def test_players_are_paired_and_their_results_counted(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    match = await evening.paired(ann)
    place = await evening.place(ben, match=match)
    assert (place["opponent"]["name"], place["table"]) == ("Annabel", 1)
    await evening.lose(ben, match)
    place = await evening.place(ann, score=2)
    assert place["standing"]["points"] == [2]
    await standings_become(ann, evening.tournament, [("Annabel", 2), ("Benjamin", 0)])


async def test_two_wins_light_the_fire_and_spectators_hear_of_it(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    guest = await evening.served.visitor()
    await guest.say("watch_tournament", tournament=evening.tournament)
    await guest.hear_until("tournament_view")
    for score in (2, 4):
        await evening.lose(ben, await evening.paired(ben))
        await evening.place(ann, score=score)
    async with asyncio.timeout(30):
        while True:
            update = await guest.hear_until("tournament_update")
            if any(row["player"]["name"] == "Annabel" and row["fire"] for row in update["standings"]):
                break


async def test_a_tournament_goes_on_after_the_server_has_stopped(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    match = await evening.paired(evening.players[0])
    await evening.restart()
    ann, ben = evening.players
    assert (await ann.hear_until("your_tournament"))["you"]["standing"]["match"] == match
    await evening.lose(ben, match)
    await evening.place(ann, score=2)


async def test_a_wave_whose_matches_were_not_created_is_finished_after_a_restart(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_stored = asyncio.Event()

    async def crash(*_: object) -> None:
        is_stored.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(TournamentRunner, "_create", crash)
        evening = await Evening(serve).begin("Annabel", "Benjamin")
        await evening.begun(evening.players[0])
        evening.clock.now_ms += 5_000
        await is_stored.wait()
        place = await evening.place(evening.players[0])
        assert place["standing"]["match"] is None, "nobody hears of it yet"
    await evening.restart()
    ann, ben = evening.players
    await evening.lose(ben, await evening.paired(ben))
    await evening.place(ann, score=2)


async def test_a_result_that_was_not_counted_is_counted_once_after_a_restart(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(TournamentRunner, "_match_changed", lambda *_: None)
        evening = await Evening(serve).begin("Annabel", "Benjamin")
        ann, ben = evening.players
        await evening.lose(ben, await evening.paired(ben))
    await evening.restart()
    ann, ben = evening.players
    await evening.place(ann, score=2)
    await standings_become(ann, evening.tournament, [("Annabel", 2), ("Benjamin", 0)])


async def test_the_time_stands_still_while_nothing_can_be_stored_and_nobody_is_paired_twice(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    await evening.lose(ben, await evening.paired(ben))
    await evening.place(ann, score=2)
    ends_at_ms = (await evening.view(ann))["summary"]["ends_at_ms"]
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "store", lambda *_: failed_append("the disk is full"))
        assert not (await ann.hear_until("interruption"))["is_over"]
        evening.clock.now_ms += 90 * MINUTE_MS  # past the end
        assert (await evening.ask(ben, "leave_tournament"))["code"] == "unavailable"
    assert (await ann.hear_until("interruption"))["is_over"]
    match = await evening.paired(ann)
    view = await evening.view(ann)
    assert view["summary"]["ends_at_ms"] >= ends_at_ms + 90 * MINUTE_MS
    await evening.lose(ben, match)
    await evening.place(ann, score=4)
    _, _, exported = await get(evening.served, f"/tournament/{evening.tournament}.json")
    assert [each["match"] for each in json.loads(exported)["matches"]] == evening.seen


async def test_the_terminal_says_that_the_time_stands_still(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    await evening.begun(evening.players[0])
    standings_typed = f"standings {evening.tournament}"
    async with seated(evening.served, evening.players[0].token) as ann:
        assert "stands still" not in await ann.type(standings_typed, "Evening arena")
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "store", lambda *_: failed_append("the disk is full"))
            await ann.hear("The server cannot store moves right now")
            await ann.type(standings_typed, "Its time stands still")
        await ann.hear("Play continues")
        assert "stands still" not in await ann.type(standings_typed, "Evening arena")


async def test_at_the_end_the_standings_are_final_and_running_matches_do_not_count(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    await evening.lose(ben, await evening.paired(ben))
    await evening.place(ann, score=2)
    match = await evening.paired(ann)
    evening.clock.now_ms += 60 * MINUTE_MS
    async with asyncio.timeout(30):
        while not (await ann.hear_until("your_tournament"))["over"]:
            pass
    assert match not in (await evening.place(ann))["standing"].values()
    await ann.say("watch_tournaments")
    listed = await ann.hear_until("tournaments")
    (summary,) = listed["tournaments"]
    assert (summary["status"], summary["winner"], summary["players"]) == ("over", "Annabel", 2)
    await standings_become(ann, evening.tournament, [("Annabel", 2), ("Benjamin", 0)])


async def test_who_misses_the_first_move_twice_is_paused_and_may_return(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    for missed in (1, 2, 3):
        match = await evening.paired(evening.players[0])
        seats = [await evening.seat(player, match) for player in evening.players]
        evening.clock.now_ms += 40_000
        for player, seat in zip(evening.players, seats, strict=True):  # the seats alternate
            assert (await player.ask("play", match=match, seat=seat, move="a7"))["code"] == "match_over"
            place = await evening.place(player, match=None)
            assert len(place["standing"]["points"]) == missed
    paused = [each for each in evening.players if (await evening.place(each))["standing"]["paused"]]
    assert len(paused) == 1
    assert (await evening.ask(paused[0], "join_tournament"))["type"] == "done"
    await evening.place(paused[0], paused=False)


async def test_a_moderator_disqualifies_a_player_and_the_results_are_undone(serve: Serve, url: str) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    await evening.lose(ben, await evening.paired(ben))
    await evening.place(ann, score=2)
    whom = {"tournament": evening.tournament, "player": "Benjamin"}
    assert (await ann.ask("disqualify_player", **whom))["code"] == "not_allowed"
    stores = await open_storage(url)
    meg = await moderator(evening.served, Console(stores))
    await stores.close()
    assert (await meg.ask("disqualify_player", **whom))["type"] == "done"
    await standings_become(ann, evening.tournament, [("Annabel", 0), ("Benjamin", 0)])
    assert (await evening.ask(ben, "join_tournament"))["code"] == "not_admitted"


async def test_a_player_who_pauses_is_not_paired(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin", "Caroline")
    await evening.begun(evening.players[2])
    assert (await evening.ask(evening.players[2], "leave_tournament"))["type"] == "done"
    await evening.paired(evening.players[0])
    place = await evening.place(evening.players[2], paused=True)
    assert place["standing"]["match"] is None


async def test_berserk_is_a_command_of_the_match(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    match = await evening.paired(ann)
    seat = await evening.seat(ann, match)
    assert (await ann.ask("berserk", match=match, seat=seat))["type"] == "accepted"
    await evening.lose(ben, match)
    place = await evening.place(ann, score=2)
    assert place["standing"]["berserks"] == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"minutes": 10}, "bad_tournament"),
        ({"game": "go"}, "unknown_game"),
        ({"name": "Bad\u202ename"}, "bad_text"),
    ],
)
async def test_a_bad_plan_is_refused(serve: Serve, fields: dict[str, Any], code: str) -> None:
    served = await serve()
    (ann,) = await register_all(served, "Annabel")
    refused = await ann.ask("create_tournament", plan=plan(round(time.time() * 1000), **fields))
    assert (refused["type"], refused["code"]) == ("refused", code)


async def test_guests_neither_create_nor_join(serve: Serve) -> None:
    served = await serve()
    guest = await served.visitor()
    refused = await guest.ask("create_tournament", plan=plan(round(time.time() * 1000)))
    assert refused["code"] == "account_needed"
    assert (await guest.ask("join_tournament", tournament="none"))["code"] == "account_needed"


async def test_an_unknown_tournament_is_refused(serve: Serve) -> None:
    served = await serve()
    (ann,) = await register_all(served, "Annabel")
    assert (await ann.ask("join_tournament", tournament="none"))["code"] == "unknown_tournament"


async def test_many_who_join_at_once_are_all_answered(serve: Serve) -> None:
    served = await serve(address_factor=1000)
    names = [f"Player{number:03}" for number in range(30)]
    players = await register_all(served, *names)
    created = await players[0].ask("create_tournament", plan=plan(round(time.time() * 1000) + 10 * MINUTE_MS))
    answers = await asyncio.gather(
        *(player.ask("join_tournament", tournament=created["tournament"]) for player in players)
    )
    assert {answer["type"] for answer in answers} == {"done"}
    assert len(await standings(players[0], created["tournament"])) == 25, "a page"


async def test_a_deleted_player_keeps_the_place_without_the_name(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    await evening.lose(ben, await evening.paired(ben))
    await evening.place(ann, score=2)
    await ben.say("delete_account", id="x", password="correct horse battery")
    await ben.closed()
    await seen(lambda: standings(ann, evening.tournament), lambda found: ("Deleted player", 0) in found)
