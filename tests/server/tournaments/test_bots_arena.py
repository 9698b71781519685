"""A bots' arena of the calendar: the server's own bots play once a visitor's does, and the matches are reviewed."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from millrace.protocol import IdentityId, MatchId, Player, TournamentPlan
from millrace.server.bots.requests import Urgency
from millrace.server.matches.built_in_bots import BUILT_IN_BOTS
from millrace.server.ratings.rating_changes import first_rating
from millrace.server.tournaments.arena_reviews import MOST_REVIEWED, matches_to_review
from millrace.server.tournaments.built_in_entrants import BOTS, are_wanted, built_in, join_built_in
from millrace.server.tournaments.decisions import join
from millrace.server.tournaments.events import Closed, Pair, PlayerPaused, Scored, WavePaired
from millrace.server.tournaments.tournament import SITE, Tournament, after
from millrace.server.tournaments.tournament_runner import TournamentRunner
from tests.server.in_process_server import Frame, Serve, Visitor
from tests.server.players.accounts.registered_players import register_all
from tests.server.tournaments.arenas import PLAN, START_MS, Arena, candidate, player
from tests.server.tournaments.evenings import Evening, seen

BOTS_PLAN = replace(PLAN, bots=True)
GEAR = IdentityId("gear")
MINUTE_MS = 60_000
CALENDAR = """
[[arena]]
key = "bots"
name = "Bots"
game = "morris"
clock = { initial_ms = 60_000, increment_ms = 1_000 }
minutes = 60
at = [18:00:00]
rated = false
bots = true
"""


def player_of(identity: IdentityId) -> Player:
    return player(identity, bot=identity == GEAR)


def arena_of(name: str = "Gear", plan: TournamentPlan = BOTS_PLAN, by: IdentityId = SITE.id) -> Tournament:
    """Return an arena that has begun, with one player."""
    arena = Arena(plan=plan)
    arena.store(*join(arena.tournament, candidate(name, bot=plan.bots)))
    return replace(arena.begin().tournament, by=by)


def joined_by_bots() -> Tournament:
    arena = arena_of()
    return after(arena, [(event, START_MS) for event in join_built_in(arena, first_rating)])


def test_built_in_bots_are_wanted_while_a_visitors_bot_is_there() -> None:
    arena = arena_of()
    assert are_wanted(arena, {GEAR}, player_of)
    assert not are_wanted(arena, set(), player_of)
    assert not are_wanted(after(arena, [(PlayerPaused(GEAR), START_MS)]), {GEAR}, player_of)


@pytest.mark.parametrize(
    "arena",
    [
        arena_of(plan=PLAN),
        arena_of("Ann"),
        arena_of(by=IdentityId("organiser")),
        arena_of(plan=replace(BOTS_PLAN, game="battlesheep", seats=4)),
    ],
    ids=["for people", "only people there", "not of the calendar", "tables"],
)
def test_built_in_bots_are_not_wanted_elsewhere(arena: Tournament) -> None:
    assert not are_wanted(arena, set(arena.entrants), player_of)


def test_built_in_bots_join_once_and_not_before_the_start() -> None:
    arena = joined_by_bots()
    assert len(built_in(arena)) == BOTS
    assert {arena.entrants[bot].rating for bot in built_in(arena)} <= {
        first_rating(bot).points for bot in BUILT_IN_BOTS
    }
    assert join_built_in(arena, first_rating) == []
    assert join_built_in(Arena(plan=BOTS_PLAN).tournament, first_rating) == []


def test_a_bounded_number_of_matches_is_reviewed_after_the_end_first_those_of_visitors() -> None:
    arena = joined_by_bots()
    one, other = sorted(built_in(arena))[:2]
    pairings = [*((one, other) for _ in range(MOST_REVIEWED)), (one, GEAR)]
    for number, players in enumerate(pairings):
        match = MatchId(f"m{number}")
        events = (WavePaired((Pair(match, players, 1),)), Scored(match, (1, 2), 40))
        arena = after(arena, [(event, START_MS) for event in events])
    assert matches_to_review(arena) == ()
    reviewed = matches_to_review(after(arena, [(Closed(), START_MS)]))
    assert (reviewed[0], len(reviewed)) == (f"m{MOST_REVIEWED}", MOST_REVIEWED)
    assert matches_to_review(after(arena_of(), [(Closed(), START_MS)])) == ()


@pytest.fixture
def served_url(url: str) -> str:
    """Every kind of database."""
    return url


async def begin(serve: Serve, calendar: Path, *names: str, waiting_games: tuple[str, ...] = ()) -> Evening:
    """Return the arena of the calendar at its start, joined by bots with accounts."""
    evening = Evening(serve)
    evening.served = await serve(evening.clock, calendar=calendar)
    evening.served.bots.waiting_games = waiting_games
    evening.players = await register_all(evening.served, *names)

    async def listed() -> list[Frame]:
        await evening.players[0].say("watch_tournaments")
        return list((await evening.players[0].hear_until("tournaments"))["tournaments"])

    first = (await seen(listed, bool))[0]
    evening.tournament = first["tournament"]
    for bot in evening.players:
        assert (await bot.ask("become_bot"))["type"] == "done"
        assert (await evening.ask(bot, "join_tournament"))["type"] == "done"
    evening.clock.now_ms = first["plan"]["starts_at_ms"]
    return evening


def built_in_rows(view: Frame) -> list[Frame]:
    return [row for row in view["standings"] if row["player"]["level"] is not None]


async def all_have_joined(evening: Evening) -> None:
    """Return once the server's own bots have joined, too late for a wave until the clock is set forward."""
    await seen(lambda: evening.view(evening.players[0]), lambda view: len(built_in_rows(view)) == BOTS)


async def match_between_built_in_bots(evening: Evening, guest: Visitor) -> str:
    """Return a counted match in which no visitor plays, though nobody watches it."""

    def have_played(view: Frame) -> bool:
        return sum(bool(row["points"]) for row in built_in_rows(view)) > 2  # one of them may have met the visitor

    for row in built_in_rows(await seen(lambda: evening.view(guest), have_played)):
        answer = await evening.ask(guest, "get_tournament_matches", player=row["player"]["name"])
        for table in answer["tables"]:
            if all(each["level"] is not None for each in table["players"]):
                return str(table["match"])
    raise AssertionError("no match between built-in bots")


async def test_the_servers_own_bots_play_and_the_matches_are_reviewed_and_counted(serve: Serve, calendar: Path) -> None:
    evening = await begin(serve, calendar, "Gearwheel")
    (gear,) = evening.players
    await all_have_joined(evening)
    match = await evening.paired(gear)
    seat = await evening.seat(gear, match)
    changing = await gear.ask("change_player", match=match, seat=1 - seat, level=1)
    assert changing["code"] == "not_in_tournaments"
    await evening.lose(gear, match)
    guest = await evening.served.visitor()
    among_bots = await match_between_built_in_bots(evening, guest)

    evening.served.bots.may_analyse.clear()
    evening.clock.now_ms += 60 * MINUTE_MS
    async with asyncio.timeout(30):
        while not evening.served.bots.analyses:
            await guest.ping()
    assert {request.urgency for request in evening.served.bots.analyses} == {Urgency.BACKGROUND}

    await evening.restart()
    guest = await evening.served.visitor()
    review = await seen(
        lambda: guest.ask("analyse_match", match=among_bots, only_stored=True),
        lambda answer: answer["type"] == "match_analysed",
    )
    assert review["plies"]
    await seen(
        lambda: guest.ask("explore_opening", line={"game": "morris", "moves": []}),
        lambda told: (
            sum(move["won"] + move["drawn"] + move["lost"] for move in told["moves"]) > 1
        ),  # not only the visitor's
    )


async def test_a_wave_with_the_servers_own_bots_is_finished_after_a_crash(
    serve: Serve, calendar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_stored = asyncio.Event()

    async def crash(*_: object) -> None:
        is_stored.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(TournamentRunner, "_create", crash)
        evening = await begin(serve, calendar, "Gearwheel")
        await all_have_joined(evening)
        evening.clock.now_ms += 5_000
        await is_stored.wait()
    await evening.restart()
    (gear,) = evening.players
    await evening.lose(gear, await evening.paired(gear))
    await match_between_built_in_bots(evening, gear)
    assert len(built_in_rows(await evening.view(gear))) == BOTS


async def test_visitors_bots_play_each_other_while_the_servers_own_are_not_ready(serve: Serve, calendar: Path) -> None:
    evening = await begin(serve, calendar, "Gearwheel", "Camshaft", waiting_games=("morris",))
    one, other = evening.players
    assert await evening.paired(one) == (await evening.place(other, paused=False))["standing"]["match"]
    assert built_in_rows(await evening.view(one)) == []
