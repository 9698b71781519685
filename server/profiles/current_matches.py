"""What everyone plays just now, for whoever would like to watch: one match of each, the latest to begin.

Matches by correspondence go on for days, so that they say nothing of what somebody does now.
"""

from typing import Protocol

from ..bus.bus import Bus
from ..bus.events import MatchChanged, PlayingChanged
from ..matches.match import Match, Phase
from ..matches.speed import speed_of
from ..protocol import IdentityId, MatchId, Speed


class Matches(Protocol):
    """Where matches are served: `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match that is being served, as it stands."""


class CurrentMatches:
    """The matches of this process that are being played at the board."""

    def __init__(self, matches: Matches, bus: Bus) -> None:
        self._matches = matches
        self._players: dict[MatchId, frozenset[IdentityId]] = {}
        self._matches_of: dict[IdentityId, list[MatchId]] = {}
        self._bus = bus
        bus.subscribe(MatchChanged, lambda event: self._changed(event.match))

    def match_of(self, identity: IdentityId) -> Match | None:
        """Return what somebody plays."""
        for match_id in reversed(self._matches_of.get(identity, ())):
            match = self._matches.peek(match_id)
            # One that nobody was at, and no clock, is served no longer.
            if match is not None:
                return match
        return None

    def _changed(self, match_id: MatchId) -> None:
        match = self._matches.peek(match_id)
        if match is None or (match.phase is Phase.PLAYING) == (match_id in self._players):
            return
        if match_id in self._players:
            self._end(match_id)
        elif speed_of(match.created.clock) is not Speed.CORRESPONDENCE:
            self._begin(match)
        self._bus.publish(PlayingChanged())

    def _begin(self, match: Match) -> None:
        self._players[match.id] = match.people
        for identity in match.people:
            self._matches_of.setdefault(identity, []).append(match.id)

    def _end(self, match_id: MatchId) -> None:
        for identity in self._players.pop(match_id):
            matches = self._matches_of[identity]
            matches.remove(match_id)
            if not matches:
                del self._matches_of[identity]
