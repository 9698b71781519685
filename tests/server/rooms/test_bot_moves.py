"""When bots are asked, for whom, and when they stop, over real sockets with bots that think until the test answers."""

import asyncio

import pytest

from millrace.engine.levels.opponents import DRAW_PENALTY, DRAW_PENALTY_AGAINST_WEAKER
from millrace.server.bots.requests import Urgency
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.rooms.thinkers import Thinkers
from tests.server.web.two_players import BOT, ME, play
from tests.server.web.two_players import create as create_match


def bot(level: int | str) -> Frame:
    return {"occupant": "bot", "level": level}


@pytest.fixture
def pondering(served: Served, monkeypatch: pytest.MonkeyPatch) -> Thinkers:
    thinkers = Thinkers()
    monkeypatch.setattr(served.bots, "ponder", thinkers.think)
    return thinkers


async def create(visitor: Visitor, *seats: Frame, **fields: object) -> str:
    """Create a match and watch it."""
    match = await create_match(visitor, *seats, **fields)
    await visitor.say("watch", match=match)
    return match


async def test_resigning_stops_the_bots_search(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    match = await create(ann, bot(3), ME)
    asked = await choosing.asked.get()
    await ann.ask("resign", match=match, seat=1)
    assert await choosing.withdrawn.get() == asked
    assert choosing.asked.empty()


async def test_a_fallen_flag_stops_the_bots_search(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    match = await create(ann, ME, bot(3), clock={"initial_ms": 1000})
    await ann.ask("play", match=match, seat=0, move="d6")
    await choosing.asked.get()
    choosing.answers.put_nowait("f4")
    await ann.hear_event("moved")
    await ann.hear_until("turn")
    await ann.ask("play", match=match, seat=0, move="b4")
    asked = await choosing.asked.get()
    assert (await ann.hear_event("ended"))["event"]["reason"] == "time"
    assert await choosing.withdrawn.get() == asked


async def test_a_move_for_a_person_comes_before_an_exhibition(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    played = await create(ann, bot(3), ME)
    theirs = await choosing.asked.get()
    shown = await create(ann, bot(3), bot(3))
    among_bots = await choosing.asked.get()
    assert (theirs.urgency, theirs.owner) == (Urgency.MOVE, ann.player["id"])
    assert (among_bots.urgency, among_bots.owner) == (Urgency.EXHIBITION, shown)
    assert theirs.table == f"{played} 0"


@pytest.mark.parametrize(
    ("clock", "least_ms", "most_ms"),
    [
        ({"initial_ms": 5_000}, 100, 700),
        ({"initial_ms": 5_000, "increment_ms": 1_000}, 700, 1_000),
        ({"initial_ms": 3_600_000}, 1_000, 1_000),
        ({"initial_ms": 86_400_000, "renews": True}, 1_000, 1_000),
    ],
)
async def test_a_bot_searches_within_its_clock(
    served: Served, choosing: Thinkers, clock: Frame, least_ms: float, most_ms: float
) -> None:
    await create(await served.visitor(), bot(8), ME, clock=clock)
    asked = await choosing.asked.get()
    assert asked.movetime_ms is not None
    assert asked.soft_ms is not None
    assert asked.last_ms is not None
    assert asked.movetime_ms < asked.last_ms < clock["initial_ms"]
    assert least_ms <= asked.movetime_ms <= most_ms
    assert asked.soft_ms >= least_ms


@pytest.mark.parametrize(("initial_ms", "expected_ms"), [(60_000, 3_000), (3_600_000, 10_000)])
async def test_the_timekeeper_takes_a_twentieth_of_its_clock(
    served: Served, choosing: Thinkers, initial_ms: int, expected_ms: int
) -> None:
    await create(await served.visitor(), bot("timekeeper"), ME, clock={"initial_ms": initial_ms})
    asked = await choosing.asked.get()
    assert asked.movetime_ms == pytest.approx(expected_ms, rel=0.05)
    assert asked.soft_ms is None


@pytest.mark.parametrize(
    ("opponent", "penalty"),
    [(ME, DRAW_PENALTY_AGAINST_WEAKER), (bot(7), DRAW_PENALTY_AGAINST_WEAKER), (bot(8), DRAW_PENALTY)],
)
async def test_a_bot_avoids_draws_against_weaker_opponents(
    served: Served, choosing: Thinkers, opponent: Frame, penalty: int
) -> None:
    await create(await served.visitor(), bot(8), opponent)
    asked = await choosing.asked.get()
    assert asked.draw_penalty == penalty


async def test_without_a_clock_a_bot_has_the_time_of_its_level(served: Served, choosing: Thinkers) -> None:
    await create(await served.visitor(), bot(8), ME)
    asked = await choosing.asked.get()
    assert (asked.movetime_ms, asked.soft_ms, asked.last_ms) == (None, None, None)


async def test_the_strongest_bot_ponders_until_the_opponent_moves(served: Served, pondering: Thinkers) -> None:
    ann = await served.visitor()
    match = await create(ann, bot(8), ME)
    ahead = await pondering.asked.get()
    assert (len(ahead.moves), ahead.table) == (1, f"{match} 0")
    turn = await ann.hear_until("turn")
    await ann.ask("play", match=match, seat=1, move=next(iter(turn["moves"])))
    assert await pondering.withdrawn.get() == ahead
    assert len((await pondering.asked.get()).moves) == 3


async def test_pondering_ends_with_the_match(served: Served, pondering: Thinkers) -> None:
    ann = await served.visitor()
    match = await create(ann, bot(8), ME)
    ahead = await pondering.asked.get()
    await ann.ask("resign", match=match, seat=1)
    assert await pondering.withdrawn.get() == ahead


@pytest.mark.parametrize(
    ("game", "seats"),
    [("morris", (bot(7), ME)), ("battlesheep", (bot(8), ME, bot(8)))],
)
async def test_weaker_bots_and_bots_among_three_do_not_ponder(
    served: Served, pondering: Thinkers, game: str, seats: tuple[Frame, ...]
) -> None:
    ann = await served.visitor()
    await create(ann, *seats, game=game, setup="seats=3 seed=1" if len(seats) == 3 else "")
    await ann.hear_until("turn")
    assert pondering.asked.empty()


@pytest.mark.parametrize(("clock", "expected"), [(None, 0.7), ({"initial_ms": 6_000}, 0.1)])
async def test_a_bot_keeps_a_pace_that_its_clock_can_bear(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, clock: Frame | None, expected: float
) -> None:
    """The pace is measured by what the room sleeps, never by the time of the test."""
    served = await serve(bot_pace_seconds=0.7)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    ann = await served.visitor()
    monkeypatch.setattr("millrace.server.rooms.bot_moves.asyncio", _Asyncio(sleep))
    match = await create(ann, ME, BOT, clock=clock)
    await play(ann, match, 0, "d6")
    while (await ann.hear_event("moved"))["event"]["seat"] != 1:
        pass
    assert slept[0] == pytest.approx(expected, abs=0.05)


class _Asyncio:
    """`asyncio` with another `sleep`."""

    def __init__(self, sleep: object) -> None:
        self.sleep = sleep

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)
