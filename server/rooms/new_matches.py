"""Creating matches: those of players, of players who were paired, of built-in bots, and rematches.

A match is stored first. Then it has a room, on this node and on the one that owns it.
"""

import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from millrace.protocol import (
    Accepted,
    Code,
    CommandId,
    Create,
    Created,
    Event,
    IdentityId,
    MatchId,
    PairingRequest,
    Player,
)
from millrace.protocol.refusal import Refusal

from ..cluster.membership import Membership
from ..journal.entries import Entry, Origin, Recorded
from ..journal.journal_store import Journal
from ..journal.unavailable import refusing_failures
from ..matches.creation import open_exhibition, open_match, open_paired, open_rematch, open_tournament_match
from ..matches.finish import finish_from
from ..matches.fold import replay
from ..matches.match import Match
from ..matches.match_ids import ID_BITS, match_id_of
from ..matches.seat_assignment import SeatRatings
from ..runtime import metrics
from ..runtime.system_clock import NowMs
from ..storage.appends import Insertion
from ..storage.fences import Fence
from .notifier_interface import MatchNotifier

Prepare: TypeAlias = Callable[[MatchId], Sequence[Insertion]]
"""Returns what a feature stores together with a new match."""


def _nothing(_: MatchId) -> Sequence[Insertion]:
    return ()


class NewMatches:
    """Creates matches, each once for the command that asks for it."""

    def __init__(
        self,
        journal: Journal,
        notifier: MatchNotifier,
        membership: Membership,
        now_ms: NowMs,
        seat_ratings: SeatRatings,
        follow: Callable[[MatchId], Awaitable[None]],
        unfollow: Callable[[MatchId], None],
        add_room: Callable[[MatchId, Sequence[Recorded]], None],
    ) -> None:
        """`follow` hears from now on what other nodes store in a match, `unfollow` ends that, and `add_room` opens the
        room of a match that was stored."""
        self._journal = journal
        self._notifier = notifier
        self._membership = membership
        self._now_ms = now_ms
        self._seat_ratings = seat_ratings
        self._follow = follow
        self._unfollow = unfollow
        self._add_room = add_room

    async def find_created(self, command: CommandId, creator: Player) -> Accepted | None:
        """Return the answer to a repeated creation; None if it is new. Raises: Refusal."""
        with refusing_failures("journal read failed", "look this up"):
            match = await self._journal.find_created(Origin(creator.id, command))
        return None if match is None else Accepted(command, match, 1)

    async def open(
        self, command: Create, creator: Player, invited: IdentityId | None = None, prepare: Prepare = _nothing
    ) -> Accepted:
        """Create a match, or find the one that the same command created before. Raises: Refusal."""
        order = _random_order(len(command.seats))
        events = open_match(command, creator, order, self._now_ms(), seat_ratings=self._seat_ratings, invited=invited)
        match = await self._open(events, Origin(creator.id, command.id), prepare)
        return Accepted(command.id, match, 1)

    async def open_paired(
        self, request: PairingRequest, players: Sequence[Player], prepare: Prepare, fence: Fence | None
    ) -> MatchId:
        """Create a match for paired players, by seat; any node may own it. Raises: Refusal."""
        match = match_id_of(secrets.randbits(ID_BITS))
        events = open_paired(request, players, self._now_ms(), self._seat_ratings)
        origin = Origin("pairing", CommandId(match))
        return await self._open(events, origin, prepare, fence, match)

    async def open_tournament_match(
        self,
        match: MatchId,
        created: Created,
        players: Sequence[Player],
        origin: Origin | None = None,
        insertions: Sequence[Insertion] = (),
        host_extra_ms: int = 0,
    ) -> MatchId:
        """Create a match of a tournament under an id, by seat, with what else is stored, or find the one of the same
        origin, by default the id; any node may own it. Raises: Refusal.
        """
        events = open_tournament_match(created, players, self._now_ms(), self._seat_ratings, host_extra_ms)
        return await self._open(
            events, origin or Origin("tournament", CommandId(match)), lambda _: insertions, match=match
        )

    async def open_exhibition(self, game: str, bots: Sequence[Player], fence: Fence) -> MatchId:
        """Create a match of built-in bots, by seat, for spectators, under a lease; any node may own it.

        Raises: Refusal.
        """
        match = match_id_of(secrets.randbits(ID_BITS))
        events = open_exhibition(game, bots, self._now_ms(), self._seat_ratings)
        return await self._open(events, Origin("exhibition", CommandId(match)), fence=fence, match=match)

    async def open_rematch(self, match: Match) -> MatchId:
        """Create the rematch of a match, or find it. Raises: Refusal."""
        events = open_rematch(match, self._now_ms(), self._seat_ratings)
        return await self._open(events, Origin(match.id, CommandId("rematch")))

    async def _open(
        self,
        events: list[Event],
        origin: Origin,
        prepare: Prepare = _nothing,
        fence: Fence | None = None,
        match: MatchId | None = None,
    ) -> MatchId:
        """Store a new match and open its room; return its id, by default one of those that this node owns.

        If another node owns the match, it is told, and opens a room too. Raises: Refusal.
        """
        match = match or self._new_id()
        now_ms = self._now_ms()
        entries = [Entry(event, now_ms) for event in events]
        recorded = tuple(Recorded(1 + index, entry) for index, entry in enumerate(entries))
        inbox = self._notifier.changes(None, replay(match, recorded), now_ms, lambda _: False)
        insertions = (*prepare(match), *(() if inbox is None else inbox.insertions))
        await self._follow(match)
        try:
            with refusing_failures("journal append failed", match=match):
                finish = finish_from(match, entries)
                is_stored = await self._journal.append(match, 0, entries, origin, finish, insertions, fence)
                if not is_stored:
                    earlier = await self._find_created(origin)
        except Refusal:
            self._unfollow(match)
            raise
        if not is_stored:
            self._unfollow(match)
            return earlier
        for event in events:
            metrics.EVENTS_BY_KIND[type(event)].inc()
        if inbox is not None:
            inbox.announce()
        self._add_room(match, recorded)
        return match

    def _new_id(self) -> MatchId:
        """Return a new id of a match that this node owns, if it owns any."""
        while not self._membership.owns(match := match_id_of(secrets.randbits(ID_BITS))):
            if self._membership.owner_of(match) == self._membership.node:
                break
        return match

    async def _find_created(self, origin: Origin) -> MatchId:
        match = await self._journal.find_created(origin)
        if match is None:
            raise Refusal(Code.UNAVAILABLE, "The match could not be created; please try again.")
        return match


def _random_order(seats: int) -> list[int]:
    order = list(range(seats))
    random.SystemRandom().shuffle(order)
    return order
