"""Tablebase files: built in order, resumed after a kill, verified, ignored when damaged, and used by the bots."""

import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from millrace.engine.games.morris.tablebase_index import make_numbering, table_name
from millrace.engine.tablebase.codes import DRAWN, LOST_NOW, is_lost, is_won, plies_of
from millrace.engine.tablebase.independent_solver import recount
from millrace.engine.tablebase.pairs import PAIRS, pairs_up_to
from millrace.engine.tablebase.tables import codes_of
from millrace.engine.tablebase.verification import count_results
from millrace.engine.transposition_table import WIN
from millrace.server.bots.pool import BotPool
from millrace.server.bots.requests import BotRequest, EngineFolders, SolvedResult, Urgency
from millrace.server.bots.searcher import Searcher
from millrace.server.commands import tablebase as tablebase_command
from millrace.server.commands import tablebase_recount
from millrace.server.commands.tablebase_recount import recount_of
from millrace.server.puzzles.solved_endings import won_endings
from millrace.server.settings import Settings
from millrace.server.tablebases import build
from millrace.server.tablebases import folder as tablebase_folder
from millrace.server.tablebases.build import missing_pairs, needs_of, refuse_unless_there_is_room, solve_and_write
from millrace.server.tablebases.folder import TablebaseFolder
from millrace.server.tablebases.small_files import small_path_of, small_tables_in, write_small_table
from millrace.server.tablebases.table_files import (
    GAME,
    HEADER_BYTES,
    DamagedTableError,
    TablebaseError,
    clear_unfinished,
    has_table,
    open_table,
    path_of,
    tables_in,
    write_table,
)
from tests.commands import finish, run, start
from tests.project.repository import ROOT
from tests.serving import ServerProcess

LONGEST_WIN = "WWB.......B....B..B...W. w 0 0"
"""Won in 33 plies by one move alone."""
LONGEST_WIN_MOVE = "a7-d6"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables that a server builds by itself."""
    folder = tmp_path_factory.mktemp("data") / "tablebases"
    for pair in pairs_up_to((4, 3)):
        solve_and_write(folder, pair, threads=1)
    return folder


@pytest.fixture
def damaged(folder: Path, tmp_path: Path) -> Path:
    """A folder in which one byte of 4-3 is damaged."""
    for table in tables_in(folder):
        path_of(tmp_path, table).write_bytes(path_of(folder, table).read_bytes())
    with path_of(tmp_path, "4-3").open("r+b") as file:
        file.seek(HEADER_BYTES + 1_000)
        byte = file.read(1)[0]
        file.seek(HEADER_BYTES + 1_000)
        file.write(bytes([byte ^ 4]))
    return tmp_path


def test_a_table_is_read_as_it_was_written(folder: Path) -> None:
    assert tables_in(folder) == ("3-3", "3-4", "4-3")
    stored = open_table(folder, "3-4")
    assert stored.header.census.longest_win == 33
    assert len(stored.table) == stored.header.entries
    assert not stored.table.flags.writeable


def test_a_damaged_table_is_reported_and_not_used(damaged: Path) -> None:
    with pytest.raises(DamagedTableError, match="checksum"):
        open_table(damaged, "4-3")
    with capture_logs() as logs:
        tablebase = TablebaseFolder(damaged).tablebase(GAME)
    assert tablebase is not None
    assert set(tablebase.tables) == {"3-3", "3-4"}
    assert [(entry["table"], entry["log_level"]) for entry in logs] == [("4-3", "warning")]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 2_000], ids=["empty", "cut short", "something else"])
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, content: bytes) -> None:
    path_of(tmp_path, "3-3").write_bytes(content)
    with pytest.raises(DamagedTableError):
        open_table(tmp_path, "3-3")


def test_a_table_under_the_name_of_another_is_refused(folder: Path, tmp_path: Path) -> None:
    path_of(tmp_path, "4-3").write_bytes(path_of(folder, "3-4").read_bytes())
    with pytest.raises(DamagedTableError, match="another table"):
        open_table(tmp_path, "4-3")


def test_tables_added_later_are_found_and_used(folder: Path, tmp_path: Path) -> None:
    tables = TablebaseFolder(tmp_path)
    assert tables.tablebase(GAME) is None
    path_of(tmp_path, "3-3").write_bytes(path_of(folder, "3-3").read_bytes())
    tablebase = tables.tablebase(GAME)
    assert tablebase is not None
    assert tables.tablebase(GAME) is tablebase
    assert tables.tablebase("mingmang") is None


def test_large_tables_are_checked_in_the_background(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablebase_folder, "LARGE_BYTES", 100_000)
    tables = TablebaseFolder(damaged, checks_in_background=True)
    with capture_logs() as logs:
        assert tables.tablebase(GAME) is None, "no table is small"
        for thread in threading.enumerate():
            if thread.name == tablebase_folder.CHECKING:
                thread.join(timeout=60)
    assert found_in(tables) == {"3-3", "3-4"}
    assert [entry["table"] for entry in logs] == ["4-3"]


def found_in(tables: TablebaseFolder) -> set[str]:
    tablebase = tables.tablebase(GAME)
    return set() if tablebase is None else set(tablebase.tables)


def test_another_folder_of_tables_can_be_served(tmp_path: Path) -> None:
    assert Settings(data_dir=tmp_path, tablebase=tmp_path / "elsewhere").tablebases_folder == tmp_path / "elsewhere"


def test_tables_of_an_earlier_version_are_still_used(folder: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert settings.tablebases_folder == tmp_path / "tablebases"
    earlier = tmp_path / "endings"
    earlier.mkdir()
    (earlier / "morris-3-3.endings").write_bytes(path_of(folder, "3-3").read_bytes())
    assert settings.tablebases_folder == earlier
    assert tables_in(earlier) == ("3-3",)
    assert has_table(earlier, "3-3")


def test_only_missing_or_damaged_tables_are_built(damaged: Path) -> None:
    checked: list[tuple[int, int]] = []
    assert missing_pairs(damaged, pairs_up_to((4, 4)), checked.append) == ((4, 3), (4, 4))
    assert checked == [(3, 3), (4, 3), (4, 4)]


def test_a_build_that_the_machine_has_no_room_for_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = needs_of(PAIRS)
    assert 4_000_000_000 < needs.memory < 6_000_000_000
    assert 9_000_000_000 < needs.disk < 10_000_000_000
    monkeypatch.setattr(build, "available_memory", lambda: needs.memory)
    with pytest.raises(TablebaseError, match=r"memory, and 5\.. GB are available"):
        refuse_unless_there_is_room(tmp_path / "new", needs)
    monkeypatch.setattr(build, "available_memory", lambda: needs.memory + needs.mapped)
    with pytest.raises(TablebaseError, match="Free some space"):
        refuse_unless_there_is_room(tmp_path / "new", needs._replace(disk=1 << 60))
    refuse_unless_there_is_room(tmp_path / "new", needs._replace(disk=0))


def test_a_table_with_two_bytes_for_each_entry_is_outdated(folder: Path, tmp_path: Path) -> None:
    content = path_of(folder, "3-3").read_bytes()
    header = content[:HEADER_BYTES].replace(b'"format":2', b'"format":1')
    path_of(tmp_path, "3-3").write_bytes(header + content[HEADER_BYTES:])
    assert has_table(tmp_path, "3-3")
    path_of(tmp_path, "3-3").write_bytes(header.replace(b'"width":1', b'"width":2') + content[HEADER_BYTES:])
    with pytest.raises(DamagedTableError, match="another version"):
        open_table(tmp_path, "3-3")
    assert missing_pairs(tmp_path, pairs_up_to((3, 3)), lambda _pair: None) == ((3, 3),)


def test_a_build_that_was_killed_continues(tmp_path: Path) -> None:
    arguments = ("tablebase", "build", "--up-to", "4-3", "--threads", "1", "--data-dir", str(tmp_path))
    killed = start(*arguments)
    assert killed.stdout is not None
    assert any(line.startswith("3-3:") for line in killed.stdout)
    os.killpg(killed.pid, signal.SIGKILL)
    finish(killed)
    folder = tmp_path / "tablebases"
    kept = path_of(folder, "3-3").stat().st_mtime_ns
    code, output = finish(start(*arguments))
    assert code == 0, output
    assert tables_in(folder) == ("3-3", "3-4", "4-3")
    assert path_of(folder, "3-3").stat().st_mtime_ns == kept


def test_verify_counts_again_and_finds_damage(folder: Path, damaged: Path, tmp_path: Path) -> None:
    code, output = run("tablebase", "verify", "--recount", "3-3", "--data-dir", str(folder.parent))
    assert code == 0, output
    assert "10,484,304" in output
    first, second = (line for line in output.splitlines() if line.endswith(" solver"))
    assert first.replace("the tables' solver", "a plain solver") == second
    (tmp_path / "tablebases").mkdir()
    for path in damaged.glob("*.tablebase"):
        path.rename(tmp_path / "tablebases" / path.name)
    code, output = run("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path))
    assert code == 1
    _titles, *lines, _more_titles, _first, _second, _fault, _states = output.splitlines()
    lines.append(_fault)
    assert [line.split()[0] for line in lines] == ["3-3", "3-4", "4-3"]
    assert "by moves" in lines[0]
    assert lines[1].endswith("not by its moves, which need 4-3")
    assert "4-3.tablebase is damaged" in lines[2]


def test_verify_shows_which_table_it_checks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    @contextmanager
    def status() -> Iterator[Callable[[str], None]]:
        yield shown.append

    for module in (tablebase_command, tablebase_recount):
        monkeypatch.setattr(module, "status_after_a_while", status)
    code, output = run("tablebase", "verify", "--recount", "3-3", "--data-dir", str(folder.parent))
    assert code == 0, output
    counted, checked, recounted = shown[:3], shown[3:6], shown[6:]
    for part, work in ((counted, "counting its results"), (checked, "checking entries by their moves and by search")):
        titles = [f"table {number} of 3, {name}: {work}" for number, name in enumerate(("3-3", "3-4", "4-3"), 1)]
        assert [text.partition(", about")[0] for text in part] == titles
    assert recounted == ["pair 1 of 1, 3-3: solving it by a plain solver"]
    assert all(re.search(r", about \d+ minutes left$", text) for text in counted[1:])


def test_verify_names_missing_tables_without_reporting_a_fault(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "tablebases").mkdir()
    path_of(tmp_path / "tablebases", "4-3").write_bytes(path_of(folder, "4-3").read_bytes())
    code, output = run("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path))
    assert code == 3
    _titles, line, states = output.splitlines()
    assert line.endswith("not by its moves, which need 3-4")
    assert states.startswith("760,398 states, symmetric ones once, of 8,904,593,601 without men in hand.")


def test_verify_reports_damage_when_no_table_is_good(tmp_path: Path) -> None:
    (tmp_path / "tablebases").mkdir()
    path_of(tmp_path / "tablebases", "3-3").write_bytes(b"nothing")
    code, output = run("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path))
    assert code == 1
    assert "is not a tablebase file" in output


def test_verify_finds_a_wrong_entry_in_an_undamaged_file(folder: Path, tmp_path: Path) -> None:
    table = open_table(folder, "3-3").table.copy()
    table[np.flatnonzero(table == DRAWN)] = LOST_NOW
    census = count_results(make_numbering(3), (3, 3), codes_of(table, len(table)))
    write_table(tmp_path / "tablebases", "3-3", table, census)
    code, output = run("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path))
    assert code == 1
    assert "contradicts its moves" in output


def test_only_abandoned_unfinished_files_are_removed(tmp_path: Path) -> None:
    left_behind, under_way = (tmp_path / f"morris-5-5.{process}.unfinished" for process in (11, 12))
    for path, written_at in ((left_behind, 1_000), (under_way, 9_000)):
        path.touch()
        os.utime(path, (written_at, written_at))
    clear_unfinished(tmp_path, now_seconds=9_030)
    assert list(tmp_path.iterdir()) == [under_way]


def test_prove_prints_the_value_of_a_position_with_men_in_hand(folder: Path) -> None:
    code, output = run("tablebase", "prove", "WW.......B.B............ w 1 2", "--data-dir", str(folder.parent))
    assert code == 0, output
    *answers, value = output.splitlines()
    assert len(answers) == 2
    assert value.startswith("The position is won for White: ")


def test_the_small_edition_is_made_and_compared(folder: Path, tmp_path: Path) -> None:
    options = ("--to", str(tmp_path), "--data-dir", str(folder.parent))
    code, output = run("tablebase", "compress", *options)
    assert code == 0, output
    assert set(small_tables_in(tmp_path)) == {"3-3", "3-4", "4-3"}
    code, output = run("tablebase", "verify-small", *options)
    assert code == 0, output
    assert output == "2,018,750 results of 3 tables are those of the full tables.\n"
    with small_path_of(tmp_path, "4-3").open("r+b") as file:
        file.seek(-9, os.SEEK_END)
        file.write(b"nonsense")
    small_path_of(tmp_path, "3-3").unlink()
    code, output = run("tablebase", "verify-small", *options)
    assert code == 1
    assert "morris-3-3.results is missing" in output
    assert "morris-4-3.results is damaged" in output


def test_tables_up_to_four_men_each_are_built_verified_and_compressed(tmp_path: Path) -> None:
    data, small = ("--data-dir", str(tmp_path / "data")), ("--to", str(tmp_path / "small"))
    code, output = run("tablebase", "build", "--up-to", "4-4", *data)
    assert code == 0, output
    code, output = run("tablebase", "verify", "--recount", "3-3", *data)
    assert code == 0, output
    assert "4,916,019 states, symmetric ones once" in output
    code, output = run("tablebase", "compress", *small, *data)
    assert code == 0, output
    code, output = run("tablebase", "verify-small", *small, *data)
    assert code == 0, output
    assert output.endswith(" results of 4 tables are those of the full tables.\n")


@pytest.mark.slow
def test_a_plain_solver_counts_as_many_results_in_tables_up_to_four_men_each(tmp_path: Path) -> None:
    for pair in pairs_up_to((4, 4)):
        solve_and_write(tmp_path, pair, threads=1)
    for men, counts in recount((4, 4)).items():
        assert counts == recount_of(open_table(tmp_path, table_name(*men)).header.census)


def test_probe_prints_the_result_of_a_position_and_the_best_moves(folder: Path) -> None:
    code, output = run("tablebase", "probe", LONGEST_WIN, "--data-dir", str(folder.parent))
    assert code == 0, output
    first, *moves = output.splitlines()
    assert first == "won in 33 plies"
    assert [line.split()[1] for line in moves if line.startswith("*")] == [LONGEST_WIN_MOVE]


def test_probe_reports_draws_by_quiet_plies_that_are_certain_or_possible(folder: Path) -> None:
    for position, words in (
        ("WWW..B..............B.B. w 0 0 95", "won in 5 plies"),
        ("WWW..B..............B.B. w 0 0 96", "drawn"),
        (f"{LONGEST_WIN} 67", "won in 33 plies"),
        (f"{LONGEST_WIN} 68", "won in 33 plies, unless 32 more quiet plies draw the match first"),
    ):
        code, output = run("tablebase", "probe", position, "--data-dir", str(folder.parent))
        assert code == 0, output
        assert output.splitlines()[0] == words


def test_the_engine_plays_by_the_tablebase_and_prints_the_whole_line(folder: Path) -> None:
    lines = f"position text {LONGEST_WIN}\ngo depth 3\n"
    command = [sys.executable, "-m", "millrace.server.cli", "engine", "morris", "--data-dir", str(folder.parent)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT, check=True)
    info, best = done.stdout.splitlines()
    assert info.startswith("info depth 33 seldepth 33 score mate 17 ")
    assert len(info.partition(" pv ")[2].split()) == 33
    assert best.startswith(f"bestmove {LONGEST_WIN_MOVE} ponder ")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("probe", "WWWWW....BBBBB.......... w 0 0"), 1, "No table contains this position"),
        (("probe", "nonsense"), 2, "24 points"),
        (("build", "--up-to", "2-9"), 2, "3 to 9 men"),
        (("build", "--up-to", "much"), 2, "named like 5-4"),
        (("verify",), 1, "no tablebases"),
        (("prove",), 1, "needs 49 tables, and 49 are missing: 3-3, 3-4"),
        (("prove", "nonsense"), 2, "24 points"),
        (("prove", "WWWWW....BBBBB.......... w 0 0"), 1, "no men in hand"),
    ],
)
def test_errors_are_reported_in_one_line(tmp_path: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    ended, output = run("tablebase", *arguments, "--data-dir", str(tmp_path))
    assert ended == code
    assert words in output
    assert len(output.splitlines()) == 1


@pytest.fixture
async def bots(folder: Path) -> AsyncIterator[BotPool]:
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


def test_probe_prints_results_by_the_small_edition(folder: Path, tmp_path: Path) -> None:
    for table in tables_in(folder):
        write_small_table(tmp_path / "tablebases", open_table(folder, table))
    code, output = run("tablebase", "probe", LONGEST_WIN, "--data-dir", str(tmp_path))
    assert code == 0, output
    first, *moves = output.splitlines()
    assert first == "won"
    assert [line.split()[1] for line in moves if line.startswith("*")] == [LONGEST_WIN_MOVE]
    code, output = run("tablebase", "probe", "WW.......B.B............ w 1 2", "--data-dir", str(tmp_path))
    assert code == 0, output
    assert output.startswith("won\n"), "proved, since few men are in hand"


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
