"""Seeks and challenges: the matches waiting for players, and who may see and join each.

A seek is a waiting match.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

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

T = TypeVar("T")

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
        self._waiting: dict[MatchId, Match] = {}
        self._addresses: dict[MatchId, str] = {}
        """Address from which each of this node's open matches was created."""
        self._shared_addresses = SharedMap(self._bus, "seek_addresses", str, lambda _: None)
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
        if match_id in self._waiting:
            self._addresses[match_id] = address
            self._shared_addresses.put(match_id, address)

    def count_waiting(
        self, creator: IdentityId, address: str, invited: IdentityId | None = None
    ) -> tuple[int, int, int]:
        """Count the waiting matches, or challenges to one player: of a creator, of an address, and in total."""
        among = [match for match in self._waiting.values() if invited in (None, match.created.invited)]
        of_creator = sum(match.maker is not None and match.maker.id == creator for match in among)
        return of_creator, sum(self._address_of(match.id) == address for match in among), len(among)

    def seeks_for(self, reader: Player) -> tuple[Seek, ...]:
        """Return the seeks that a player may join, and the player's own, newest first."""
        shown = [
            match
            for match in reversed(self._waiting.values())
            if match.created.listed and self._is_shown(match, reader)
        ]
        own = [match for match in shown if reader.id in match.people]
        others = [match for match in shown if reader.id not in match.people]
        chosen = {match.id for match in share(others, self._owner_of, max(0, SHOWN_SEEKS - len(own)))}
        chosen |= {match.id for match in own}
        seeks = (self._seek_of(match) for match in shown if match.id in chosen)
        return tuple(seek for seek in seeks if seek is not None)

    def seek_to_join(self, reader: Player, game: str) -> Match | None:
        """Return the oldest seek that suits everyone (`_is_for_anyone`) and that a player may join, if any."""
        seeks = (match for match in self._waiting.values() if match.created.listed and match.created.game == game)
        others = (match for match in seeks if _is_for_anyone(match) and reader.id not in match.people)
        return next((match for match in others if self._is_shown(match, reader)), None)

    def challenges_for(self, identity: IdentityId) -> tuple[Seek, ...]:
        """Return the challenges waiting for a player's answer, newest first."""
        seeks = (
            self._seek_of(match)
            for match in reversed(self._waiting.values())
            if match.created.invited == identity and self._is_open_to(match, identity)
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
        creators = (match.maker for match in self._waiting.values() if match.created.listed)
        self._disconnections.update((creator.id for creator in creators if creator is not None), now_ms)
        hidden, self._hidden = self._hidden, self._disconnections.lasting(HIDDEN_AFTER_MS, now_ms)
        if hidden != self._hidden:
            self._bus.publish(SeeksChanged())

    def _match_changed(self, event: MatchChanged) -> None:
        before = self._waiting.get(event.match)
        match = self._matches.peek(event.match)
        if match is not None and match.phase is Phase.WAITING:
            self._waiting[event.match] = match
            if before is None:
                self._challenges_changed(match.created.invited)
        elif before is not None:
            del self._waiting[event.match]
            self._addresses.pop(event.match, None)
            self._shared_addresses.remove(event.match)
            self._challenges_changed(before.created.invited)

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

    def _owner_of(self, match: Match) -> tuple[str, str]:
        """Return the address and the player whose share of the list a match uses.

        Guests whose address is unknown after a restart use one share together.
        """
        maker = match.maker
        if maker is None:
            return "", match.id
        address = self._address_of(match.id)
        return (maker.id if maker.registered else "") if address is None else address, maker.id

    def _address_of(self, match_id: MatchId) -> str | None:
        """Return the address of a waiting match's creator; None for one from before a restart."""
        return self._addresses.get(match_id) or self._shared_addresses.elsewhere(match_id)

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


def share(entries: Sequence[T], owner_of: Callable[[T], tuple[str, str]], most: int) -> list[T]:
    """Return at most `most` of the entries, in their order, shared between addresses, and then between their players.

    `owner_of` returns the address and the player of an entry. In each round every address contributes one entry, from
    the player who has contributed the fewest; a player's entries are used in order.

    >>> share(["a1 x", "a2 x", "a3 y", "b1 z"], lambda entry: (entry[0], entry[-1]), 3)
    ['a1 x', 'a3 y', 'b1 z']
    """
    if len(entries) <= most:
        return list(entries)
    owners = [owner_of(entry) for entry in entries]
    of_player: Counter[str] = Counter()
    turn_of_player = []
    for _, player in owners:
        turn_of_player.append(of_player[player])
        of_player[player] += 1
    of_address: Counter[str] = Counter()
    rounds: dict[int, int] = {}
    for place in sorted(range(len(entries)), key=lambda place: (turn_of_player[place], place)):
        address = owners[place][0]
        rounds[place] = of_address[address]
        of_address[address] += 1
    chosen = sorted(range(len(entries)), key=lambda place: (rounds[place], place))[:most]
    return [entries[place] for place in sorted(chosen)]
