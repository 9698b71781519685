"""Reads matches from text like PGN, SGF or JSON and replays them by the rules; anything else is an error. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from .clock_texts import parse_shown_clock
from .line_reader import is_null_move, play_line, tidy_comment, written_line_of
from .record import MAX_COMMENT_LENGTH, MAX_PLIES, MatchRecord, RecordError, SeatRecord
from .record_tags import (
    LINK_TAGS,
    UNKNOWN_NAME,
    clock_of,
    game_of,
    is_field_tag,
    lost_tags,
    match_id_in,
    moment_ms,
    other_tags,
    ranks_of,
    seats_of,
    setup_of,
)
from .record_text import EVENTS, seat_names_of
from .result_words import are_ranks, format_result
from .sgf_reader import parse_sgf, sgf_beginning
from .tokenizer import MAX_TAG_LENGTH, NEW_LINE, RECORD_LINE, is_prose
from .written_match import LEFT_OUT, WrittenLine, WrittenMatch, parse_matches

MAX_NAME_LENGTH = 64
MAX_SETUP_LENGTH = 2048
"""Maximum characters, as in messages."""
MAX_EXPLANATION_LENGTH = 200
MAX_TAGS = 100

_JSON = re.compile(r"\ufeff?\s*(?:\{\s*\"|\[\s*[{\]])")
"""The start of JSON, unlike any tag or comment."""
_decoder = msgspec.json.Decoder(MatchRecord)
_PROSE_LEFT_OUT = "The text before the record was left out."
_REMOVED = "Characters that cannot be shown were removed."
_BRACES = "Braces in comments became parentheses."
_CLOCKS = "Brackets around clock times in comments became parentheses."
_LINE_BREAKS = "Line breaks in comments became spaces."
_NULL_MOVE = "A variation with a null move became a comment."
CHANGES = (_PROSE_LEFT_OUT, *LEFT_OUT, _REMOVED, _BRACES, _CLOCKS, _LINE_BREAKS, _NULL_MOVE)
"""What may differ between a text and its record."""
_KINDS = {name: kind for kind, name in EVENTS.items()}
_TAG_NAME = re.compile("[A-Za-z0-9_]{1,64}")


class ReadMatch(NamedTuple):
    """A match in canonical form, and its last state."""

    record: MatchRecord
    state: State
    changes: Sequence[str] = ()
    """What the record says otherwise than the text, or not at all, as sentences."""
    links: Mapping[str, str] = {}
    """The tags Site and Source that link to a match somewhere, from one of which the record's id is."""


def read_matches(text: str, default_game: str = "") -> Iterator[ReadMatch]:
    """Yield the matches of a text: JSON or SGF if it begins like them, otherwise the text format.

    `default_game` is the game of matches that do not name one. Raises: RecordError.
    """
    if _JSON.match(text):
        for record in _read_json(text):
            reading = _play(record, written_line_of(record.plies), None, None)
            yield _with_tags(reading, {} if record.tags is UNSET else record.tags, None)
        return
    sgf_begins = sgf_beginning(text)
    begin = _end_of_prose(text) if sgf_begins is None else sgf_begins
    rest = "\n" * len(NEW_LINE.findall(text, 0, begin)) + text[begin:]
    left_out = (_PROSE_LEFT_OUT,) if text[:begin].strip("\ufeff \t\r\n") else ()
    for written in parse_matches(rest) if sgf_begins is None else parse_sgf(rest):
        result_line = written.line_of("Result") if written.result is None else written.result.line
        reading = _play(_record_of(written, default_game), written.moves, written.line, result_line)
        lost = ", ".join(lost_tags(written, reading.record))
        lost_in_words = (f"These tags were left out: {lost}.",) if lost else ()
        reading = reading._replace(changes=(*left_out, *written.left_out, *lost_in_words, *reading.changes))
        reading = _with_tags(reading, other_tags(written, reading.record), written.line)
        yield reading._replace(links={name: link for name in LINK_TAGS if match_id_in(link := written.tag(name))})
        left_out = ()


def _end_of_prose(text: str) -> int:
    """Return where the text before a record ends, such as the beginning of a letter; 0 if there is none."""
    found = RECORD_LINE.search(text)
    return found.start() if found is not None and is_prose(text[: found.start()].strip("\ufeff")) else 0


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
    names = [replace(seat, name=_name(seat.name, line)) for seat in record.seats[:seats]]
    if any(seat.name != UNKNOWN_NAME for seat in record.seats[seats:]):
        raise RecordError(f"There are {len(record.seats)} players for {seats} seats.", line)
    names += [SeatRecord(UNKNOWN_NAME)] * (seats - len(names))
    if record.clock is not None and (fault := find_fault(record.clock)) is not None:
        raise RecordError(f"The clock cannot be used. {fault}", line)
    if record.comment is not UNSET:
        moves.comments.append(record.comment)
    comment = tidy_comment(moves.comments)
    if len(comment) > MAX_COMMENT_LENGTH:
        raise RecordError(f"a comment has at most {MAX_COMMENT_LENGTH:,} characters.", line)
    canonical = replace(
        record,
        seats=tuple(names),
        plies=plies,
        termination=_shown(record.termination),
        explanation=_shown(record.explanation),
        comment=comment or UNSET,
    )
    if len(canonical.explanation) > MAX_EXPLANATION_LENGTH:
        raise RecordError(f"the explanation has more than {MAX_EXPLANATION_LENGTH} characters.", line)
    texts = [record.termination, record.explanation, *(seat.name for seat in record.seats)]
    return ReadMatch(_with_result(canonical, state, result_line), state, tuple(_changes(texts, moves, start)))


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
    imported, rated = _KINDS.get(event, (not event, event.startswith("Rated")))
    return MatchRecord(
        id=next(filter(None, (match_id_in(written.tag(name)) for name in LINK_TAGS)), ""),
        game=game,
        setup=setup_of(written, game),
        seats=seats_of(written, seat_names_of(game)),
        clock=clock_of(written),
        rated=rated or written.tag("Rated") == "1",
        imported=imported,
        started_ms=moment_ms(written.tag("UTCDate", written.tag("Date")), written.tag("UTCTime")),
        ended_ms=moment_ms(*written.tag("UTCEnd").partition(" ")[::2]),
        ranks=ranks_of(written),
        termination="" if reason == "unterminated" else reason,
        explanation=written.tag("Ending"),
        void=written.tag("Void") == "1",
    )


def _with_tags(reading: ReadMatch, tags: Mapping[str, str], line: int | None) -> ReadMatch:
    """Return a match with the tags that its record does not say otherwise. Raises: RecordError."""
    if len(tags) > MAX_TAGS:
        raise RecordError(f"a match has at most {MAX_TAGS} tags.", line)
    for name, value in tags.items():
        if _TAG_NAME.fullmatch(name) is None or is_field_tag(name, reading.record.game):
            raise RecordError(f"{name[:64]!r} cannot be one of the other tags.", line)
        if len(value) > MAX_TAG_LENGTH:
            raise RecordError(f"a tag has at most {MAX_TAG_LENGTH:,} characters.", line)
    shown = {name: showable_part(value.replace("\n", " ")) for name, value in tags.items()}
    changes = (*reading.changes, *(() if all(map(_is_showable, tags.values())) else (_REMOVED,)))
    return reading._replace(record=replace(reading.record, tags=shown or UNSET), changes=tuple(dict.fromkeys(changes)))


def _changes(texts: Sequence[str], moves: WrittenLine, start: State) -> Iterator[str]:
    """Yield what a record cannot keep of some texts and of a line with its variations."""
    variations = list(_variations_in(moves))
    comments = [text for line in (moves, *variations) for text in line.comments]
    comments += [text for line in (moves, *variations) for ply in line.plies for text in ply.comments]
    if not all(map(_is_showable, (*texts, *comments))):
        yield _REMOVED
    if any("{" in text or "}" in text for text in comments):
        yield _BRACES
    if any(
        ply.clock_ms is None and parse_shown_clock(tidy_comment(ply.comments)) is not None
        for line in (moves, *variations)
        for ply in line.plies
    ):
        yield _CLOCKS
    if any(NEW_LINE.search(text) for text in comments):
        yield _LINE_BREAKS
    if any(is_null_move(ply.word, start) for line in variations for ply in line.plies):
        yield _NULL_MOVE


def _variations_in(line: WrittenLine) -> Iterator[WrittenLine]:
    for ply in line.plies:
        for variation in ply.variations:
            yield variation
            yield from _variations_in(variation)


def _is_showable(text: str) -> bool:
    """Return whether all characters can be shown, apart from blanks."""
    return "".join(showable_part(text).split()) == "".join(text.split())


def _shown(text: str) -> str:
    """Return a text on one line, without characters that cannot be shown."""
    return " ".join(showable_part(text).split())


def _name(text: str, line: int | None) -> str:
    """Return a name without characters that cannot be shown. Raises: RecordError."""
    name = _shown(text)
    if len(name) > MAX_NAME_LENGTH:
        raise RecordError(f"the name {name[:40]!r}… has more than {MAX_NAME_LENGTH} characters.", line)
    return name or UNKNOWN_NAME


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
