"""The matches in progress, in list order: the most worth watching first.

The bus reports changed matches; only these are examined again when the list is read.
"""

from typing import NamedTuple, Protocol

from millrace.protocol import MatchId, MatchSummary

from ..cluster.bus import Bus
from ..cluster.events import MatchChanged, PlyMade
from ..matches.match import Match
from .ranking import MatchRank, may_be_featured, rank_of

MOST_CHANGED = 10_000
"""Number of changed matches at which the index is refreshed even if nobody reads it, so that they cannot pile up."""


class LiveMatchSource(Protocol):
    """Where matches are loaded: `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a loaded match."""

    def summary(self, match: MatchId) -> MatchSummary | None:
        """Return the entry of a match in the list of live matches, if it is in progress."""


class LiveMatch(NamedTuple):
    """A match in progress."""

    summary: MatchSummary
    rank: MatchRank
    moved_at_ms: int | None
    """When the last move was made, if the match may be featured; else None."""


class LiveIndex:
    """The live matches of this process."""

    def __init__(self, matches: LiveMatchSource, bus: Bus) -> None:
        self._matches = matches
        self._changed: set[MatchId] = set()
        self._lines: dict[MatchId, LiveMatch] = {}
        self._order: list[LiveMatch] = []
        bus.subscribe(MatchChanged, lambda event: self._note(event.match))
        bus.subscribe(PlyMade, lambda event: self._note(event.match))

    def listed(self, game: str | None = None) -> list[LiveMatch]:
        """Return the matches of a game, or of all games, the most worth watching first."""
        self._refresh()
        return self._order if game is None else [line for line in self._order if line.summary.game == game]

    def _note(self, match: MatchId) -> None:
        self._changed.add(match)
        if len(self._changed) > MOST_CHANGED:
            self._refresh()

    def _refresh(self) -> None:
        changed, self._changed = self._changed, set()
        # A match whose room was unloaded because nobody was there publishes no change.
        gone = {match for match in self._lines if self._matches.peek(match) is None}
        if not changed and not gone:
            return
        for match in changed | gone:
            line = self._line_of(match)
            if line is not None:
                self._lines[match] = line
            else:
                self._lines.pop(match, None)
        self._order = sorted(self._lines.values(), key=_sort_key)

    def _line_of(self, match_id: MatchId) -> LiveMatch | None:
        match, summary = self._matches.peek(match_id), self._matches.summary(match_id)
        if match is None or summary is None or match.created.private:
            return None
        return LiveMatch(summary, rank_of(match), match.turn_at_ms if may_be_featured(match) else None)


def _sort_key(line: LiveMatch) -> tuple[int, int, int, int, MatchId]:
    kind, rating = line.rank
    return -kind, -rating, -line.summary.spectators, -line.summary.plies, line.summary.match
