"""Writes a match down: from its stored events to a record.

Pure, and without the rules: what was taken back is left out, the rest stands as it was played.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ..journal.store import Recorded
from ..protocol import Created, Ended, MatchId, Moved, Player, Seated, Started, TakenBack, Voided
from .record import Kind, MatchRecord, PlyRecord, SeatRecord

PLIES_KEPT_BACK = 3
"""Of a match that goes on the latest plies are not told, so that nobody is helped by what an engine makes of them; nor
those by which its watchers are behind, if these are more."""

NOBODY = SeatRecord("?")


def record_of(match: MatchId, recorded: Sequence[Recorded]) -> MatchRecord:
    """Return a match as it is written down; of one that goes on without its latest plies."""
    created = recorded[0].entry.event
    assert isinstance(created, Created)
    seats = [NOBODY] * len(created.seats)
    plies: list[PlyRecord] = []
    started_ms: int | None = None
    end: tuple[Ended, int] | None = None
    is_void = False
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
    )
    return _ended(record, *end) if end is not None else _kept_back(record, created.delay_plies)


def _ended(record: MatchRecord, ended: Ended, at_ms: int) -> MatchRecord:
    return replace(record, ended_ms=at_ms, ranks=ended.ranks, termination=ended.reason, words=ended.explanation)


def _kept_back(record: MatchRecord, delay_plies: int) -> MatchRecord:
    return replace(record, plies=record.plies[: -max(PLIES_KEPT_BACK, delay_plies)])


def _kind_of(player: Player) -> Kind:
    if player.level is not None or player.bot:
        return "bot"
    return "person" if player.registered else "guest"
