"""Plays for a bot: takes challenges by its rules, and plays every match of its account at once over one connection.

What to play decides a `Decider`; the connection is `client.connection`'s business, and time is the decider's.

    async def choose(match, turn, view):
        return random.choice(turn.moves)

    async with connect("localhost:8000", token=token) as me:
        await BotHost(me, ChallengeRules(("morris",)), Decider(choose)).run()
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from millrace.server.protocol import (
    ChallengeRules,
    Code,
    Ended,
    Left,
    MatchEvent,
    MatchId,
    Offered,
    RematchOffered,
    Seek,
)

from ..connection import Connection
from ..errors import RefusedError
from ..match_feed import MatchFeed, MyTurn
from ..match_view import MatchView, OpenOffer

REMATCH_SECONDS = 30.0
"""After the end of a match the bot waits so long for the offer of another."""

Choose: TypeAlias = Callable[[MatchId, MyTurn, MatchView], Awaitable[str]]
"""Returns one of the turn's `moves`, or a move's text; it is cancelled when the turn is over."""

_FAULTS = (Code.BAD_MOVE, Code.ILLEGAL_MOVE, Code.REPETITION_REFUSED)
"""Refusals of a move that are the bot's own fault; others come of a position that has changed meanwhile."""


def _take_all(_: Seek) -> bool:
    return True


def _agree_to_nothing(_: OpenOffer, __: MatchView) -> bool:
    return False


def _say_nothing(_: str) -> None:
    return


@dataclass(frozen=True)
class Decider:
    """What a bot decides by itself."""

    choose: Choose
    takes: Callable[[Seek], bool] = _take_all
    """Whether to take a challenge that the rules allow."""
    agrees: Callable[[OpenOffer, MatchView], bool] = _agree_to_nothing
    """Whether to agree to a draw, a takeback or a pause."""
    say: Callable[[str], None] = _say_nothing
    """Is told in words what happens, for the person who runs the bot."""


class BotHost:
    """A bot at work. It takes up the matches that its account plays already, so that it may be started again."""

    def __init__(self, connection: Connection, rules: ChallengeRules, decider: Decider) -> None:
        self._connection = connection
        self._rules = rules
        self._decider = decider
        self._playing: set[MatchId] = set()
        self._followed: dict[MatchId, asyncio.Task[None]] = {}
        """The matches that are played, and those whose players may still ask for another."""
        self._answered: set[MatchId] = set()
        self._is_leaving = False
        self._idle = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Play until `leave`, and until the matches that go on then are over.

        To be cancelled is to leave the matches as they are; another run takes them up. Raises: RefusedError,
        ConnectionLostError.
        """
        await self._connection.lobby.set_challenge_rules(self._rules)
        try:
            async with asyncio.TaskGroup() as tasks:
                self._tasks = tasks
                followers = [tasks.create_task(self._answer_challenges()), tasks.create_task(self._take_up_matches())]
                await self._idle.wait()
                for task in (*followers, *self._followed.values()):
                    task.cancel()
        except BaseExceptionGroup as errors:
            raise _first_of(errors) from None

    async def leave(self) -> None:
        """Take no more challenges; `run` returns when the matches that go on are over."""
        self._is_leaving = True
        await self._connection.lobby.set_challenge_rules(None)
        self._look_whether_idle()

    def _look_whether_idle(self) -> None:
        if self._is_leaving and not self._playing:
            self._idle.set()

    async def _answer_challenges(self) -> None:
        async for challenges in self._connection.lobby.challenges():
            self._answered.intersection_update(challenge.match for challenge in challenges)
            for challenge in challenges:
                if challenge.match not in self._answered:
                    self._answered.add(challenge.match)
                    await self._answer(challenge)

    async def _answer(self, challenge: Seek) -> None:
        is_taken = not self._is_leaving and self._decider.takes(challenge)
        words = f"{challenge.by.name} challenges to {challenge.game}"
        try:
            if is_taken:
                await self._connection.join(challenge.match)
                self._take_up(challenge.match)
            else:
                await self._connection.decline(challenge.match)
            self._decider.say(f"{words}: {'taken' if is_taken else 'declined'}.")
        except RefusedError as refusal:
            self._decider.say(f"{words}, but: {refusal.message}")

    async def _take_up_matches(self) -> None:
        async for matches in self._connection.lobby.your_matches():
            for match in matches:
                self._take_up(match.match)

    def _take_up(self, match: MatchId) -> None:
        if match in self._followed:
            return
        assert self._tasks is not None
        self._playing.add(match)
        task = self._followed[match] = self._tasks.create_task(self._follow(match))
        task.add_done_callback(lambda _: self._followed.pop(match))

    async def _follow(self, match: MatchId) -> None:
        """Play a match, and wait a while for the offer of another."""
        async with self._connection.watch(match) as feed:
            try:
                ended = await _Seat(self._connection, feed, self._decider).play()
            except RefusedError as refusal:
                self._decider.say(f"{match}: {refusal.message}")
                return
            finally:
                self._playing.discard(match)
            self._decider.say(f"{match} is over: {ended.explanation}.")
            self._look_whether_idle()
            with suppress(TimeoutError):
                async with asyncio.timeout(REMATCH_SECONDS):
                    await self._answer_rematches(feed)

    async def _answer_rematches(self, feed: MatchFeed) -> None:
        """Take part in another match when another player asks for it and there is room."""
        async for update in feed.updates():
            if isinstance(update, MatchEvent) and isinstance(update.event, RematchOffered):
                has_room = not self._is_leaving and len(self._playing) < self._rules.most_matches
                for seat in set(feed.my_seats) - {update.event.seat}:
                    ask = self._connection.rematch if has_room else self._connection.decline_rematch
                    with suppress(RefusedError):
                        await ask(feed.match, seat)


class _Seat:
    """The bot at one match: it thinks beside what happens there, and answers what is offered."""

    def __init__(self, connection: Connection, feed: MatchFeed, decider: Decider) -> None:
        self._connection = connection
        self._feed = feed
        self._decider = decider
        self._thinking: asyncio.Task[None] | None = None

    async def play(self) -> Ended:
        """Play to the end of the match. Raises: RefusedError, ConnectionLostError."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for update in self._feed.updates():
                    if self._feed.view.result is not None:
                        break
                    self._think(tasks)
                    if isinstance(update, MatchEvent) and isinstance(update.event, Left | Offered):
                        tasks.create_task(self._answer(update.event, self._feed.view))
                self._stop_thinking()
        except BaseExceptionGroup as errors:
            raise _first_of(errors) from None
        assert self._feed.view.result is not None
        return self._feed.view.result

    def _think(self, tasks: asyncio.TaskGroup) -> None:
        turn = self._feed.turn
        if turn is None:
            self._stop_thinking()
        elif self._thinking is None:
            self._thinking = tasks.create_task(self._make_ply(turn, self._feed.view))

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def _make_ply(self, turn: MyTurn, view: MatchView) -> None:
        try:
            move = await self._decider.choose(self._feed.match, turn, view)
        except Exception as error:
            # The boundary to what somebody else has written: the opponent must not wait for ever.
            self._decider.say(f"{self._feed.match}: no move could be chosen, so the bot resigns: {error!r}")
            await self._resign(turn.seat)
            return
        try:
            await turn.play(move)
        except RefusedError as refusal:
            if refusal.code in _FAULTS:
                self._decider.say(f"{self._feed.match}: {move} was refused, so the bot resigns: {refusal.message}")
                await self._resign(turn.seat)

    async def _resign(self, seat: int) -> None:
        with suppress(RefusedError):
            await self._connection.resign(self._feed.match, seat)

    async def _answer(self, event: Left | Offered, view: MatchView) -> None:
        """Answer an offer, or vote on who plays on for a player who has left."""
        for seat in set(self._feed.my_seats) - {event.seat}:
            with suppress(RefusedError):
                if isinstance(event, Left):
                    await self._connection.choose_stand_in(self._feed.match, seat, event.seat, "bot")
                    continue
                offer = next(offer for offer in view.offers if offer.kind == event.kind)
                does_agree = self._decider.agrees(offer, view)
                answer = self._connection.accept_offer if does_agree else self._connection.decline_offer
                await answer(self._feed.match, seat, offer.kind)


def _first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first of the errors that are no groups themselves."""
    error = errors.exceptions[0]
    return _first_of(error) if isinstance(error, BaseExceptionGroup) else error
