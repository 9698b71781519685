"""The file of opening values from the proof of the start."""

from pathlib import Path

import numpy as np
import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.tablebase.morris_results import answers_of
from millrace.engine.tablebase.placing_proof import IS_PROVED, IS_YES, key_of, position_in
from millrace.engine.tablebase.results import DRAW, known_only
from millrace.server.bots.tablebases.folder import TablebaseFolder
from millrace.server.bots.tablebases.opening_file import opening_path, read_opening, write_opening
from millrace.server.bots.tablebases.table_files import GAME, DamagedTableError

ANSWERS = {0: np.array([1 << 63, 1 << 63 | 5], np.uint64), 1: np.array([1 << 63 | 1 << 62 | 7], np.uint64)}


def test_answers_round_trip(tmp_path: Path) -> None:
    assert write_opening(tmp_path, ANSWERS) == opening_path(tmp_path).stat().st_size
    assert {kind: answers.tolist() for kind, answers in read_opening(tmp_path).items()} == {
        kind: answers.tolist() for kind, answers in ANSWERS.items()
    }


def test_without_a_file_nothing_is_known(tmp_path: Path) -> None:
    assert read_opening(tmp_path) == {}


@pytest.mark.parametrize("at", [3, 513, -1, None])
def test_a_damaged_or_shortened_file_is_named(tmp_path: Path, at: int | None) -> None:
    write_opening(tmp_path, ANSWERS)
    path = opening_path(tmp_path)
    content = bytearray(path.read_bytes())
    if at is not None:
        content[at] ^= 1
    path.write_bytes(content if at is not None else content[:-3])
    with pytest.raises(DamagedTableError, match="opening"):
        read_opening(tmp_path)


def test_a_file_that_is_written_later_is_used_without_any_table(tmp_path: Path) -> None:
    tables = TablebaseFolder(tmp_path)
    assert tables.tablebase(GAME) is None
    start = State.of(find_game(GAME))
    proved = np.array([key_of(position_in(start.words)) | IS_PROVED | IS_YES], np.uint64)
    write_opening(tmp_path, {answers_of(position_in(start.words), DRAW): proved, 1: np.zeros(0, np.uint64)})
    tablebase = tables.tablebase(GAME)
    assert tablebase is not None
    assert tables.tablebase(GAME) is tablebase
    assert tablebase.results is not None
    assert tablebase.results.reaches(start, DRAW, known_only()) is True
    opening_path(tmp_path).unlink()
    assert tables.tablebase(GAME) is None
