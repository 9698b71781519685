"""Matches in PlayOK's format: text like PGN, with numbers for the points of Nine Men's Morris. Pure."""

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from millrace.engine.game import UnknownGameError
from millrace.engine.games import find_game

from .line_reader import written_line_of
from .record import NO_NOTE, MatchRecord, Note, PlyRecord, RecordError
from .record_text import format_match, tokens_of_line
from .written_match import WrittenLine


def format_numbered(record: MatchRecord, site: str = "") -> str:
    """Return a match like `format_match`, with numbers for points.

    Raises: RecordError if the game has no such numbers.
    """
    try:
        game = find_game(record.game)
    except UnknownGameError as error:
        raise RecordError(str(error)) from None
    number_move = game.texts.number_move
    if number_move is None:
        raise RecordError(f"PlayOK has no list of moves for {game.title}.")
    line = written_line_of(record.plies)
    return format_match(replace(record, plies=_numbered(line, number_move, len(record.seats), 0)), site)


def _numbered(
    line: WrittenLine, number_move: Callable[[str], str], seats: int, first_ply: int
) -> tuple[PlyRecord, ...]:
    """Return the plies of a line, with numbers in their variations too."""
    plies = []
    for index, ply in enumerate(line.plies, first_ply):
        variations = []
        for variation in ply.variations:
            remark = f"{{{' '.join(variation.comments)}}} " if variation.comments else ""
            tokens = tokens_of_line(_numbered(variation, number_move, seats, index), seats, index)
            variations.append(remark + " ".join(tokens))
        note = Note(" ".join(ply.comments), tuple(ply.glyphs), tuple(variations))
        plies.append(PlyRecord(number_move(ply.word), ply.clock_ms, ply.at_ms, UNSET if note == NO_NOTE else note))
    return tuple(plies)
