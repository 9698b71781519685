"""The host of a bot: accepts challenges by its rules, joins tournaments, and plays all its matches over one connection.

A `Decider` chooses the moves and manages the time.

    async def choose(match, turn, view):
        return random.choice(turn.moves)

    async with connect("localhost:8000", token=token) as me:
        await BotHost(me, ChallengeRules(("morris",)), Decider(choose)).run()
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from millrace.protocol import (
    ChallengeRules,
    Code,
    Ended,
    Left,
    MatchEvent,
    MatchId,
    Offered,
    RematchOffered,
    Seek,
    TournamentId,
    TournamentSummary,
    YourMatch,
)

from ..connection import Connection
from ..errors import RefusedError
from ..match_feed import MatchFeed, MyTurn
from ..match_view import MatchView, OpenOffer

REMATCH_SECONDS = 30.0
"""Time after the end of a match in which the bot accepts a rematch."""

Choose: TypeAlias = Callable[[MatchId, MyTurn, MatchView], Awaitable[str]]
"""Returns one of the turn's `moves`, or a move's text. It is cancelled when the turn ends."""

_FAULTS = (Code.BAD_MOVE, Code.ILLEGAL_MOVE, Code.REPETITION_REFUSED)
"""Refusals of a move that are the bot's fault. Others can occur because the position changed meanwhile."""


def _take_all(_: Seek) -> bool:
    return True


def _join_none(_: TournamentSummary) -> bool:
    return False


def _agree_to_nothing(_: OpenOffer, __: MatchView) -> bool:
    return False


def _say_nothing(_: str) -> None:
    return


@dataclass(frozen=True)
class Decider:
    """The decisions of a bot."""

    choose: Choose
    takes: Callable[[Seek], bool] = _take_all
    """Whether to accept a challenge that the rules allow."""
    agrees: Callable[[OpenOffer, MatchView], bool] = _agree_to_nothing
    """Whether to accept the offer of a draw, a takeback or a pause."""
    say: Callable[[str], None] = _say_nothing
    """Called with a line about each event, for the operator of the bot."""
    joins: Callable[[TournamentSummary], bool] = _join_none
    """Whether to join a tournament that admits bots and needs no password."""


class BotHost:
    """Plays the matches of a bot, including those that its account is already playing."""

    def __init__(self, connection: Connection, rules: ChallengeRules, decider: Decider) -> None:
        self._connection = connection
        self._rules = rules
        self._decider = decider
        self._playing: set[MatchId] = set()
        self._followed: dict[MatchId, asyncio.Task[None]] = {}
        """The running matches, and the finished ones in which a rematch may still be offered."""
        self._answered: set[MatchId] = set()
        self._joined: set[TournamentId] = set()
        self._feeds: dict[MatchId, MatchFeed] = {}
        """The running matches."""
        self._is_leaving = False
        self._idle = asyncio.Event()
        self._tasks: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Play until `leave` is called and the running matches are over.

        Cancelling it leaves the matches; another run continues them. Raises: RefusedError, ConnectionLostError.
        """
        await self._connection.lobby.set_challenge_rules(self._rules)
        self._decider.say(f"{self._connection.player.name} accepts challenges.")
        try:
            async with asyncio.TaskGroup() as tasks:
                self._tasks = tasks
                following = (self._answer_challenges(), self._continue_matches(), self._join_tournaments())
                followers = [tasks.create_task(each) for each in following]
                await self._idle.wait()
                for task in (*followers, *self._followed.values()):
                    task.cancel()
        except BaseExceptionGroup as errors:
            raise _first_of(errors) from None

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of the opponents in the running matches, each once."""
        me = self._connection.player.id
        players = (player for feed in self._feeds.values() for player in feed.view.players)
        return tuple(dict.fromkeys(player.name for player in players if player is not None and player.id != me))

    async def leave(self) -> None:
        """Accept no more challenges, and pause in tournaments. `run` returns when the running matches are over."""
        self._is_leaving = True
        await self._connection.lobby.set_challenge_rules(None)
        for tournament in self._joined:
            with suppress(RefusedError):
                await self._connection.tournaments.leave(tournament)
        self._stop_if_idle()

    def _stop_if_idle(self) -> None:
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
        accepts = not self._is_leaving and self._decider.takes(challenge)
        event = f"{challenge.by.name} challenges you to {self._title_of(challenge.game)}"
        try:
            if accepts:
                await self._connection.join(challenge.match)
                self._start_playing(challenge.match)
            else:
                await self._connection.decline(challenge.match)
            self._decider.say(f"{event}: {'accepted' if accepts else 'declined'}.")
        except RefusedError as refusal:
            self._decider.say(f"{event}, which failed: {refusal.message}")

    async def _join_tournaments(self) -> None:
        if self._decider.joins is _join_none:
            return
        async for tournaments in self._connection.tournaments.all():
            for each in tournaments:
                is_open = each.status != "over" and each.plan.bots and not each.private
                is_new = not self._is_leaving and each.tournament not in self._joined
                if is_open and is_new and self._decider.joins(each):
                    self._joined.add(each.tournament)
                    await self._join(each)

    async def _join(self, tournament: TournamentSummary) -> None:
        try:
            await self._connection.tournaments.join(tournament.tournament)
            self._decider.say(f"Joined the tournament {tournament.plan.name}.")
        except RefusedError as refusal:
            self._decider.say(f"The tournament {tournament.plan.name} cannot be joined: {refusal.message}")

    async def _continue_matches(self) -> None:
        is_first = True
        async for matches in self._connection.lobby.your_matches():
            if is_first and matches:
                self._decider.say(self._continuation(matches))
            is_first = False
            for match in matches:
                self._start_playing(match.match)

    def _continuation(self, matches: Sequence[YourMatch]) -> str:
        listed = ", ".join(
            f"{self._title_of(match.game)} with {' - '.join(match.players)} ({match.match})" for match in matches
        )
        return f"{len(matches)} {'match continues' if len(matches) == 1 else 'matches continue'}: {listed}."

    def _title_of(self, name: str) -> str:
        return next((game.title for game in self._connection.games if game.name == name), name)

    def _start_playing(self, match: MatchId) -> None:
        if match in self._followed:
            return
        assert self._tasks is not None
        self._playing.add(match)
        task = self._followed[match] = self._tasks.create_task(self._follow(match))
        task.add_done_callback(lambda _: self._followed.pop(match))

    async def _follow(self, match: MatchId) -> None:
        """Play a match, then wait a while for the offer of a rematch."""
        async with self._connection.watch(match) as feed:
            self._feeds[match] = feed
            try:
                ended = await _Seat(self._connection, feed, self._decider).play()
            except RefusedError as refusal:
                self._decider.say(f"{match}: {refusal.message}")
                return
            finally:
                self._playing.discard(match)
                del self._feeds[match]
            self._decider.say(f"{match} is over: {ended.explanation}.")
            self._stop_if_idle()
            with suppress(TimeoutError):
                async with asyncio.timeout(REMATCH_SECONDS):
                    await self._answer_rematches(feed)

    async def _answer_rematches(self, feed: MatchFeed) -> None:
        """Accept a rematch if the bot may play another match, otherwise decline it."""
        async for update in feed.updates():
            if isinstance(update, MatchEvent) and isinstance(update.event, RematchOffered):
                has_room = not self._is_leaving and len(self._playing) < self._rules.most_matches
                for seat in set(feed.my_seats) - {update.event.seat}:
                    answer = self._connection.rematch if has_room else self._connection.decline_rematch
                    with suppress(RefusedError):
                        await answer(feed.match, seat)


class _Seat:
    """Plays one match: chooses moves in the background, and answers offers."""

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
            # The boundary to code of the bot's author: the opponent must not wait forever.
            self._decider.say(f"{self._feed.match}: the bot could not choose a move and resigns: {error!r}")
            await self._resign(turn.seat)
            return
        try:
            await turn.play(move)
        except RefusedError as refusal:
            if refusal.code in _FAULTS:
                self._decider.say(
                    f"{self._feed.match}: the move {move} was refused and the bot resigns: {refusal.message}"
                )
                await self._resign(turn.seat)

    async def _resign(self, seat: int) -> None:
        with suppress(RefusedError):
            await self._connection.resign(self._feed.match, seat)

    async def _answer(self, event: Left | Offered, view: MatchView) -> None:
        """Answer an offer, or vote on the replacement of a player who left."""
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
    """Return the first error in nested groups."""
    error = errors.exceptions[0]
    return _first_of(error) if isinstance(error, BaseExceptionGroup) else error
