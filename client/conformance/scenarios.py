"""What a bot meets in the conformance run, one situation after the other.

Each has a fresh start: what one leaves is given up before the next.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from millrace.server.protocol import ChallengeRules, Code, GameInfo, OfferKind

from ..connection import connect
from ..errors import RefusedError
from ..match_commands import ME, OPEN
from ..match_feed import MatchFeed, MyTurn
from .bench import Bench, FaultError, SkippedError, until

SHORT, LONG = 6, 24
"""So many plies are played where it matters that there is play, and where it matters how it goes on."""
SHORT_CLOCK_MS = 10_000
MOST_BAN_PLIES = 60

SHUT_IN = (
    "b1,r3,.,.,.,./b1,b1,b1,b1,.,./b4,r2,0,b1,0,./r1,r1,0,r1,r2,./.,r1,r1,0,r1,r1/.,0,b1,0,r1,0/.,.,0,b1,b1,b1/"
    ".,.,.,.,r1,b2 r 2"
)
"""Battle Sheep: after e4-e3:1 by seat 0, seat 1 cannot move, and the server passes for it."""
SHUTTING_MOVE = "e4-e3:1"


class Scenario(NamedTuple):
    """What happens to the bot, and how it is seen whether it bears it."""

    title: str
    meet: Callable[[Bench], Awaitable[None]]
    """Raises: FaultError, SkippedError."""


def scenarios(rules: ChallengeRules, games: tuple[GameInfo, ...]) -> Iterator[Scenario]:
    """Yield every situation for a bot that takes challenges by these rules."""
    for game in games:
        if game.name in rules.games:
            for seat, words in ((1, "second"), (0, "first")):
                yield Scenario(f"plays {game.title}, moving {words}", _plays(game.name, seat))
    yield Scenario("plays several matches at once", _plays_several)
    yield Scenario("plays by a clock that runs short", _plays_by_a_short_clock)
    yield Scenario("comes back after its connection was cut at its turn", _comes_back_at_its_turn)
    yield Scenario("comes back after its connection was cut while it waited", _comes_back_while_waiting)
    yield Scenario("plays on when its opponent was away", _bears_absence)
    yield Scenario("takes another challenge after one was called off", _bears_a_challenge_called_off)
    yield Scenario("takes another challenge after a match was called off", _bears_a_match_called_off)
    kinds: tuple[OfferKind, ...] = ("draw", "takeback", "pause")
    for kind in kinds:
        yield Scenario(f"answers the offer of a {kind}", _answers(kind))
    if "battlesheep" in rules.games:
        yield Scenario("plays on after a pass that was forced on it", _bears_a_forced_pass)
    if "mingmang" in rules.games:
        yield Scenario("keeps to the ban on repetition", _keeps_to_the_ban)


def _plays(game: str, seat: int) -> Callable[[Bench], Awaitable[None]]:
    async def meet(bench: Bench) -> None:
        feed = await bench.begin(game, seat)
        await bench.play(feed, LONG)

    return meet


async def _plays_several(bench: Bench) -> None:
    most = min(4, bench.rules.most_matches)
    if most < 2:
        raise SkippedError("It takes one match at a time.")
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
    raise FaultError("It is challenged to more matches than it takes at once.")


async def _plays_by_a_short_clock(bench: Bench) -> None:
    clock = bench.clock(SHORT_CLOCK_MS)
    if clock is None:
        raise SkippedError("It plays without a clock only.")
    await bench.play(await bench.begin(_any_game(bench), clock=clock), LONG)


async def _comes_back_at_its_turn(bench: Bench) -> None:
    feed = await bench.begin(_any_game(bench))
    await bench.play(feed, 2)
    bench.relay.cut()
    await bench.play(feed, 3)
    await _is_back(bench)
    await bench.play(feed, 3 + SHORT)


async def _comes_back_while_waiting(bench: Bench) -> None:
    feed = await bench.begin(_any_game(bench))
    await bench.play(feed, 2)
    bench.relay.cut()
    await _is_back(bench)
    await bench.play(feed, 2 + SHORT)


async def _is_back(bench: Bench) -> None:
    await bench.wait(bench.relay.connected(), "It did not connect again", times=2)
    await bench.online(times=2)


async def _bears_absence(bench: Bench) -> None:
    if not bench.rules.casual:
        raise SkippedError("It plays rated matches only, and guests have none.")
    async with connect(bench.address) as guest:
        feed = await bench.begin(_any_game(bench), me=guest)
        token = guest.token
    async with connect(bench.address, token=token) as guest:
        try:
            await bench.play(guest.watch(feed.match), LONG // 2)
        finally:
            with suppress(RefusedError):
                await guest.resign(feed.match, 0)


async def _bears_a_challenge_called_off(bench: Bench) -> None:
    rated = not bench.rules.casual
    clock = None if bench.rules.untimed else bench.clock()
    await bench.online(times=2)
    made = await bench.me.challenge(bench.name, _any_game(bench), (ME, OPEN), clock=clock, shuffle=False, rated=rated)
    await bench.me.abort(made.match, 0)
    await bench.play(await bench.begin(_any_game(bench)), SHORT)


async def _bears_a_match_called_off(bench: Bench) -> None:
    feed = await bench.begin(_any_game(bench))
    await bench.me.abort(feed.match, 0)
    await bench.play(await bench.begin(_any_game(bench)), SHORT)


def _answers(kind: OfferKind) -> Callable[[Bench], Awaitable[None]]:
    async def meet(bench: Bench) -> None:
        if kind != "draw" and not bench.rules.casual:
            raise SkippedError(f"There is no {kind} in a rated match.")
        feed = await bench.begin(_any_game(bench))
        await bench.play(feed, 4)
        await bench.me.offer(feed.match, 0, kind)
        await until(feed, lambda: bool(feed.view.offers))
        await bench.wait(until(feed, lambda: not feed.view.offers), f"It did not answer the offer of a {kind}")
        if feed.view.paused_until_ms is not None:
            await bench.me.end_pause(feed.match, 0)
            await until(feed, lambda: feed.view.paused_until_ms is None)
        if feed.view.result is None:
            await bench.play(feed, len(feed.view.moves) + SHORT)

    return meet


async def _bears_a_forced_pass(bench: Bench) -> None:
    if bench.rules.positions != "any":
        raise SkippedError("It plays from the starts of the games only.")
    feed = await bench.begin("battlesheep", setup=SHUT_IN)
    turn = await feed.my_turn()
    assert turn is not None
    await turn.play(SHUTTING_MOVE)
    await until(feed, lambda: len(feed.view.moves) >= 2)
    await bench.play(feed, 2 + SHORT)


async def _keeps_to_the_ban(bench: Bench) -> None:
    """Move to and fro, so that every move by which the bot takes its own back is forbidden."""
    before = bench.relay.bans
    feed = await bench.begin("mingmang")
    while bench.relay.bans == before and feed.view.result is None and len(feed.view.moves) < MOST_BAN_PLIES:
        await bench.play(feed, len(feed.view.moves) + 2, lambda turn: _to_and_fro(bench, feed, turn))
    if bench.relay.bans == before:
        raise SkippedError("No move of it would have brought back an earlier position.")
    await bench.play(feed, len(feed.view.moves) + LONG, lambda turn: _to_and_fro(bench, feed, turn))


def _to_and_fro(bench: Bench, feed: MatchFeed, turn: MyTurn) -> str:
    own = feed.view.moves[turn.seat :: 2]
    back = " ".join(reversed(own[-1].split("-"))) if own else ""
    return back if back in turn.moves else bench.chance.choice(turn.moves)


def _any_game(bench: Bench) -> str:
    return bench.rules.games[0]
