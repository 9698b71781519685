"""The file of the opening: values of positions with many men in hand, from the proof of the start.

With it the strongest level always knows a move that keeps the draw, without another proof. The file is a header of 512
bytes as in `table_files`, followed by the answers (`engine.tablebase.opening_answers`).
"""

from pathlib import Path

import msgspec

from millrace.engine.tablebase.opening_answers import NO_ANSWERS, OpeningAnswers, answers_in, bytes_of
from millrace.engine.tablebase.tables import bytes_in

from ...runtime.gentle_files import replacing
from .table_files import GAME, HEADER_BYTES, DamagedTableError, checksum_of_table

FORMAT = 1
LEAST_IN_HAND = 8
"""Minimum number of men in hand: a proof with fewer takes a fraction of a second."""


class OpeningHeader(msgspec.Struct, frozen=True):
    """The header of the file."""

    format: int
    game: str
    answers: tuple[int, int]
    """The number of answers of each kind."""
    checksum: str
    """BLAKE2b of the answers."""


def opening_path(folder: Path) -> Path:
    """Return the file."""
    return folder / f"{GAME}.opening"


def write_opening(folder: Path, answers: OpeningAnswers) -> int:
    """Write the answers by kind, and return the size of the file. Raises: OSError."""
    content = bytes_of(answers)
    header = OpeningHeader(FORMAT, GAME, (len(answers[0]), len(answers[1])), checksum_of_table(content))
    with replacing(opening_path(folder)) as file:
        file.write(msgspec.json.encode(header).ljust(HEADER_BYTES - 1) + b"\n")
        file.write(content.data)
    return HEADER_BYTES + len(content)


def read_opening(folder: Path) -> OpeningAnswers:
    """Return the answers by kind; none if there is no file. Raises: OSError; DamagedTableError."""
    path = opening_path(folder)
    try:
        stored = memoryview(path.read_bytes())
    except FileNotFoundError:
        return NO_ANSWERS
    try:
        header = msgspec.json.decode(stored[:HEADER_BYTES], type=OpeningHeader)
    except msgspec.MsgspecError as error:
        raise DamagedTableError(f"{path} cannot be read. Run `millrace tablebase prove` again.") from error
    content = bytes_in(stored[HEADER_BYTES:])
    if (header.format, header.game) != (FORMAT, GAME) or checksum_of_table(content) != header.checksum:
        raise DamagedTableError(f"{path} is damaged, or of another version. Run `millrace tablebase prove` again.")
    return answers_in(content, header.answers[0])
