"""The record of a match, built from its stored events without moves that were taken back. Pure; knows no rules."""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from millrace.protocol import Annotated, Created, Ended, MatchId, Moved, Player, Seated, Started, TakenBack, Voided

from ..journal.entries import Recorded
from .record import Kind, MatchRecord, Note, PlyRecord, SeatRecord

WITHHELD_PLIES = 3
"""Number of last plies withheld while a match is in progress, against help from engines; or its delay, if longer."""

UNKNOWN_SEAT = SeatRecord("?")


def record_of(match: MatchId, recorded: Sequence[Recorded]) -> MatchRecord:
    """Return the record of a match; without the last plies if it is in progress."""
    created = recorded[0].entry.event
    assert isinstance(created, Created)
    seats = [UNKNOWN_SEAT] * len(created.seats)
    plies: list[PlyRecord] = []
    started_ms: int | None = None
    end: tuple[Ended, int] | None = None
    is_void, remark = False, ""
    for _, entry in recorded:
        event = entry.event
        match event:
            case Seated() as seated:
                rating = None if seated.rating is None else seated.rating.rating
                seats[seated.seat] = SeatRecord(seated.player.name, _kind_of(seated.player), rating)
            case Started():
                started_ms = entry.at_ms
            case Moved(seat, move, clocks_ms):
                plies.append(PlyRecord(move, None if clocks_ms is None else clocks_ms[seat], entry.at_ms))
            case Annotated(comment, glyphs, variations) if plies:
                plies[-1] = replace(plies[-1], note=Note(comment, glyphs, variations))
            case Annotated(comment):
                remark = comment
            case TakenBack(plies=count):
                del plies[-count:]
            case Ended() as ended:
                end = ended, entry.at_ms
            case Voided():
                is_void = True
            case _:
                pass
    record = MatchRecord(
        id=match,
        game=created.game,
        setup=created.setup,
        seats=tuple(seats),
        clock=created.clock,
        rated=created.rated,
        imported=created.imported,
        started_ms=started_ms,
        plies=tuple(plies),
        void=is_void,
        comment=remark or UNSET,
    )
    if end is None:
        return replace(record, plies=record.plies[: -max(WITHHELD_PLIES, created.delay_plies)])
    last, at_ms = end
    return replace(record, ended_ms=at_ms, ranks=last.ranks, termination=last.reason, explanation=last.explanation)


def _kind_of(player: Player) -> Kind:
    if player.level is not None or player.bot:
        return "bot"
    return "person" if player.registered else "guest"
