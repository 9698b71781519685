"""Matches in PlayOK's format: text like PGN, with numbers for the points of Nine Men's Morris. Pure."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import UNSET

from millrace.engine.game import UnknownGameError
from millrace.engine.games import find_game

from .line_reader import written_plies_of
from .record import NO_NOTE, MatchRecord, Note, PlyRecord, RecordError
from .record_text import tokens_of_line, write_match
from .written_match import WrittenPly


def write_numbered(record: MatchRecord, site: str = "") -> Iterator[str]:
    """Yield a match like `write_match`, with numbers for points.

    Raises: RecordError if the game has no such numbers.
    """
    try:
        game = find_game(record.game)
    except UnknownGameError as error:
        raise RecordError(str(error)) from None
    number_move = game.texts.number_move
    if number_move is None:
        raise RecordError(f"PlayOK has no list of moves for {game.title}.")
    plies = _numbered(written_plies_of(record.plies), number_move, len(record.seats), 0)
    yield from write_match(record, site, plies)


def _numbered(
    plies: Iterable[WrittenPly], number_move: Callable[[str], str], seats: int, first_ply: int
) -> Iterator[PlyRecord]:
    """Yield the plies of a line, with numbers in their variations too."""
    for index, ply in enumerate(plies, first_ply):
        variations = []
        for variation in ply.variations:
            remark = f"{{{' '.join(variation.comments)}}} " if variation.comments else ""
            tokens = tokens_of_line(_numbered(variation.plies, number_move, seats, index), seats, index)
            variations.append(remark + " ".join(tokens))
        note = Note(" ".join(ply.comments), tuple(ply.glyphs), tuple(variations))
        yield PlyRecord(number_move(ply.word), ply.clock_ms, ply.at_ms, UNSET if note == NO_NOTE else note)
