"""Writes matches as text like PGN, the portable game notation of chess: tags, then moves. Pure.

`server.archive.written_match` parses such text, and `server.archive.record_reader` replays its moves.

    [Event "Rated match"]
    [White "Beatrix"]
    [Black "Bot, level 3"]
    [Result "1-0"]
    [Game "morris"]

    1. d6 {[%clk 0:04:58.2]} f4 {[%clk 0:04:59] a reply} (1... g4 2. d2) 2. a4 $1 *
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain

from msgspec import UNSET

from millrace.engine.game import EngineError, UnknownGameError
from millrace.engine.games import find_game
from millrace.engine.state import State

from .clock_texts import format_clock, format_shown_clock
from .record import NO_NOTE, MatchRecord, PlyRecord
from .result_words import format_result

EVENTS = {
    **{(False, False): "Casual match", (False, True): "Rated match"},
    **{(True, False): "Imported match", (True, True): "Imported rated match"},
}
"""The kinds of matches, by whether they are imported and rated."""
LINE_LENGTH = 80

_PLAIN = re.compile(r"[\x00-\x1f\x7f]+")


def format_match(record: MatchRecord, site: str = "") -> str:
    """Return a match as text that ends with an empty line; `site` is the match's URL."""
    return "".join(write_match(record, site))


def write_match(record: MatchRecord, site: str = "", plies: Iterable[PlyRecord] | None = None) -> Iterator[str]:
    """Yield the text in pieces of at most a line; `plies` are those of the record as they are written."""
    yield from (f'[{name} "{_quoted(value)}"]\n' for name, value in tags_of(record, site))
    tokens = chain(_tokens_of(record, record.plies if plies is None else plies), (format_result(record.ranks),))
    words = chain.from_iterable(token.split(" ") if len(token) > LINE_LENGTH // 2 else [token] for token in tokens)
    yield from (f"\n{line}" for line in _wrapped(words))
    yield "\n\n"


def tokens_of_line(plies: Iterable[PlyRecord], seats: int, first_ply: int = 0) -> Iterator[str]:
    """Yield moves, their numbers, comments and glyphs.

    Every number starts with a ply of the seat that moves first in the match, even from a later position.
    """
    for index, ply in enumerate(plies, first_ply):
        if index % seats == 0:
            yield f"{index // seats + 1}."
        elif index == first_ply:
            yield f"{index // seats + 1}..."
        yield ply.move
        note = NO_NOTE if ply.note is UNSET else ply.note
        yield from (f"${glyph}" for glyph in note.glyphs)
        said = [] if ply.clock_ms is None else [format_shown_clock(ply.clock_ms)]
        said += [note.comment] if note.comment else []
        if said:
            yield f"{{{' '.join(said)}}}"
        yield from (f"({variation})" for variation in note.variations)


def event_of(record: MatchRecord) -> str:
    """Return the kind of match."""
    return EVENTS[record.imported, record.rated]


def seat_names_of(game: str) -> tuple[str, ...]:
    """Return the names of a game's seats, also used in its tags. Raises: UnknownGameError."""
    return find_game(game).seat_names


def tags_of(record: MatchRecord, site: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names and values of a match's tags, of which `record.tags` may replace some."""
    other = {} if record.tags is UNSET else dict(record.tags)
    is_known_to_the_second = "Date" not in other
    for name, value in _own_tags_of(record, site):
        if name != "UTCTime" or name in other or is_known_to_the_second:
            yield name, other.pop(name, value)
    if record.tags is not UNSET:
        # What the replaced tags would have said.
        if site and "Site" in record.tags and "Source" not in record.tags:
            yield "Source", site
        if record.rated and not record.tags.get("Event", "Rated").startswith("Rated"):
            yield "Rated", "1"
    yield from other.items()


def _own_tags_of(record: MatchRecord, site: str) -> Iterator[tuple[str, str]]:
    yield "Event", event_of(record)
    yield from [("Site", site)] if site else []
    yield "Date", _moment(record.started_ms, "%Y.%m.%d", "????.??.??")
    yield "Round", "-"
    names = names_for(record)
    for name, seat in zip(names, record.seats, strict=True):
        yield name, seat.name
    yield "Result", format_result(record.ranks)
    if record.started_ms is not None:
        yield "UTCTime", _moment(record.started_ms, "%H:%M:%S", "")
    if record.ended_ms is not None:
        yield "UTCEnd", _moment(record.ended_ms, "%Y.%m.%d %H:%M:%S", "")
    for name, seat in zip(names, record.seats, strict=True):
        if seat.rating is not None:
            yield f"{name}Rating", str(seat.rating)
        if seat.kind == "bot":
            yield f"{name}Type", "program"
    yield "Game", record.game
    yield "TimeControl", format_clock(record.clock)
    if record.clock is not None and record.clock.match_limit_ms is not None:
        yield "TimeLimit", str(record.clock.match_limit_ms // 1000)
    if record.setup:
        yield "SetUp", "1"
        fen = _fen_of(record)
        if fen:
            yield "FEN", fen
        yield "Position", record.setup
    if record.termination or record.ranks is None:
        yield "Termination", record.termination or "unterminated"
    if record.explanation:
        yield "Ending", record.explanation
    if record.void:
        yield "Void", "1"
    yield "PlyCount", str(len(record.plies))


def _fen_of(record: MatchRecord) -> str:
    """Return the FEN of the first position, for other programs; empty if the game has none."""
    try:
        game = find_game(record.game)
        return State.of(game, record.setup).write_position("fen") if "fen" in game.texts.notations else ""
    except EngineError:
        return ""


def names_for(record: MatchRecord) -> tuple[str, ...]:
    """Return the names of a match's seats in tags, also of a game that is not installed."""
    try:
        names = seat_names_of(record.game)
    except UnknownGameError:
        names = ()
    return (
        names[: len(record.seats)]
        if len(names) >= len(record.seats)
        else tuple(f"Seat{n + 1}" for n in range(len(record.seats)))
    )


def _tokens_of(record: MatchRecord, plies: Iterable[PlyRecord]) -> Iterator[str]:
    if record.comment is not UNSET:
        yield f"{{{record.comment}}}"
    yield from tokens_of_line(plies, len(record.seats))


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    """Yield lines of words, at least one."""
    line: list[str] = []
    length = -1
    for word in words:
        if line and length + 1 + len(word) > LINE_LENGTH:
            yield " ".join(line)
            line, length = [], -1
        line.append(word)
        length += 1 + len(word)
    yield " ".join(line)


def _quoted(value: str) -> str:
    return _PLAIN.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')


def _moment(at_ms: int | None, form: str, unknown: str) -> str:
    if at_ms is None:
        return unknown
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)
    # strftime does not pad the year on every system.
    return moment.strftime(form.replace("%Y", f"{moment.year:04}"))
