"""Tables at work: in the engine, bots, analyses, puzzles and the server."""

import random
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from millrace.engine.tablebase.codes import is_lost, is_won, plies_of
from millrace.engine.transposition_table import WIN
from millrace.server.bots.pool import BotPool
from millrace.server.bots.requests import BotRequest, EngineFolders, SolvedResult, Urgency
from millrace.server.bots.searcher import Searcher
from millrace.server.bots.tablebases.folder import TablebaseFolder
from millrace.server.bots.tablebases.small_files import write_small_table
from millrace.server.bots.tablebases.table_files import (
    GAME,
    open_table,
    tables_in,
)
from millrace.server.learning.puzzles.solved_endings import won_endings
from tests.project.repository import ROOT
from tests.server.bots.tablebases.longest_win import LONGEST_WIN, LONGEST_WIN_MOVE
from tests.serving import ServerProcess


@pytest.mark.usefixtures("processes")
def test_the_engine_plays_by_the_tablebase_and_prints_the_whole_line(folder: Path) -> None:
    lines = f"position text {LONGEST_WIN}\ngo depth 3\n"
    command = [sys.executable, "-m", "millrace.server.app.cli", "engine", "morris", "--data-dir", str(folder.parent)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT, check=True)
    info, best = done.stdout.splitlines()
    assert info.startswith("info depth 33 seldepth 33 score mate 17 ")
    assert len(info.partition(" pv ")[2].split()) == 33
    assert best.startswith(f"bestmove {LONGEST_WIN_MOVE} ponder ")


@pytest.fixture
async def bots(processes: None, folder: Path) -> AsyncIterator[BotPool]:
    pool = BotPool(workers=1, folders=EngineFolders(folder, folder))
    await pool.start()
    yield pool
    await pool.close()


async def test_a_bot_of_the_strongest_level_plays_by_the_tablebase(bots: BotPool) -> None:
    request = BotRequest(GAME, LONGEST_WIN, (), level=8, seed=1, movetime_ms=10)
    assert await bots.choose(request) == LONGEST_WIN_MOVE


async def test_a_lookup_returns_the_results_of_a_position_and_its_moves(bots: BotPool) -> None:
    request = BotRequest(GAME, LONGEST_WIN, (), level=8, seed=1, movetime_ms=10, urgency=Urgency.ANALYSIS)
    ending = await bots.look_up(request)
    assert ending.tables == ("3-3", "3-4", "4-3")
    assert ending.position == SolvedResult(1, 33)
    assert ending.moves[0] == (LONGEST_WIN_MOVE, SolvedResult(1, 32))
    results = [solved.result for _, solved in ending.moves]
    assert results == sorted(results, reverse=True)
    assert (await bots.look_up(replace(request, setup=""))).position is None
    assert (await bots.look_up(replace(request, setup=f"{LONGEST_WIN} 67"))).position == SolvedResult(1, 33)
    assert (await bots.look_up(replace(request, setup=f"{LONGEST_WIN} 68"))).position is None, "it may come too late"
    assert (await bots.look_up(replace(request, setup=f"{LONGEST_WIN} 100"))).position == SolvedResult(0, None)


async def test_an_analysis_uses_the_tablebase(bots: BotPool) -> None:
    request = BotRequest(
        GAME, LONGEST_WIN, (), level=8, seed=1, movetime_ms=200, urgency=Urgency.ANALYSIS, also="a7-d7"
    )
    findings = await bots.analyse(request)
    assert findings.best[0].moves[0] == LONGEST_WIN_MOVE
    assert findings.best[0].value == WIN - 33
    assert findings.is_settled
    assert findings.also is not None
    assert findings.also.value < findings.best[0].value


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_a_server_builds_small_tablebases_once_its_bots_are_ready(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--tablebases") as server:
        server.wait_for_bots()
        server.wait_for("tablebases built")
        assert set(tables_in(tmp_path / "tablebases")) == {"3-3", "3-4", "4-3"}
        assert server.stop() == 0


def test_endings_for_puzzles_are_won_in_three_or_five_plies_on_either_side(folder: Path) -> None:
    tablebase = TablebaseFolder(folder).tablebase(GAME)
    assert tablebase is not None
    found = list(islice(won_endings(tablebase, random.Random(1).randrange), 20))
    codes = [tablebase.code_of(state) for state in found]
    assert {plies_of(code) for code in codes if code is not None and is_won(code)} == {3, 5}
    assert None not in codes
    assert {state.seat for state in found} == {0, 1}


def test_a_lookup_by_the_small_edition_returns_results_without_distances(folder: Path, tmp_path: Path) -> None:
    for table in tables_in(folder):
        write_small_table(tmp_path, open_table(folder, table))
    request = BotRequest(GAME, LONGEST_WIN, (), level=8, seed=1, movetime_ms=10, urgency=Urgency.ANALYSIS)
    found = Searcher(lambda: False, EngineFolders(tmp_path, tmp_path)).look_up(request)
    assert found.tables == ("3-3", "3-4", "4-3")
    assert found.position == SolvedResult(1, None)
    assert found.moves[0] == (LONGEST_WIN_MOVE, SolvedResult(1, None))
    assert {solved.result for _, solved in found.moves[1:]} <= {0, -1}


def test_endings_for_puzzles_by_the_small_edition_are_won_soon_by_one_move(folder: Path, tmp_path: Path) -> None:
    for table in tables_in(folder):
        write_small_table(tmp_path, open_table(folder, table))
    small, full = (TablebaseFolder(each).tablebase(GAME) for each in (tmp_path, folder))
    assert small is not None
    assert full is not None
    for state in islice(won_endings(small, random.Random(1).randrange), 4):
        code = full.code_of(state)
        assert code is not None
        assert is_won(code)
        assert plies_of(code) in (3, 5)
        answers = [answer for answer in full.answers(state).values() if answer is not None]
        assert len(list(filter(is_lost, answers))) == 1
