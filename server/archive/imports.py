"""The events of imported matches, whose players are only names. Pure.

An import is identified by its content, so a player cannot import the same match twice, in whatever form.
"""

import hashlib
import pickle
import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from millrace.engine.game import NO_MOVE
from millrace.engine.state import State
from millrace.protocol import (
    Annotated,
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    Moved,
    Player,
    Seated,
    SeatPlan,
    SeatRating,
    Started,
    Termination,
    Voided,
)

from ..journal.entries import Entry, Finish, Origin
from ..matches.clock import starting_ms
from ..matches.finish import finish_from
from .import_store import encode_record
from .record import MatchRecord
from .record_reader import ReadMatch, read_matches
from .record_tags import LINK_TAGS, first_day_ms, match_id_in
from .record_text import event_of, format_match

IMPORTED_PLAYER = IdentityId("imported")
"""The identity of all players of imports, which no real player can have: a name in a text proves nothing."""
MAX_TIME_MS = 2**42
"""In the year 2109; later times in a text are ignored."""
HIGHEST_RATING = 9999

_REASON = re.compile(r"[a-z_]{1,32}")
_VOID_EXPLANATION = "the result did not count where the match was played"
_UNKNOWN_EXPLANATION = "the record does not say how it ended"


class Import(NamedTuple):
    """A match that has been read, as it is stored."""

    game: str
    names: tuple[str, ...]
    plies: int
    changes: tuple[str, ...]
    origin: Origin
    entries: Sequence[Entry]
    finish: Finish
    record: str
    """The record in JSON."""


def prepare_imports(text: str, game: str, importer: str, most: int, now_ms: int) -> list[bytes]:
    """Return the matches of a text, each an `Import` to unpickle, since many at once take long; at most `most`.

    `game` is the game of matches that do not name one. Raises: RecordError.
    """
    return [pickle.dumps(_import_of(reading, importer, now_ms)) for reading in islice(read_matches(text, game), most)]


def _import_of(reading: ReadMatch, importer: str, now_ms: int) -> Import:
    record, entries = kept_record(reading), entries_of(reading, now_ms)
    names = tuple(seat.name for seat in record.seats)
    finish = finish_from(MatchId(""), entries)
    assert finish is not None
    # The public archive does not contain imports.
    hidden, origin = finish._replace(archived_ms=None), origin_of(reading, importer)
    changes = tuple(reading.changes)
    return Import(record.game, names, len(record.plies), changes, origin, entries, hidden, encode_record(record))


def kept_record(reading: ReadMatch) -> MatchRecord:
    """Return a record with the kind of match that it says, and its links, which its being imported would change."""
    record = reading.record
    own = {} if record.imported else {"Event": event_of(record)}
    tags = {} if record.tags is UNSET else record.tags
    return replace(record, tags={**own, **reading.links, **tags} or UNSET)


def origin_of(reading: ReadMatch, importer: str) -> Origin:
    """Return the id of a player's import, which depends only on what every form of export can say of the match."""
    record = reading.record
    written = {} if record.tags is UNSET else record.tags
    tags = {name: " ".join(value.split()) for name, value in sorted(written.items())}
    for name in LINK_TAGS:
        if match_id_in(tags.get(name, "")):
            del tags[name]
    text = format_match(replace(record, id="", imported=False, void=False, tags=tags))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Origin(importer, CommandId(f"import {digest}"))


def entries_of(reading: ReadMatch, now_ms: int) -> list[Entry]:
    """Return the events of a match, with its own times if it has any."""
    record = reading.record
    date = "" if record.tags is UNSET else record.tags.get("Date", "")
    started_ms = _moment(record.started_ms, _moment(first_day_ms(date), _moment(record.ended_ms, now_ms)))
    latest_ms = started_ms
    opening: list[Event] = [
        Created(record.game, record.setup, (SeatPlan("open"),) * len(record.seats), record.clock, imported=True)
    ]
    opening += [_seated(record, seat) for seat in range(len(record.seats))]
    entries = [Entry(event, started_ms) for event in (*opening, Started())]
    if record.comment is not UNSET:
        entries.append(Entry(Annotated(record.comment), started_ms))
    for ply, moved in zip(record.plies, _plies(record, reading.state), strict=True):
        latest_ms = max(latest_ms, _moment(ply.at_ms, latest_ms))
        entries.append(Entry(moved, latest_ms))
        if ply.note is not UNSET:
            entries.append(Entry(Annotated(ply.note.comment, ply.note.glyphs, ply.note.variations), latest_ms))
    ended_ms = max(latest_ms, _moment(record.ended_ms, latest_ms))
    ending: list[Event] = [_ended(record), Voided(_VOID_EXPLANATION)] if record.void else [_ended(record)]
    return [*entries, *(Entry(event, ended_ms) for event in ending)]


def _seated(record: MatchRecord, seat: int) -> Seated:
    written = record.seats[seat]
    is_rating = written.rating is not None and 0 <= written.rating <= HIGHEST_RATING
    rating = SeatRating(written.rating) if is_rating and written.rating is not None else None
    return Seated(seat, Player(IMPORTED_PLAYER, written.name), rating)


def _plies(record: MatchRecord, state: State) -> Sequence[Moved]:
    clock = record.clock
    left_ms = None if clock is None else [starting_ms(clock)] * len(record.seats)
    plies = []
    for before, after, ply in zip(state.line, state.line[1:], record.plies, strict=False):
        if left_ms is not None and ply.clock_ms is not None:
            left_ms[before.seat] = min(max(0, ply.clock_ms), MAX_TIME_MS)
        is_forced = before.game.rules.forced_pass != NO_MOVE and after.move == before.game.rules.forced_pass
        plies.append(Moved(before.seat, ply.move, None if left_ms is None else tuple(left_ms), is_forced))
    return plies


def _ended(record: MatchRecord) -> Ended:
    is_known = _REASON.fullmatch(record.termination) is not None
    reason = record.termination if is_known else Termination.UNKNOWN.value
    return Ended(record.ranks, reason, record.explanation or _UNKNOWN_EXPLANATION)


def _moment(at_ms: int | None, otherwise_ms: int) -> int:
    return at_ms if at_ms is not None and at_ms <= MAX_TIME_MS else otherwise_ms
