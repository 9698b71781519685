"""Trophies on profiles, exports and link previews of tournaments."""

import asyncio
import json

import pytest

from millrace.protocol import IdentityId, MatchId, Player
from millrace.server.runtime import slices
from millrace.server.tournaments.events import AnyEvent, Begun, Disqualified, Joined, Pair, Scored, WavePaired
from millrace.server.tournaments.kinds.all_kinds import standings_of
from millrace.server.tournaments.tournament import after
from millrace.server.tournaments.tournament_exports import exported
from millrace.server.tournaments.trophies import result_of
from tests.server.in_process_server import Serve, SteppedClock, Visitor
from tests.server.players.accounts.registered_players import register_all
from tests.server.tournaments.arenas import START_MS, Arena, plan
from tests.server.tournaments.evenings import Evening, names_of, seen
from tests.server.web.get_requests import get

MINUTE_MS = 60_000
SIX = ("Annabel", "Benjamin", "Caroline", "Dorothea", "Emanuel", "Florence")


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


def played(*names: str) -> Arena:
    """Return an arena in which everyone has played once; the first of each pair has won."""
    arena = Arena(*names).begin()
    for pair in arena.pair():
        arena.end(pair, pair.players[0])
    return arena


async def trophies(player: Visitor, name: str) -> list[dict[str, object]]:
    return list((await player.ask("get_profile", name=name))["trophies"])


def test_the_first_three_of_an_arena_have_trophies() -> None:
    arena = played(*SIX)
    result = result_of(arena.tournament)
    assert result.players == 6
    assert list(result.places) == [name for name, _ in arena.table()[:3]]


def test_an_arena_with_fewer_players_has_no_trophies() -> None:
    assert result_of(played(*SIX[:4]).tournament).places == ()
    assert result_of(played(*SIX[:5]).tournament).places == (), "the fifth has not played"


def test_a_disqualified_player_has_no_trophy() -> None:
    arena = played(*SIX, "Gabriel", "Henriette")
    first, second, *_ = (name for name, _ in arena.table())
    arena.store(Disqualified(standings_of(arena.tournament)[0].entrant.identity, arena.tournament.by))
    result = result_of(arena.tournament)
    assert first not in result.places
    assert result.places[0] == second


async def test_trophies_are_on_profiles_after_the_end_also_on_another_server(serve: Serve) -> None:
    evening = await Evening(serve).begin(*SIX)
    await evening.paired(evening.players[0])
    winners = await play_a_round(evening)
    ann = evening.players[0]
    assert await trophies(ann, winners[0]) == [], "not before the end"
    evening.clock.now_ms += 60 * MINUTE_MS
    await seen(lambda: evening.view(ann), lambda view: view["summary"]["status"] == "over")
    view = await evening.view(ann)
    first = view["standings"][0]["player"]["name"]
    expected = {"tournament": evening.tournament, "name": "Evening arena", "game": "morris", "place": 1, "players": 6}
    (trophy,) = await trophies(ann, first)
    assert trophy.items() >= expected.items()
    assert trophy["at_ms"] == view["summary"]["ends_at_ms"]
    await evening.restart()
    assert await trophies(evening.players[0], first) == [trophy]
    assert await trophies(evening.players[0], view["standings"][3]["player"]["name"]) == []


async def play_a_round(evening: Evening) -> list[str]:
    """End the match of every pair, and return the names of the winners."""
    winners = list[str]()
    for player in evening.players:
        place = await evening.place(player)
        match = place["standing"]["match"]
        if match is None:
            continue
        await evening.lose(player, match)
        await evening.place(player, match=None)
        winners.append(place["opponent"]["name"])
    assert len(winners) == len(evening.players) // 2
    return winners


async def test_an_export_has_the_plan_the_standings_and_every_match(serve: Serve) -> None:
    evening = await Evening(serve).begin("Annabel", "Benjamin")
    ann, ben = evening.players
    first = await evening.paired(ann)
    await evening.lose(ben, first)
    await evening.place(ann, score=2)
    second = await evening.paired(ann)
    status, headers, body = await get(evening.served, f"/tournament/{evening.tournament}.json")
    exported = json.loads(body)
    assert (status, headers["Cache-Control"]) == (200, "no-store")
    assert (exported["plan"]["name"], exported["by"], exported["status"]) == ("Evening arena", "Annabel", "running")
    assert [(row["player"]["name"], row["score"]) for row in exported["standings"]] == [("Annabel", 2), ("Benjamin", 0)]
    assert [match["match"] for match in exported["matches"]] == [first, second]
    found = await evening.ask(ben, "get_tournament_matches", player="Benjamin")
    assert [(names_of(each), each["match"], each["points"]) for each in found["tables"]] == [
        ({"Annabel", "Benjamin"}, first, [0, 2])
    ]
    assert (await evening.ask(ben, "get_tournament_matches", player="Nobody-here"))["code"] == "unknown_player"
    ended, running = exported["matches"]
    assert dict(zip(ended["players"], ended["ranks"], strict=True)) == {"Annabel": 1, "Benjamin": 2}
    assert (running["ranks"], running["ended_at_ms"]) == (None, None)
    assert (await get(evening.served, "/tournament/none.json"))[0] == 404


async def test_the_export_of_an_arena_of_2000_lets_others_run_after_each_row_and_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0)
    size, turns = 2_000, 0
    joined = [Joined(IdentityId(f"p{number}"), 1500, False) for number in range(size)]
    names = [each.identity for each in joined]
    seatings = zip(names[::2], names[1::2], strict=True)
    pairs = [Pair(MatchId(f"m{table}"), seating, table) for table, seating in enumerate(seatings)]
    scored = [Scored(pair.match, (1, 2), 40) for pair in pairs]
    played: list[AnyEvent] = [*joined, Begun(), WavePaired((*pairs,)), *scored]
    events = [(event, START_MS) for event in played]
    arena = Arena()
    arena.tournament = after(arena.tournament, events)

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count_turns())
    found = await exported(arena.tournament, events, lambda identity: Player(identity, identity))
    counting.cancel()
    assert turns >= size + len(events) + len(pairs)
    assert (len(json.loads(bytes(found.standings))), len(json.loads(bytes(found.matches)))) == (size, len(pairs))


async def test_a_link_to_a_tournament_has_a_preview(serve: Serve) -> None:
    clock = SteppedClock()
    served = await serve(clock)
    (ann,) = await register_all(served, "Annabel")
    created = await ann.ask("create_tournament", plan=plan(clock.now_ms + 30 * MINUTE_MS))
    _, _, body = await get(served, f"/tournament/{created['tournament']}")
    head = body.decode()
    assert 'content="Evening arena \N{MIDDLE DOT} Nine Men&#x27;s Morris arena"' in head
    assert 'content="Starts on 24 November 2025 at 16:30 UTC. 3 min + 2 s, rated, 60 minutes."' in head


async def test_a_link_to_a_ladder_has_a_preview(serve: Serve) -> None:
    served = await serve(SteppedClock())
    _, _, body = await get(served, "/tournament/ladder-mingmang-bots")
    assert 'content="Ladder: Ming Mang for bots"' in body.decode()
