"""The matches that are being played, in the order in which they are listed: the most worth watching first.

It hears by the bus which have changed and looks at those alone, when it is asked.
"""

from typing import NamedTuple, Protocol

from ..bus.bus import Bus
from ..bus.events import MatchChanged
from ..matches.match import Match
from ..protocol import MatchId, MatchSummary
from .ranking import Standing, may_be_featured, standing_of

MOST_CHANGED = 10_000
"""When so many have changed since it was last asked it looks at them, so that they do not pile up."""


class Served(Protocol):
    """Where matches are served: `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match that is being served, as it stands."""

    def summary(self, match: MatchId) -> MatchSummary | None:
        """Return the line of a match in the list of live matches, if it is being played."""


class Line(NamedTuple):
    """A match that is being played."""

    summary: MatchSummary
    standing: Standing
    moved_at_ms: int | None
    """When the latest ply was made, if the match may be featured; else None."""


class LiveIndex:
    """The live matches of this process."""

    def __init__(self, matches: Served, bus: Bus) -> None:
        self._matches = matches
        self._changed: set[MatchId] = set()
        self._lines: dict[MatchId, Line] = {}
        self._order: list[Line] = []
        bus.subscribe(MatchChanged, lambda event: self._note(event.match))

    def listed(self, game: str | None = None) -> list[Line]:
        """Return the matches of a game, or of all, the most worth watching first."""
        self._refresh()
        return self._order if game is None else [line for line in self._order if line.summary.game == game]

    def _note(self, match: MatchId) -> None:
        self._changed.add(match)
        if len(self._changed) > MOST_CHANGED:
            self._refresh()

    def _refresh(self) -> None:
        changed, self._changed = self._changed, set()
        # A match whose room was let go, since nobody was there, has told of no change.
        gone = {match for match in self._lines if self._matches.peek(match) is None}
        if not changed and not gone:
            return
        for match in changed | gone:
            line = self._line_of(match)
            if line is not None:
                self._lines[match] = line
            else:
                self._lines.pop(match, None)
        self._order = sorted(self._lines.values(), key=_place_of)

    def _line_of(self, match_id: MatchId) -> Line | None:
        match, summary = self._matches.peek(match_id), self._matches.summary(match_id)
        if match is None or summary is None:
            return None
        return Line(summary, standing_of(match), match.turn_at_ms if may_be_featured(match) else None)


def _place_of(line: Line) -> tuple[int, int, int, int, MatchId]:
    kind, rating = line.standing
    return -kind, -rating, -line.summary.spectators, -line.summary.plies, line.summary.match
