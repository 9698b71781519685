"""The scenarios of the conformance run. The matches of each are ended before the next one starts."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from millrace.protocol import ChallengeRules, ClockSettings, Code, GameInfo, OfferKind

from ..connection import connect
from ..errors import RefusedError
from ..match_commands import ME, OPEN, bot
from ..match_feed import MatchFeed, MyTurn
from .bench import Bench, FaultError, SkippedError, until

SHORT, LONG = 6, 24
"""Number of plies to play when any play will do, and when the course of the match matters."""
SHORT_CLOCK_MS = 10_000
PERIODS, PERIOD_MS = 3, 10_000
TILES, TILES_LAID = "opening=tiles", 8
"""A set-up of Battle Sheep in which two players lay the pasture first, and how many plies that takes."""
THREE = 3
MOST_PLIES = 4_000
MOST_REPETITION_PLIES = 60
"""Maximum number of plies to wait for a forbidden repetition."""

SHUT_IN = (
    "b1,r3,.,.,.,./b1,b1,b1,b1,.,./b4,r2,0,b1,0,./r1,r1,0,r1,r2,./.,r1,r1,0,r1,r1/.,0,b1,0,r1,0/.,.,0,b1,b1,b1/"
    ".,.,.,.,r1,b2 r 2"
)
"""Battle Sheep: after e4-e3:1 by seat 0, seat 1 has no move, and the server passes for it."""
SHUTTING_MOVE = "e4-e3:1"


class Scenario(NamedTuple):
    """A situation that the bot must handle."""

    title: str
    run: Callable[[Bench], Awaitable[None]]
    """Raises: FaultError, SkippedError."""


def scenarios(rules: ChallengeRules, games: tuple[GameInfo, ...]) -> Iterator[Scenario]:
    """Yield the scenarios for a bot that accepts challenges by these rules."""
    for game in games:
        if game.name in rules.games:
            for seat, order in ((1, "second"), (0, "first")):
                yield Scenario(f"plays {game.title}, moving {order}", _plays(game.name, seat))
    yield Scenario("plays several matches at once", _plays_several)
    yield Scenario("plays with little time on the clock", _plays_with_little_time)
    yield Scenario("plays with periods of time (byo-yomi)", _plays_with_periods)
    yield Scenario("reconnects after losing its connection on its turn", _reconnects_on_its_turn)
    yield Scenario("reconnects after losing its connection while waiting", _reconnects_while_waiting)
    yield Scenario("continues after its opponent was away", _continues_after_absence)
    yield Scenario("accepts a challenge after another was withdrawn", _accepts_after_a_withdrawn_challenge)
    yield Scenario("accepts a challenge after a match was aborted", _accepts_after_an_aborted_match)
    kinds: tuple[OfferKind, ...] = ("draw", "takeback", "pause")
    for kind in kinds:
        yield Scenario(f"answers an offer of a {kind}", _answers(kind))
    yield Scenario("answers its opponent's request to let a bot play on", _answers_hand_over)
    if "battlesheep" in rules.games:
        yield Scenario("lays a pasture tile by tile and plays on it", _lays_a_pasture)
        yield Scenario("plays with three seats", _plays_with_three_seats)
        yield Scenario("continues after a forced pass", _continues_after_a_forced_pass)
    if "mingmang" in rules.games:
        yield Scenario("obeys the rule against repetition", _obeys_the_repetition_rule)


def _plays(game: str, seat: int) -> Callable[[Bench], Awaitable[None]]:
    async def run(bench: Bench) -> None:
        feed = await bench.begin(game, seat)
        await bench.play(feed, LONG)

    return run


async def _plays_several(bench: Bench) -> None:
    most = min(4, bench.rules.most_matches)
    if most < 2:
        raise SkippedError("It plays one match at a time.")
    feeds = [await bench.begin(_any_game(bench), number % 2) for number in range(most)]
    await asyncio.gather(*(bench.play(feed, LONG // 2) for feed in feeds))
    if most == bench.rules.most_matches:
        await _refuses_one_more(bench)


async def _refuses_one_more(bench: Bench) -> None:
    try:
        await bench.me.challenge(bench.name, _any_game(bench), (ME, OPEN))
    except RefusedError as refusal:
        if refusal.code is Code.NOT_TAKEN:
            return
        raise
    raise FaultError("It can be challenged to more matches than it accepts at once.")


async def _plays_with_little_time(bench: Bench) -> None:
    clock = bench.clock(SHORT_CLOCK_MS)
    if clock is None:
        raise SkippedError("It plays only without a clock.")
    await bench.play(await bench.begin(_any_game(bench), clock=clock), LONG)


async def _plays_with_periods(bench: Bench) -> None:
    usual, period_ms = bench.clock(), max(PERIOD_MS, bench.rules.least_increment_ms)
    if usual is None:
        raise SkippedError("It plays only without a clock.")
    initial_ms = min(SHORT_CLOCK_MS, bench.rules.most_initial_ms - PERIODS * period_ms)
    if initial_ms < max(0, bench.rules.least_initial_ms - PERIODS * period_ms):
        raise SkippedError("It accepts no clock with periods.")
    clock = ClockSettings(initial_ms, periods=PERIODS, period_ms=period_ms)
    await bench.play(await bench.begin(_any_game(bench), clock=clock), SHORT)


async def _reconnects_on_its_turn(bench: Bench) -> None:
    feed = await bench.begin(_any_game(bench))
    await bench.play(feed, 2)
    bench.proxy.cut()
    await bench.play(feed, 3)
    await _reconnects(bench)
    await bench.play(feed, 3 + SHORT)


async def _reconnects_while_waiting(bench: Bench) -> None:
    feed = await bench.begin(_any_game(bench))
    await bench.play(feed, 2)
    bench.proxy.cut()
    await _reconnects(bench)
    await bench.play(feed, 2 + SHORT)


async def _reconnects(bench: Bench) -> None:
    await bench.wait(bench.proxy.connected(), "It did not reconnect", times=2)
    await bench.online(times=2)


async def _continues_after_absence(bench: Bench) -> None:
    if not bench.rules.casual:
        raise SkippedError("It plays only rated matches, which guests cannot play.")
    async with connect(bench.address) as guest:
        feed = await bench.begin(_any_game(bench), me=guest)
        token = guest.token
    async with connect(bench.address, token=token) as guest:
        try:
            await bench.play(guest.watch(feed.match), LONG // 2)
        finally:
            with suppress(RefusedError):
                await guest.resign(feed.match, 0)


async def _accepts_after_a_withdrawn_challenge(bench: Bench) -> None:
    rated = not bench.rules.casual
    clock = None if bench.rules.untimed else bench.clock()
    await bench.online(times=2)
    made = await bench.me.challenge(bench.name, _any_game(bench), (ME, OPEN), clock=clock, shuffle=False, rated=rated)
    await bench.me.abort(made.match, 0)
    await bench.play(await bench.begin(_any_game(bench)), SHORT)


async def _accepts_after_an_aborted_match(bench: Bench) -> None:
    feed = await bench.begin(_any_game(bench))
    await bench.me.abort(feed.match, 0)
    await bench.play(await bench.begin(_any_game(bench)), SHORT)


def _answers(kind: OfferKind) -> Callable[[Bench], Awaitable[None]]:
    async def run(bench: Bench) -> None:
        if kind != "draw" and not bench.rules.casual:
            raise SkippedError(f"A rated match has no {kind}.")
        feed = await bench.begin(_any_game(bench))
        await bench.play(feed, 4)
        await bench.me.offer(feed.match, 0, kind)
        await until(feed, lambda: bool(feed.view.offers))
        await bench.wait(until(feed, lambda: not feed.view.offers), f"It did not answer an offer of a {kind}")
        if feed.view.paused_until_ms is not None:
            await bench.me.end_pause(feed.match, 0)
            await until(feed, lambda: feed.view.paused_until_ms is None)
        if feed.view.result is None:
            await bench.play(feed, len(feed.view.moves) + SHORT)

    return run


async def _answers_hand_over(bench: Bench) -> None:
    if not bench.rules.casual:
        raise SkippedError("A rated match has no change of seats.")
    feed = await bench.begin(_any_game(bench))
    await bench.play(feed, 4)
    await bench.me.offer(feed.match, 0, "hand_over", level=1)
    await until(feed, lambda: bool(feed.view.offers))
    await bench.wait(until(feed, lambda: not feed.view.offers), "It did not answer the request to let a bot play on")
    # If it agrees, nobody is left to end the match early: a bot plays it to its end.
    plies = len(feed.view.moves) + SHORT if 0 in feed.my_seats else MOST_PLIES
    await bench.play(feed, plies)


async def _lays_a_pasture(bench: Bench) -> None:
    if bench.rules.positions != "any":
        raise SkippedError("It plays only from the start positions.")
    feed = await bench.begin("battlesheep", setup=TILES)
    await bench.play(feed, TILES_LAID + LONG // 2)


async def _plays_with_three_seats(bench: Bench) -> None:
    if bench.rules.most_seats < THREE:
        raise SkippedError("It plays only with two seats.")
    if not bench.rules.casual:
        raise SkippedError("It plays only rated matches, which have no built-in bots.")
    (game,) = (each for each in bench.me.games if each.name == "battlesheep")
    setup = next(start.setup for start in game.starts if start.seats == THREE and "{" not in start.setup)
    await bench.play(await bench.begin(game.name, setup=setup, others=(bot(1),)), LONG)


async def _continues_after_a_forced_pass(bench: Bench) -> None:
    if bench.rules.positions != "any":
        raise SkippedError("It plays only from the start positions.")
    feed = await bench.begin("battlesheep", setup=SHUT_IN)
    turn = await feed.my_turn()
    assert turn is not None
    await turn.play(SHUTTING_MOVE)
    await until(feed, lambda: len(feed.view.moves) >= 2)
    await bench.play(feed, 2 + SHORT)


async def _obeys_the_repetition_rule(bench: Bench) -> None:
    """Move back and forth, so that the bot may not do the same."""
    before = bench.proxy.repetition_turns
    feed = await bench.begin("mingmang")
    while (
        bench.proxy.repetition_turns == before
        and feed.view.result is None
        and len(feed.view.moves) < MOST_REPETITION_PLIES
    ):
        await bench.play(feed, len(feed.view.moves) + 2, lambda turn: _back_and_forth(bench, feed, turn))
    if bench.proxy.repetition_turns == before:
        raise SkippedError("None of its moves would have repeated a position.")
    await bench.play(feed, len(feed.view.moves) + LONG, lambda turn: _back_and_forth(bench, feed, turn))


def _back_and_forth(bench: Bench, feed: MatchFeed, turn: MyTurn) -> str:
    own = feed.view.moves[turn.seat :: 2]
    back = " ".join(reversed(own[-1].split("-"))) if own else ""
    return back if back in turn.moves else bench.chance.choice(turn.moves)


def _any_game(bench: Bench) -> str:
    return bench.rules.games[0]
