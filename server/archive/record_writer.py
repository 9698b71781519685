"""The record of a match, built from its stored events without moves that were taken back. Pure; knows no rules."""

from collections.abc import Callable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from millrace.protocol import (
    Annotated,
    Berserked,
    ClockSettings,
    Created,
    Ended,
    MatchId,
    Moved,
    Player,
    Seated,
    SeatPlan,
    Started,
    TakenBack,
    TimeGiven,
    Voided,
)

from ..journal.entries import Recorded
from .clock_texts import format_clock
from .record import Kind, MatchRecord, Note, PlyRecord, SeatRecord
from .record_text import names_for

WITHHELD_PLIES = 3
"""Number of last plies withheld while a match is in progress, against help from engines; or its delay, if longer."""

UNKNOWN_SEAT = SeatRecord("?")


def record_of(match: MatchId, recorded: Sequence[Recorded]) -> MatchRecord:
    """Return the record of a match; without the last plies if it is in progress."""
    fold = RecordFold(match, recorded[0])
    for each in recorded:
        fold.add(each)
    return fold.record()


class RecordFold:
    """The record of a match as far as its events have been added."""

    def __init__(self, match: MatchId, first: Recorded) -> None:
        created = first.entry.event
        assert isinstance(created, Created)
        self._match = match
        self._created = created
        self._seats = [UNKNOWN_SEAT] * len(created.seats)
        self._clocks = [_clock_of(created.clock, plan) for plan in created.seats]
        self._plies: list[PlyRecord] = []
        self._started_ms: int | None = None
        self._end: tuple[Ended, int] | None = None
        self._is_void = False
        self._remark = ""

    def add(self, recorded: Recorded) -> None:
        """Add the next event."""
        entry, plies = recorded.entry, self._plies
        match entry.event:
            case Seated() as seated:
                rating = None if seated.rating is None else seated.rating.rating
                self._seats[seated.seat] = SeatRecord(seated.player.name, _kind_of(seated.player), rating)
            case Started():
                self._started_ms = entry.at_ms
            case Moved(seat, move, clocks_ms):
                plies.append(PlyRecord(move, None if clocks_ms is None else clocks_ms[seat], entry.at_ms))
            case Annotated(comment, glyphs, variations) if plies:
                plies[-1] = replace(plies[-1], note=Note(comment, glyphs, variations))
            case Annotated(comment):
                self._remark = comment
            case Berserked(seat):
                self._change_clock(seat, lambda clock: replace(clock, initial_ms=clock.initial_ms // 2, increment_ms=0))
            case TimeGiven(seats=seats, given_ms=given_ms) if not plies:
                for seat in seats:
                    self._change_clock(seat, lambda clock: replace(clock, initial_ms=clock.initial_ms + given_ms))
            case TakenBack(plies=count):
                del plies[-count:]
            case Ended() as ended:
                self._end = ended, entry.at_ms
            case Voided():
                self._is_void = True
            case _:
                pass

    def _change_clock(self, seat: int, change: Callable[[ClockSettings], ClockSettings]) -> None:
        clock = self._clocks[seat]
        self._clocks[seat] = None if clock is None else change(clock)

    def record(self) -> MatchRecord:
        """Return the record; without the last plies if the match is in progress."""
        created = self._created
        record = MatchRecord(
            id=self._match,
            game=created.game,
            setup=created.setup,
            seats=tuple(self._seats),
            clock=created.clock,
            rated=created.rated,
            imported=created.imported,
            started_ms=self._started_ms,
            plies=tuple(self._plies),
            void=self._is_void,
            comment=self._remark or UNSET,
        )
        own = zip(names_for(record), self._clocks, strict=True)
        clocks = {f"{name}TimeControl": format_clock(clock) for name, clock in own if clock != created.clock}
        record = replace(record, tags=clocks or UNSET)
        if self._end is None:
            return replace(record, plies=record.plies[: -max(WITHHELD_PLIES, created.delay_plies)])
        last, at_ms = self._end
        return replace(record, ended_ms=at_ms, ranks=last.ranks, termination=last.reason, explanation=last.explanation)


def _clock_of(clock: ClockSettings | None, plan: SeatPlan) -> ClockSettings | None:
    return clock if clock is None or plan.initial_ms is None else replace(clock, initial_ms=plan.initial_ms)


def _kind_of(player: Player) -> Kind:
    if player.level is not None or player.bot:
        return "bot"
    return "person" if player.registered else "guest"
