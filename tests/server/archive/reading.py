"""Reads texts of one match, for tests."""

import pytest

from millrace.server.archive.record import RecordError
from millrace.server.archive.record_reader import ReadMatch, read_matches


def read(text: str, game: str = "morris") -> ReadMatch:
    (reading,) = read_matches(text, game)
    return reading


def moves(text: str, game: str = "morris") -> list[str]:
    return [ply.move for ply in read(text, game).record.plies]


def refusal(text: str, game: str = "morris") -> str:
    with pytest.raises(RecordError) as error:
        list(read_matches(text, game))
    return str(error.value)
