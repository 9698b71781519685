"""The unfinished matches of other nodes, as far as lists need them: who plays what, and how far they have got.

The node that owns a match shares its line. A node with a room of the match knows more, and does not look here.
"""

import asyncio
from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from millrace.protocol import Created, IdentityId, MatchId, MatchSummary, Player, SeatRating

from ..cluster.bus import Bus
from ..cluster.events import MatchChanged, PlyMade
from ..cluster.shared_map import SharedMap
from ..matches.match import Match, Phase
from .room import Room

PLY_SECONDS = 1.0
"""Minimum time between two versions of a line when nothing but plies was made."""
PLY_VERSIONS_PER_SECOND = 500
"""Maximum versions of that kind that all nodes send together, but for matches with spectators: each goes to all."""
KEPT_SECONDS = 5.0
"""How long a line is still shared after another node has come to own the match, so that it is missing nowhere."""


class MatchLine(msgspec.Struct, frozen=True):
    """An unfinished match."""

    created: Created
    players: tuple[Player | None, ...]
    ratings: tuple[SeatRating | None, ...]
    created_at_ms: int | None
    turn_at_ms: int
    is_paused: bool
    summary: MatchSummary | None
    """None while the match waits for players."""

    @classmethod
    def of(cls, room: Room) -> "MatchLine":
        """Return the line of a match that has a room."""
        match = room.match
        summary = room.summary() if match.phase is Phase.PLAYING else None
        is_paused = match.pause is not None
        return cls(
            match.created, match.players, match.ratings, match.created_at_ms, match.turn_at_ms, is_paused, summary
        )

    def match(self, match_id: MatchId) -> Match:
        """Return the match, but for its plies, clock and offers."""
        return replace(
            Match.of(match_id, self.created),
            players=self.players,
            ratings=self.ratings,
            clock=None,
            created_at_ms=self.created_at_ms,
            turn_at_ms=self.turn_at_ms,
            phase=Phase.WAITING if self.summary is None else Phase.PLAYING,
        )


class SharedMatches:
    """The lines that this node shares, and those of the other nodes."""

    def __init__(self, bus: Bus, find_room: Callable[[MatchId], Room | None]) -> None:
        self._bus = bus
        self._find_room = find_room
        self._lines: SharedMap[MatchLine] = SharedMap(bus, "matches", MatchLine, self._changed_elsewhere)
        self._matches: dict[MatchId, tuple[MatchLine, Match]] = {}
        """What the lines of other nodes were made into."""
        self._shared: set[MatchId] = set()
        """The matches whose lines this node shares."""
        self._due: dict[MatchId, asyncio.TimerHandle] = {}
        if not bus.is_alone:
            bus.subscribe(MatchChanged, lambda event: self._share(event.match))
            bus.subscribe(PlyMade, lambda event: self._share_later(event.match))

    def find(self, match: MatchId) -> Match | None:
        """Return a match of another node, but for its plies, clock and offers."""
        line = self._lines.elsewhere(match)
        if line is None:
            self._matches.pop(match, None)
            return None
        known = self._matches.get(match)
        if known is None or known[0] is not line:
            known = self._matches[match] = line, line.match(match)
        return known[1]

    def summary(self, match: MatchId) -> MatchSummary | None:
        """Return the line of a match of another node in the list of live matches."""
        line = self._lines.elsewhere(match)
        return None if line is None else line.summary

    def played_by(self, identity: IdentityId) -> Iterator[MatchId]:
        """Return the matches of other nodes that are being played and in which an identity has a seat."""
        for match, line in self._lines.all_elsewhere().items():
            if line.summary is not None and any(
                player is not None and player.id == identity for player in line.players
            ):
                yield MatchId(match)

    def seconds_after_ply(self, match: MatchId) -> float:
        """Return when the line of a match is due after a ply: the later, the more matches there are, if none watch."""
        room = self._find_room(match)
        if room is not None and room.spectator_count:
            return PLY_SECONDS
        number = len(self._shared) + len(self._lines.all_elsewhere())
        return max(PLY_SECONDS, number / PLY_VERSIONS_PER_SECOND)

    def closed(self, match: MatchId) -> None:
        """Share the line of a match no longer, because its room was closed."""
        timer = self._due.pop(match, None)
        if timer is not None:
            timer.cancel()
        self._remove(match)

    def _share(self, match: MatchId) -> None:
        timer = self._due.pop(match, None)
        if timer is not None:
            timer.cancel()
        room = self._find_room(match)
        if room is None:
            return
        if room.match.phase is Phase.OVER:
            self._remove(match)
        elif room.is_owned:
            self._shared.add(match)
            self._lines.put(match, MatchLine.of(room))
        elif match in self._shared:
            self._due[match] = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._give_up, match)

    def _give_up(self, match: MatchId) -> None:
        room = self._find_room(match)
        self._due.pop(match, None)
        if room is None or not room.is_owned:
            self._remove(match)

    def _remove(self, match: MatchId) -> None:
        if match in self._shared:
            self._shared.discard(match)
            self._lines.remove(match)

    def _share_later(self, match: MatchId) -> None:
        if match not in self._due:
            seconds = self.seconds_after_ply(match)
            self._due[match] = asyncio.get_running_loop().call_later(seconds, self._share, match)

    def _changed_elsewhere(self, key: str) -> None:
        match = MatchId(key)
        if self._find_room(match) is None:
            self._bus.publish(MatchChanged(match))
