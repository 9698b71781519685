"""Reads matches from text like PGN, SGF or JSON and replays them by the rules; anything else is an error. Pure."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from millrace.engine.game import EngineError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol.faults import explain

from ..callers.user_text import showable_part
from ..matches.clock import find_fault
from .line_reader import MAX_COMMENT_LENGTH, play_line, tidy_comment, written_line_of
from .record import MAX_PLIES, MatchRecord, RecordError, SeatRecord
from .record_tags import UNKNOWN_NAME, clock_of, game_of, moment_ms, ranks_of, seats_of, setup_of
from .record_text import seat_names_of
from .result_words import are_ranks, format_result
from .sgf_reader import is_sgf, parse_sgf
from .written_match import WrittenLine, WrittenMatch, parse_matches

MAX_NAME_LENGTH = 64
MAX_SETUP_LENGTH = 2048
"""Maximum characters, as in messages."""

_JSON = re.compile(r"\ufeff?\s*(?:\{\s*\"|\[\s*[{\]])")
"""The start of JSON, unlike any tag or comment."""
_decoder = msgspec.json.Decoder(MatchRecord)


class ReadMatch(NamedTuple):
    """A match in canonical form, and its last state."""

    record: MatchRecord
    state: State


def read_matches(text: str, default_game: str = "") -> Iterator[ReadMatch]:
    """Yield the matches of a text: JSON or SGF if it begins like them, otherwise the text format.

    `default_game` is the game of matches that do not name one. Raises: RecordError.
    """
    if _JSON.match(text):
        for record in _read_json(text):
            yield _play(record, written_line_of(record.plies), None, None)
        return
    for written in parse_sgf(text) if is_sgf(text) else parse_matches(text):
        result_line = written.line_of("Result") if written.result is None else written.result.line
        yield _play(_record_of(written, default_game), written.moves, written.line, result_line)


def _play(record: MatchRecord, moves: WrittenLine, line: int | None, result_line: int | None) -> ReadMatch:
    """Return a match in canonical form, replayed by the rules.

    `line` is the line on which it begins, `result_line` the line of its result, for error messages. Raises:
    RecordError.
    """
    if len(moves.plies) > 2 * MAX_PLIES:
        raise RecordError(f"the match has {len(moves.plies)} moves; at most {MAX_PLIES} are allowed.", line)
    if len(record.setup) > MAX_SETUP_LENGTH:
        raise RecordError(f"the position has more than {MAX_SETUP_LENGTH} characters.", line)
    try:
        start = State.of(find_game(record.game), record.setup)
    except EngineError as error:
        raise RecordError(str(error), line) from None
    if not moves.plies and record.ranks is None and record.termination == "" and start.outcome is None:
        raise RecordError("There are no moves in this match, and it has no result.", line)
    plies, state = play_line(start, moves, begins_anywhere=record.setup != "")
    seats = state.start.seats
    names = [SeatRecord(_name(seat.name), seat.kind, seat.rating) for seat in record.seats[:seats]]
    if any(seat.name != UNKNOWN_NAME for seat in record.seats[seats:]):
        raise RecordError(f"There are {len(record.seats)} players for {seats} seats.", line)
    names += [SeatRecord(UNKNOWN_NAME)] * (seats - len(names))
    clock = record.clock if record.clock is not None and find_fault(record.clock) is None else None
    comment = tidy_comment([record.comment] if record.comment is not UNSET else moves.comments)
    if len(comment) > MAX_COMMENT_LENGTH:
        raise RecordError(f"a comment has at most {MAX_COMMENT_LENGTH:,} characters.", line)
    canonical = replace(
        record,
        seats=tuple(names),
        plies=plies,
        clock=clock,
        explanation=_name(record.explanation, 200),
        comment=comment or UNSET,
    )
    return ReadMatch(_with_result(canonical, state, result_line), state)


def _with_result(record: MatchRecord, state: State, line: int | None) -> MatchRecord:
    """Return a match with its result by the rules, or else with the recorded one."""
    ranks, outcome = record.ranks, state.outcome
    seats = state.start.seats
    if ranks is not None and not are_ranks(ranks, seats):
        raise RecordError(f"The result {':'.join(map(str, ranks))} does not fit {seats} seats.", line)
    if outcome is None:
        return record
    if ranks is not None and len(ranks) == 2 and ranks != outcome.ranks:
        given, played = format_result(ranks), format_result(outcome.ranks)
        raise RecordError(f"The result {given} contradicts the moves, which lead to {played}.", line)
    return replace(record, ranks=ranks or outcome.ranks, termination=record.termination or outcome.reason)


def _record_of(written: WrittenMatch, default_game: str) -> MatchRecord:
    """Return the record of a written match without its moves. Raises: RecordError."""
    game = game_of(written, default_game)
    event, reason = written.tag("Event"), written.tag("Termination")
    _, _, match_id = written.tag("Site").partition("/match/")
    return MatchRecord(
        id=match_id,
        game=game,
        setup=setup_of(written, game),
        seats=seats_of(written, seat_names_of(game)),
        clock=clock_of(written),
        rated=event.startswith("Rated"),
        imported=event.startswith("Imported"),
        started_ms=moment_ms(written.tag("UTCDate", written.tag("Date")), written.tag("UTCTime")),
        ended_ms=moment_ms(*written.tag("UTCEnd").partition(" ")[::2]),
        ranks=ranks_of(written),
        termination="" if reason == "unterminated" else reason,
        explanation=written.tag("Ending"),
        void=written.tag("Void") == "1",
    )


def _name(text: str, most: int = MAX_NAME_LENGTH) -> str:
    """Return a name without characters that cannot be shown."""
    return " ".join(showable_part(text).split())[:most] or ("" if most != MAX_NAME_LENGTH else UNKNOWN_NAME)


def _read_json(text: str) -> Iterator[MatchRecord]:
    """Yield the records of a JSON array, of one object, or of one object per line. Raises: RecordError."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        yield from _decoded(msgspec.json.Decoder(list[MatchRecord]).decode, text, None)
        return
    # Strings in JSON may contain other line separators.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
        lines = [(1, text)]
    for number, line in lines:
        yield from _decoded(lambda one: [_decoder.decode(one)], line, number)


def _decoded(decode: Callable[[str], list[MatchRecord]], text: str, line: int | None) -> list[MatchRecord]:
    try:
        return decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(f"This is not a match in JSON. {explain(error)}", line) from None
