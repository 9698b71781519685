"""The matches that players are playing now, for spectators: the latest of each player.

Correspondence matches do not count, since they last for days, nor do private ones.
"""

from millrace.protocol import IdentityId, MatchId, Speed

from ...cluster.bus import Bus
from ...cluster.events import MatchChanged, PlayingChanged
from ...matches.match import Match, Phase
from ...matches.speed import speed_of
from ...rooms.rooms import Rooms


class CurrentMatches:
    """The matches in progress on this process, by player."""

    def __init__(self, rooms: Rooms, bus: Bus) -> None:
        self._rooms = rooms
        self._players: dict[MatchId, frozenset[IdentityId]] = {}
        self._matches_of: dict[IdentityId, list[MatchId]] = {}
        self._bus = bus
        bus.subscribe(MatchChanged, self._match_changed)

    def match_of(self, identity: IdentityId) -> Match | None:
        """Return the match that a player is playing."""
        for match_id in reversed(self._matches_of.get(identity, ())):
            match = self._rooms.peek(match_id)
            # An untimed match that nobody watches may have been unloaded.
            if match is not None:
                return match
        return None

    def _match_changed(self, event: MatchChanged) -> None:
        match = self._rooms.peek(event.match)
        is_playing = match is not None and match.phase is Phase.PLAYING
        if is_playing == (event.match in self._players):
            return
        if match is None or not is_playing:
            self._end(event.match)
        elif speed_of(match.created.clock) is not Speed.CORRESPONDENCE and not match.created.private:
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
