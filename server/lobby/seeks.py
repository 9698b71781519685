"""Seeks and challenges: the matches waiting for players, and who may see and join each.

A seek is a waiting match.
"""

import asyncio
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from millrace.protocol import Challenges, Code, IdentityId, MatchId, Player, Seek, Speed
from millrace.protocol.frames import WireFrame, frame_of
from millrace.protocol.refusal import Refusal

from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.events import BlocksChanged, MatchChanged, SeeksChanged
from ..cluster.shared_map import SharedMap
from ..matches.creation import is_offered_start
from ..matches.match import Match, Phase
from ..matches.speed import speed_of
from ..players.profiles.blocks import Blocks
from ..ratings.ratings import Ratings
from ..rooms.farewells import decline
from ..rooms.room import Room
from ..runtime.coalescing import Coalescing
from ..runtime.system_clock import NowMs
from .searches import Disconnections
from .seek_index import SeekIndex

HIDDEN_AFTER_MS = 30_000
"""Time without a connection after which a player's seeks are hidden, except correspondence ones."""
LOOK_SECONDS = 5.0
"""Interval of the search for disconnected players."""
SHOWN_SEEKS = 50
CHALLENGES_SECONDS = 0.5
"""Interval in which a player's challenges are sent at once only a few times."""


class WaitingMatches(Protocol):
    """Matches waiting for players: an interface of `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match, or None if it is not loaded."""

    async def find(self, match: MatchId) -> Room:
        """Return the room of a match. Raises: Refusal."""


@dataclass(eq=False)
class SeekList:
    """The matches waiting for players, on all nodes."""

    _matches: WaitingMatches
    _presence: Presence
    _blocks: Blocks
    _rating_lookup: Ratings
    _bus: Bus
    _now_ms: NowMs

    def __post_init__(self) -> None:
        self._index = SeekIndex()
        self._addresses = SharedMap(self._bus, "seek_addresses", str, self._address_changed)
        """Address from which each open match was created."""
        self._challenges = Coalescing(CHALLENGES_SECONDS, self._send_challenges)
        self._disconnections = Disconnections(self._presence.is_online)
        self._hidden: frozenset[IdentityId] = frozenset()
        self._bus.subscribe(MatchChanged, self._match_changed)
        self._bus.subscribe(BlocksChanged, self._blocks_changed)

    def check_open_to(self, match: Match, player: Player) -> None:
        """Check that a player may join a waiting match, even if it is not listed yet. Raises: Refusal."""
        if match.phase is not Phase.WAITING or player.id in match.people:
            return
        if not self._is_open_to(match, player.id):
            raise Refusal(Code.NOT_FOR_YOU, "This match is not open to you.")
        if not _admits_bot(player, match):
            raise Refusal(Code.NOT_FOR_BOTS, "Bots cannot join open matches of people; wait for a challenge instead.")

    def note_address(self, match_id: MatchId, address: str) -> None:
        """Remember the address of a match's creator while it waits."""
        if match_id in self._index.matches:
            self._addresses.put(match_id, address)
            self._index.put_address(match_id, address)

    def count_waiting(
        self, creator: IdentityId, address: str, invited: IdentityId | None = None
    ) -> tuple[int, int, int]:
        """Count the waiting matches, or challenges to one player: of a creator, of an address, and in total."""
        index = self._index
        if invited is None:
            among, of_address, of_all = index.of_player(creator), index.count_at(address), len(index.matches)
        else:
            among = index.challenging(invited)
            of_address, of_all = sum(index.address_of(match) == address for match in among), len(among)
        of_creator = sum(match.maker is not None and match.maker.id == creator for match in among.values())
        return of_creator, of_address, of_all

    def seeks_for(self, reader: Player) -> tuple[Seek, ...]:
        """Return the seeks that a player may join, and the player's own, newest first."""
        listed = (match for match in self._index.shared_out() if match.created.listed)
        own = [match for match in self._index.of_player(reader.id).values() if match.created.listed]
        others = (match for match in listed if reader.id not in match.people and self._is_shown(match, reader))
        shown = self._index.newest_first([*own, *islice(others, max(0, SHOWN_SEEKS - len(own)))])
        return tuple(seek for match in shown if (seek := self._seek_of(match)) is not None)

    def seek_to_join(self, reader: Player, game: str) -> Match | None:
        """Return the oldest seek that suits everyone (`_is_for_anyone`) and that a player may join, if any."""
        waiting = self._index.matches.values()
        seeks = (match for match in waiting if match.created.listed and match.created.game == game)
        others = (match for match in seeks if _is_for_anyone(match) and reader.id not in match.people)
        return next((match for match in others if self._is_shown(match, reader)), None)

    def challenges_for(self, identity: IdentityId) -> tuple[Seek, ...]:
        """Return the challenges waiting for a player's answer, newest first."""
        seeks = (
            self._seek_of(match)
            for match in reversed([*self._index.challenging(identity).values()])
            if self._is_open_to(match, identity)
        )
        return tuple(seek for seek in seeks if seek is not None)

    async def decline_all(self, player: Player) -> None:
        """Decline all challenges waiting for a player's answer. Raises: Refusal."""
        for challenge in self.challenges_for(player.id):
            await decline(await self._matches.find(challenge.match), player)

    def greet(self, identity: IdentityId) -> tuple[WireFrame, ...]:
        """Return the challenges waiting for a player's answer, for a new connection."""
        challenges = self.challenges_for(identity)
        return (frame_of(Challenges(challenges)),) if challenges else ()

    async def run(self) -> None:
        """Hide the seeks of disconnected players, and show them again, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.update_hidden()

    def update_hidden(self) -> None:
        """Find the seeks to hide because their players are disconnected."""
        now_ms = self._now_ms()
        creators = (match.maker for match in self._index.matches.values() if match.created.listed)
        self._disconnections.update((creator.id for creator in creators if creator is not None), now_ms)
        hidden, self._hidden = self._hidden, self._disconnections.lasting(HIDDEN_AFTER_MS, now_ms)
        if hidden != self._hidden:
            self._bus.publish(SeeksChanged())

    def _match_changed(self, event: MatchChanged) -> None:
        match = self._matches.peek(event.match)
        if match is not None and match.phase is Phase.WAITING:
            if self._index.put(match) is None:
                self._address_changed(match.id)
                self._challenges_changed(match.created.invited)
        elif (before := self._index.remove(event.match)) is not None:
            self._addresses.remove(event.match)
            self._challenges_changed(before.created.invited)

    def _address_changed(self, key: str) -> None:
        """Note the address of a match that another node knows."""
        match, address = MatchId(key), self._addresses.elsewhere(key)
        if address is not None and self._index.address_of(match) is None:
            self._index.put_address(match, address)

    def _blocks_changed(self, event: BlocksChanged) -> None:
        self._challenges_changed(event.identity)
        self._challenges_changed(event.other)
        self._bus.publish(SeeksChanged())

    def _challenges_changed(self, identity: IdentityId | None) -> None:
        if identity is not None and self._presence.is_online(identity):
            self._challenges.note(identity)

    def _send_challenges(self, identity: IdentityId) -> None:
        if self._presence.is_online(identity):
            self._presence.deliver(identity, [frame_of(Challenges(self.challenges_for(identity)))])

    def _is_shown(self, match: Match, reader: Player) -> bool:
        """Return whether a seek is in a player's list: their own, or one that they can join and that is not hidden."""
        creator = match.maker
        if creator is None or reader.id in match.people:
            return True
        is_by_correspondence = speed_of(match.created.clock) is Speed.CORRESPONDENCE
        is_hidden = creator.id in self._hidden and not is_by_correspondence
        return not is_hidden and self._is_open_to(match, reader.id) and _admits_kind_of(reader, match)

    def _is_open_to(self, match: Match, identity: IdentityId) -> bool:
        """Return whether neither a block nor the requested rating range excludes a player from an open seat."""
        if any(self._blocks.are_apart(identity, other) for other in match.people):
            return False
        ratings = match.created.ratings
        return ratings is None or ratings.least <= self._rating(match, identity) <= ratings.most

    def _seek_of(self, match: Match) -> Seek | None:
        creator = match.maker
        if creator is None:
            return None
        created = match.created
        players = tuple("" if player is None else player.name for player in match.players)
        rating = self._rating(match, creator.id)
        own_ms = tuple(plan.initial_ms for plan in created.seats)
        return Seek(
            match.id,
            created.game,
            created.setup,
            creator,
            rating,
            players,
            created.clock,
            created.rated,
            created.ratings,
            own_ms if any(each is not None for each in own_ms) else (),
        )

    def _rating(self, match: Match, identity: IdentityId) -> int:
        speed = speed_of(match.created.clock)
        return self._rating_lookup.rating_of(identity, match.created.game, len(match.players), speed)


def _is_for_anyone(match: Match) -> bool:
    """Return whether a waiting match suits players who only ask to play: casual, for two, not by correspondence, with
    the same time for both, and from a start that the game offers.
    """
    created = match.created
    is_ordinary = is_offered_start(created.game, created.setup, len(created.seats))
    is_quick = speed_of(created.clock) is not Speed.CORRESPONDENCE
    is_even = all(plan.initial_ms is None for plan in created.seats)
    return len(created.seats) == 2 and not created.rated and is_ordinary and is_quick and is_even


def _admits_kind_of(player: Player, match: Match) -> bool:
    """Return whether a guest, member or bot may join a match: rated matches are for members."""
    return (player.registered or not match.created.rated) and _admits_bot(player, match)


def _admits_bot(player: Player, match: Match) -> bool:
    """Return whether a player may join a match if they are a bot: not a listed match of people."""
    creator = match.maker
    return not (player.bot and match.created.listed and creator is not None and not creator.bot)
