"""Lines of play, replayed by the rules: the moves of a match and its variations, with comments and glyphs. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET

from millrace.engine.game import NO_MOVE, EngineError, IllegalMoveError, MoveSyntaxError
from millrace.engine.game.written_moves import is_capture_word, plain_move
from millrace.engine.games import find_game
from millrace.engine.state import State

from ..callers.user_text import showable_part
from .clock_texts import clocks_as_remarks
from .move_numbers import MoveNumbers
from .record import (
    MAX_COMMENT_LENGTH,
    MAX_GLYPHS,
    MAX_PLIES,
    MAX_VARIATIONS_LENGTH,
    NO_NOTE,
    Note,
    PlyRecord,
    RecordError,
)
from .record_text import tokens_of_line
from .tokenizer import MAX_GLYPH
from .written_match import WrittenLine, WrittenPly, parse_line

MAX_MOVE_LENGTH = 64

_BRACES = str.maketrans("{}", "()")
_NULL_MOVES = {"--", "z0", "null", "<>", "@@@@", "0000", "pass"}
"""What programs write for a move that is left out, in small letters."""


class PlayedLine(NamedTuple):
    """A replayed line, and the state at its end."""

    plies: tuple[PlyRecord, ...]
    state: State


def play_line(state: State, line: WrittenLine, *, begins_anywhere: bool = True) -> PlayedLine:
    """Return a line in canonical form, replayed from a state. Raises: RecordError.

    Unless the line may begin anywhere, the first ply has the number 1.
    """
    game, numbers = state.game, MoveNumbers(begins_anywhere=begins_anywhere)
    plies: list[PlyRecord] = []
    joined = _joined(line.plies, state)
    are_named = any(ply.word[:1].isalpha() for ply in joined)
    for written in joined:
        before = state
        text = game.texts.read_written_move(written.word) if " " not in written.word else written.word
        move_number = before.ply // before.start.seats + 1
        if are_named and written.word.isdecimal():
            problem = f"{_shortened(written.word)} is a number among points with names; the number of a move has a dot."
            raise RecordError(problem, written.line, move_number)
        numbers.check(written.numbers, before)
        try:
            _check_side(written, before)
            state = _after(state, text)
        except EngineError as error:
            raise RecordError(str(error), written.line, move_number, _shortened(written.word)) from None
        note = _note_of(written, before, move_number)
        plies.append(
            PlyRecord(
                before.format_move(state.move), written.clock_ms, written.at_ms, UNSET if note == NO_NOTE else note
            )
        )
    return PlayedLine(tuple(plies), state)


def tidy_comment(texts: Sequence[str]) -> str:
    """Return comments as one, without braces, line breaks, and characters that cannot be shown.

    >>> tidy_comment(["good ", "{or not}"])
    'good (or not)'
    """
    return " ".join(showable_part(" ".join(texts)).translate(_BRACES).split())


def written_line_of(plies: Sequence[PlyRecord]) -> WrittenLine:
    """Return the line of a record as a written line. Raises: RecordError if a variation cannot be parsed."""
    return WrittenLine([], [*written_plies_of(plies)])


def written_plies_of(plies: Iterable[PlyRecord]) -> Iterator[WrittenPly]:
    """Yield the plies of a record as written plies. Raises: RecordError if a variation cannot be parsed."""
    return map(_written_ply_of, plies)


def _written_ply_of(ply: PlyRecord) -> WrittenPly:
    note = NO_NOTE if ply.note is UNSET else ply.note
    try:
        variations = [parse_line(text) for text in note.variations]
    except RecordError as error:
        raise RecordError(f"A variation instead of {ply.move!r} cannot be read. {error}") from None
    if not all(line.plies for line in variations):
        raise RecordError(f"A variation instead of {ply.move!r} has no moves.")
    return WrittenPly(
        ply.move, None, ply.clock_ms, ply.at_ms, [note.comment] if note.comment else [], list(note.glyphs), variations
    )


def is_null_move(word: str, state: State) -> bool:
    """Return whether a word stands for no move, in a game that has no such move."""
    text = plain_move(word)
    return text in _NULL_MOVES and text not in State.of(find_game(state.game.name)).geometry.choices


def _joined(plies: Sequence[WrittenPly], state: State) -> list[WrittenPly]:
    """Return plies, each with its target and its capture, which may have been separate words."""
    texts = state.game.texts
    mark, joined = texts.capture_mark, list[WrittenPly]()
    for ply in plies:
        word = texts.read_written_move(ply.word)
        before = texts.read_written_move(joined[-1].word) if joined else ""
        is_capture = is_capture_word(word, mark) and mark not in before
        is_target = (word.startswith("-") or before.endswith("-")) and "--" not in before + word
        is_captured = bool(mark) and before.endswith(mark)
        if not before or ply.numbers or not (is_capture or is_target or is_captured):
            joined.append(ply)
            continue
        move = joined.pop()
        joined.append(
            WrittenPly(
                move.word + ply.word,
                ply.line,
                move.clock_ms if ply.clock_ms is None else ply.clock_ms,
                move.at_ms if ply.at_ms is None else ply.at_ms,
                move.comments + ply.comments,
                move.glyphs + ply.glyphs,
                move.variations + ply.variations,
                move.numbers,
                move.side,
            )
        )
    return joined


def _check_side(written: WrittenPly, before: State) -> None:
    """Check that a move belongs to the seat that the text names. Raises: EngineError."""
    if written.side is not None and written.side != before.seat:
        names = before.game.seat_names
        raise IllegalMoveError(f"this is a move of {names[written.side]}, but {names[before.seat]} is to move.")


def _after(state: State, text: str) -> State:
    if len(text) > MAX_MOVE_LENGTH:
        raise MoveSyntaxError(f"{_shortened(text)} is not a move.")
    if state.ply >= MAX_PLIES:
        raise MoveSyntaxError(f"a line has at most {MAX_PLIES:,} moves.")
    move = state.parse_move(text)
    # As in `State.from_moves`: a pass may also belong to a skipped seat.
    return state.skip() if move == state.game.rules.forced_pass != NO_MOVE else state.play(move)


def _note_of(written: WrittenPly, before: State, move_number: int) -> Note:
    lines, unplayed = list[WrittenLine](), list[str]()
    for line in written.variations:
        if _has_null_move(line, before):
            unplayed.append(f"({_unplayed_text(line, before.start.seats, before.ply)})")
        else:
            lines.append(line)
    comment = tidy_comment([*written.comments, *unplayed])
    if written.clock_ms is None:
        comment = clocks_as_remarks(comment)
    if len(comment) > MAX_COMMENT_LENGTH:
        raise RecordError(f"a comment has at most {MAX_COMMENT_LENGTH:,} characters.", written.line, move_number)
    wrong = next((glyph for glyph in written.glyphs if not 0 <= glyph <= MAX_GLYPH), None)
    if wrong is not None:
        raise RecordError(f"${wrong} is not a glyph; they are $0 to ${MAX_GLYPH}.", written.line, move_number)
    variations = tuple(_variation_text(line, before) for line in lines)
    if sum(map(len, variations)) > MAX_VARIATIONS_LENGTH:
        raise RecordError(
            f"the variations of a move have at most {MAX_VARIATIONS_LENGTH:,} characters.", written.line, move_number
        )
    glyphs = tuple(dict.fromkeys(written.glyphs))
    if len(glyphs) > MAX_GLYPHS:
        raise RecordError(f"a move has at most {MAX_GLYPHS} glyphs.", written.line, move_number)
    return Note(comment, glyphs, variations)


def _variation_text(line: WrittenLine, before: State) -> str:
    plies = play_line(before, line).plies
    return _line_text(tidy_comment(line.comments), plies, before.start.seats, before.ply)


def _has_null_move(line: WrittenLine, state: State) -> bool:
    return any(is_null_move(ply.word, state) for ply in line.plies)


def _unplayed_text(line: WrittenLine, seats: int, first_ply: int) -> str:
    """Return the text of a variation that the rules cannot replay, as it was written."""
    plies = []
    for index, ply in enumerate(line.plies, first_ply):
        lines = tuple(_unplayed_text(each, seats, index) for each in ply.variations)
        plies.append(PlyRecord(ply.word, ply.clock_ms, note=Note(" ".join(ply.comments), tuple(ply.glyphs), lines)))
    return _line_text(" ".join(line.comments), plies, seats, first_ply)


def _line_text(remark: str, plies: Sequence[PlyRecord], seats: int, first_ply: int) -> str:
    first = (f"{{{remark}}}",) if remark else ()
    return " ".join((*first, *tokens_of_line(plies, seats, first_ply)))


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_MOVE_LENGTH else f"{text[:MAX_MOVE_LENGTH]}…"
