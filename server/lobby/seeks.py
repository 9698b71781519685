"""The matches that wait for players: seeks listed in the lobby, challenges to somebody, and what one may have of them.

A seek is a waiting match, and joining it is a `Join` like any other; this desk knows which there are, who may see them,
and who may make more.
"""

import asyncio
from typing import Protocol

from ..bus.bus import Bus
from ..bus.events import MatchChanged, SeeksChanged
from ..identity.find_player import FindPlayer
from ..identity.presence import Presence
from ..matches.match import Match, Phase
from ..matches.speed import speed_of
from ..profiles.blocks import Blocks
from ..protocol import (
    Accepted,
    Challenges,
    Code,
    CommandId,
    Create,
    IdentityId,
    MatchId,
    Player,
    Seek,
    Speed,
)
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .disconnections import Disconnections
from .online_bots import OnlineBotList
from .rating_lookup import RatingLookup

MOST_WAITING = 20
MOST_WAITING_OF_GUEST = 5
"""So many of one's matches may wait for players at once."""
ABSENCE_MS = 30_000
"""A seek is hidden while whoever made it has been away for so long; one by correspondence stays."""
LOOK_SECONDS = 5.0
"""It is looked so often who is away."""
SHOWN_SEEKS = 50


class Rooms(Protocol):
    """Where matches are made and served: `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match that is being served, as it stands."""

    async def find_created(self, command: CommandId, creator: Player) -> Accepted | None:
        """Return the answer to a creation that came before. Raises: Refusal."""

    async def open(self, command: Create, creator: Player, invited: IdentityId | None = None) -> Accepted:
        """Make a match, or find the one that the same command made before. Raises: Refusal."""

    async def decline(self, match: MatchId, player: Player) -> None:
        """Decline a challenge for somebody who cannot. Raises: Refusal."""


class SeekList:
    """The matches of this process that wait for players."""

    def __init__(
        self,
        rooms: Rooms,
        presence: Presence,
        blocks: Blocks,
        rating_lookup: RatingLookup,
        bots: OnlineBotList,
        find_player: FindPlayer,
        bus: Bus,
        now_ms: NowMs,
    ) -> None:
        self._rooms = rooms
        self._presence = presence
        self._blocks = blocks
        self._rating_lookup = rating_lookup
        self._bots = bots
        self._find_player = find_player
        self._bus = bus
        self._now_ms = now_ms
        self._waiting: dict[MatchId, Match] = {}
        self._disconnections = Disconnections(presence)
        self._hidden: frozenset[IdentityId] = frozenset()
        bus.subscribe(MatchChanged, lambda event: self._changed(event.match))

    async def open(self, command: Create, maker: Player) -> Accepted:
        """Make a match, or find the one that the same command made before. Raises: Refusal."""
        most = MOST_WAITING if maker.registered else MOST_WAITING_OF_GUEST
        has_open_seat = any(plan.occupant == "open" for plan in command.seats)
        try:
            if has_open_seat and self._waiting_of(maker.id) >= most:
                raise Refusal(Code.TOO_MANY, f"{most} matches of yours wait for players already; call one off first.")
            invited = None if command.invited is None else await self._invited(command, command.invited, maker)
        except Refusal:
            before = await self._rooms.find_created(command.id, maker)
            if before is not None:
                return before
            raise
        return await self._rooms.open(command, maker, invited)

    def admit(self, match_id: MatchId, player: Player) -> None:
        """Refuse a waiting match to whom its open seats are not open. Raises: Refusal."""
        match = self._waiting.get(match_id)
        if match is None or player.id in match.people:
            return
        if not self._is_open_to(match, player.id):
            raise Refusal(Code.NOT_FOR_YOU, "That match is not open to you.")
        if not _is_for(match, player):
            raise Refusal(Code.NOT_FOR_BOTS, "People's open matches are not for bots; a bot waits to be challenged.")

    def seeks_for(self, reader: Player) -> tuple[Seek, ...]:
        """Return the seeks that somebody may take, and the own, the latest first."""
        seeks = [
            seek
            for match in reversed(self._waiting.values())
            if match.created.listed and self._is_shown(match, reader) and (seek := self._seek_of(match)) is not None
        ]
        return tuple(seeks[:SHOWN_SEEKS])

    def challenges_for(self, identity: IdentityId) -> tuple[Seek, ...]:
        """Return the challenges that wait for somebody's answer, the latest first."""
        seeks = (
            self._seek_of(match)
            for match in reversed(self._waiting.values())
            if match.created.invited == identity and self._is_open_to(match, identity)
        )
        return tuple(seek for seek in seeks if seek is not None)

    async def decline_all(self, player: Player) -> None:
        """Decline every challenge that waits for somebody's answer. Raises: Refusal."""
        for challenge in self.challenges_for(player.id):
            await self._rooms.decline(challenge.match, player)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the frames that somebody gets who has just come."""
        challenges = self.challenges_for(identity)
        return (frame_of(Challenges(challenges)),) if challenges else ()

    def retell(self, identity: IdentityId) -> None:
        """Tell somebody the challenges anew, and everyone the seeks, since a block has changed."""
        self._tell_challenged(identity)
        self._bus.publish(SeeksChanged())

    async def keep(self) -> None:
        """Hide the seeks of those who are away, and show them again, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look_around()

    def look_around(self) -> None:
        """Take note of who is away."""
        now_ms = self._now_ms()
        listed = (match.maker for match in self._waiting.values() if match.created.listed)
        self._disconnections.look((maker.id for maker in listed if maker is not None), now_ms)
        hidden, self._hidden = self._hidden, self._disconnections.gone_for(ABSENCE_MS, now_ms)
        if hidden != self._hidden:
            self._bus.publish(SeeksChanged())

    def _changed(self, match_id: MatchId) -> None:
        before = self._waiting.get(match_id)
        match = self._rooms.peek(match_id)
        if match is not None and match.phase is Phase.WAITING:
            self._waiting[match_id] = match
            if before is None:
                self._tell_challenged(match.created.invited)
        elif before is not None:
            del self._waiting[match_id]
            self._tell_challenged(before.created.invited)

    def _tell_challenged(self, identity: IdentityId | None) -> None:
        if identity is not None:
            self._presence.deliver(identity, [frame_of(Challenges(self.challenges_for(identity)))])

    async def _invited(self, command: Create, name: str, maker: Player) -> IdentityId:
        invited = await self._find_player(name)
        if invited is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"Nobody here is called {name}; guests are invited by a link.")
        if invited.id == maker.id:
            raise Refusal(Code.NOT_FOR_YOU, "You cannot challenge yourself.")
        self._bots.check(command, maker, invited)
        return invited.id

    def _waiting_of(self, identity: IdentityId) -> int:
        return sum(match.maker is not None and match.maker.id == identity for match in self._waiting.values())

    def _is_shown(self, match: Match, reader: Player) -> bool:
        """Return whether a seek is in somebody's list: it is the own, or can be taken and its maker is about."""
        maker = match.maker
        if maker is None or reader.id in match.people:
            return True
        is_by_correspondence = speed_of(match.created.clock) is Speed.CORRESPONDENCE
        is_about = is_by_correspondence or maker.id not in self._hidden
        return is_about and self._is_open_to(match, reader.id) and _is_for(match, reader)

    def _is_open_to(self, match: Match, identity: IdentityId) -> bool:
        """Return whether neither a block nor the rating asked for keeps somebody from an open seat."""
        if any(self._blocks.are_apart(identity, other) for other in match.people):
            return False
        ratings = match.created.ratings
        return ratings is None or ratings.least <= self._rating(match, identity) <= ratings.most

    def _seek_of(self, match: Match) -> Seek | None:
        maker = match.maker
        if maker is None:
            return None
        created = match.created
        players = tuple("" if player is None else player.name for player in match.players)
        rating = self._rating(match, maker.id)
        return Seek(
            match.id, created.game, created.setup, maker, rating, players, created.clock, created.rated, created.ratings
        )

    def _rating(self, match: Match, identity: IdentityId) -> int:
        speed = speed_of(match.created.clock)
        return self._rating_lookup.rating_of(identity, match.created.game, len(match.players), speed)


def _is_for(match: Match, player: Player) -> bool:
    """Return whether a match is for people and bots alike: those that people list for whoever comes are for people."""
    maker = match.maker
    return not (player.bot and match.created.listed and maker is not None and not maker.bot)
