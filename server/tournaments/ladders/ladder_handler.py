"""The handler of ladders: joining, leaving, challenging and following them."""

import random
import secrets
from collections.abc import Coroutine, Sequence

from millrace.protocol import (
    Accepted,
    ChallengeOnLadder,
    Code,
    Created,
    Done,
    GetLadders,
    IdentityId,
    JoinLadder,
    LadderView,
    LeaveLadder,
    Player,
    Scope,
    SeatPlan,
    SwitchableFeature,
    TournamentId,
    WatchLadder,
)
from millrace.protocol import (
    Ladders as LadderList,
)
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller, FindPlayer, account_of
from ...callers.feature import Feature, Route
from ...callers.limit import DAY_MS, MINUTE_MS, Limit
from ...callers.limits import Limits
from ...cluster.bus import Bus
from ...journal.entries import Origin
from ...journal.unavailable import refusing_failures
from ...matches.creation import setup_for
from ...matches.match_ids import ID_BITS, match_id_of
from ...ratings.ratings import Ratings
from ...rooms.rooms import Rooms
from ...runtime.system_clock import NowMs
from ...storage.appends import Insertion
from .ladder import CLOCK, SEATS, Ladder, RatingOf, decide_challenge, decide_join, decide_leave
from .ladder_events import LadderChallenged
from .ladder_news import LadderNews
from .ladder_runner import LadderRunner
from .ladder_views import summary_of, view_of
from .ladders import Ladders

LADDER_JOINS = Limit(
    name="ladder_joins",
    counts="ladders joined or left",
    refusal="You have joined and left many ladders.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=10,
    address=300,
)
LADDER_CHALLENGES = Limit(
    name="ladder_challenges",
    counts="challenges on ladders",
    refusal="You have challenged that many players on ladders today.",
    window_ms=DAY_MS,
    account=40,
    address=400,
)


class LadderHandler(Feature):
    """Answers players on ladders, and counts their results."""

    def __init__(
        self,
        ladders: Ladders,
        runner: LadderRunner,
        rooms: Rooms,
        ratings: Ratings,
        find_player: FindPlayer,
        bus: Bus,
        limits: Limits,
        now_ms: NowMs,
    ) -> None:
        self._ladders, self._runner, self._rooms = ladders, runner, rooms
        self._ratings, self._find_player, self._limits, self._now_ms = ratings, find_player, limits, now_ms
        self._news = LadderNews(self._view, bus)
        self.routes = (
            Route(GetLadders, self.list, Scope.READ),
            Route(JoinLadder, self.join, Scope.PLAY),
            Route(LeaveLadder, self.leave, Scope.PLAY),
            Route(ChallengeOnLadder, self.challenge, Scope.CHALLENGE, feature=SwitchableFeature.MATCHES),
            Route(WatchLadder, self.watch, Scope.READ),
        )

    async def load(self) -> None:
        """Load the ladders. Raises: StorageError."""
        await self._ladders.load()

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return what counts results and sends news."""
        return (self._ladders.run(), self._runner.run(), self._news.run())

    async def close(self) -> None:
        """Finish what is being stored."""
        await self._runner.close()

    def disconnect(self, caller: Caller) -> None:
        """Forget a follower."""
        self._news.disconnect(caller)

    async def list(self, message: GetLadders, caller: Caller) -> LadderList:
        """Answer with the list of ladders."""
        ladders = self._ladders.loaded.values()
        return LadderList(message.id, tuple(summary_of(ladder, caller.identity) for ladder in ladders))

    async def join(self, command: JoinLadder, caller: Caller) -> Done:
        """Put the caller at the bottom of a ladder. Raises: Refusal."""
        player = account_of(caller)
        self._limits.use(LADDER_JOINS, caller)
        await self._ladders.change(command.ladder, lambda now, _: decide_join(now, player), [player])
        return Done(command.id)

    async def leave(self, command: LeaveLadder, caller: Caller) -> Done:
        """Let the caller leave a ladder. Raises: Refusal."""
        self._limits.use(LADDER_JOINS, caller)
        await self._ladders.change(command.ladder, lambda now, _: decide_leave(now, caller.identity))
        return Done(command.id)

    async def challenge(self, command: ChallengeOnLadder, caller: Caller) -> Accepted:
        """Begin the match of a challenge, or find the one that the same command began before. Raises: Refusal."""
        player = account_of(caller)
        find = self._rooms.new.find_created
        if (accepted := await find(command.id, player)) is not None:
            return accepted
        try:
            return await self._challenge(command, player, caller)
        except Refusal:
            # Perhaps because the same command, on another connection, was first.
            if (accepted := await find(command.id, player)) is not None:
                return accepted
            raise

    async def _challenge(self, command: ChallengeOnLadder, player: Player, caller: Caller) -> Accepted:
        """Raises: Refusal."""
        ladder = self._ladders.find(command.ladder)
        with refusing_failures("accounts not read", "look this up"):
            other = await self._find_player(command.player)
        if other is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no player called {name}.", name=command.player)
        self._limits.use(LADDER_CHALLENGES, caller)
        seated = [player, other]
        random.SystemRandom().shuffle(seated)
        match_id = match_id_of(secrets.randbits(ID_BITS))
        event = LadderChallenged(match_id, player.id, other.id, seated.index(player))

        async def begin(insertions: Sequence[Insertion]) -> bool:
            created, origin = _created_on(ladder), Origin(player.id, command.id)
            try:
                match = await self._rooms.new.open_tournament_match(event.match, created, seated, origin, insertions)
            except Refusal as refusal:
                if refusal.code is not Code.UNAVAILABLE:
                    raise
                return False
            return match == event.match

        await self._ladders.change(
            ladder.id, lambda now, now_ms: decide_challenge(now, event, self._rating_on(now), now_ms), append=begin
        )
        return Accepted(command.id, event.match, 1)

    async def watch(self, message: WatchLadder, caller: Caller) -> None:
        """Send a page of a ladder, now and after each change, or stop. Raises: Refusal."""
        self._ladders.find(message.ladder)
        self._news.follow(message, caller)

    def _view(self, ladder_id: TournamentId, page: int | None, reader: IdentityId) -> LadderView:
        ladder = self._ladders.find(ladder_id)
        return view_of(ladder, page, reader, self._rating_on(ladder), self._ladders.player, self._now_ms())

    def _rating_on(self, ladder: Ladder) -> RatingOf:
        return lambda identity: self._ratings.find(identity, ladder.rating_kind)


def _created_on(ladder: Ladder) -> Created:
    """Return how a match of a ladder is created."""
    seats, setup = (SeatPlan("open"),) * SEATS, setup_for(ladder.game, SEATS)
    return Created(ladder.game, setup, seats, CLOCK, rated=True, tournament=ladder.id)
