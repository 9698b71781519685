"""`millrace tablebase`: builds in order, goes on after a kill, verifies, proves, probes and compresses."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from millrace.engine.games.morris.tablebase_index import make_numbering, table_name
from millrace.engine.tablebase.codes import DRAWN, LOST_NOW
from millrace.engine.tablebase.independent_solver import recount
from millrace.engine.tablebase.pairs import PAIRS, pairs_up_to, usual_seconds
from millrace.engine.tablebase.tables import codes_of
from millrace.engine.tablebase.verification import count_results
from millrace.server.app.commands import tablebase as tablebase_command
from millrace.server.app.commands import tablebase_recount
from millrace.server.app.commands.tablebase_recount import recount_of
from millrace.server.bots.tablebases import build
from millrace.server.bots.tablebases.build import missing_pairs, needs_of, refuse_unless_there_is_room, solve_and_write
from millrace.server.bots.tablebases.small_files import small_path_of, small_tables_in, write_small_table
from millrace.server.bots.tablebases.table_files import (
    TablebaseError,
    open_table,
    path_of,
    tables_in,
    write_table,
)
from tests.commands import finish, output_of, start
from tests.server.bots.tablebases.longest_win import LONGEST_WIN, LONGEST_WIN_MOVE


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


@pytest.mark.usefixtures("processes")
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


def test_the_time_left_of_a_build_follows_from_the_pairs_after_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 0.0

    def solve(_folder: Path, pair: tuple[int, int], *_arguments: object) -> None:
        nonlocal now_s
        now_s += 60.0 if pair == (3, 3) else 2 * usual_seconds([pair])

    monkeypatch.setattr(tablebase_command, "solve_and_write", solve)
    monkeypatch.setattr(tablebase_command, "perf_counter", lambda: now_s)
    monkeypatch.setattr(tablebase_command, "refuse_unless_there_is_room", lambda _folder, _needs: None)
    output = output_of("tablebase", "build", "--up-to", "8-7", "--threads", "1", "--data-dir", str(tmp_path))
    left = [line.partition("in all, about ")[2] for line in output.splitlines() if " s in all" in line]
    assert left[0] == ""
    whole = 2 * usual_seconds(pairs_up_to((8, 7))[1:]) / 60
    assert [float(each.split()[0]) for each in left[1:3]] == pytest.approx([whole] * 2, abs=0.6)
    assert left[-1] == ""


def test_an_interrupted_build_says_how_to_continue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tablebase_command, "solve_and_write", interrupt)
    output = output_of("tablebase", "build", "--up-to", "3-3", "--data-dir", str(tmp_path), code=130)
    assert output.endswith("Interrupted. Run the same command again to continue; finished pairs are kept.\n")


@pytest.mark.slow
def test_verify_counts_again_and_finds_damage(folder: Path, damaged: Path, tmp_path: Path) -> None:
    output = output_of("tablebase", "verify", "--recount", "3-3", "--data-dir", str(folder.parent))
    assert "10,484,304" in output
    first, second = (line for line in output.splitlines() if line.endswith(" solver"))
    assert first.replace("the tables' solver", "a plain solver") == second
    (tmp_path / "tablebases").mkdir()
    for path in damaged.glob("*.tablebase"):
        path.rename(tmp_path / "tablebases" / path.name)
    output = output_of("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path), code=1)
    _titles, *lines, _more_titles, _first, _second, _fault, _states = output.splitlines()
    lines.append(_fault)
    assert [line.split()[0] for line in lines] == ["3-3", "3-4", "4-3"]
    assert "by moves" in lines[0]
    assert lines[1].endswith("not by its moves, which need 4-3")
    assert "4-3.tablebase is damaged" in lines[2]


@pytest.mark.slow
def test_verify_shows_which_table_it_checks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    @contextmanager
    def status() -> Iterator[Callable[[str], None]]:
        yield shown.append

    for module in (tablebase_command, tablebase_recount):
        monkeypatch.setattr(module, "status_after_a_while", status)
    output_of("tablebase", "verify", "--recount", "3-3", "--data-dir", str(folder.parent))
    counted, checked, recounted = shown[:3], shown[3:6], shown[6:]
    for part, work in ((counted, "counting its results"), (checked, "checking entries by their moves and by search")):
        titles = [f"table {number} of 3, {name}: {work}" for number, name in enumerate(("3-3", "3-4", "4-3"), 1)]
        assert [text.partition(", about")[0] for text in part] == titles
    assert recounted == ["pair 1 of 1, 3-3: solving it by a plain solver"]
    assert all(re.search(r", about \d+ minutes left$", text) for text in counted[1:])


def test_verify_names_missing_tables_without_reporting_a_fault(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "tablebases").mkdir()
    path_of(tmp_path / "tablebases", "4-3").write_bytes(path_of(folder, "4-3").read_bytes())
    output = output_of("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path), code=3)
    _titles, line, states = output.splitlines()
    assert line.endswith("not by its moves, which need 3-4")
    assert states.startswith("760,398 states, symmetric ones once, of 8,904,593,601 without men in hand.")


def test_verify_reports_damage_when_no_table_is_good(tmp_path: Path) -> None:
    (tmp_path / "tablebases").mkdir()
    path_of(tmp_path / "tablebases", "3-3").write_bytes(b"nothing")
    output = output_of("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path), code=1)
    assert "is not a tablebase file" in output


@pytest.mark.slow
def test_verify_finds_a_wrong_entry_in_an_undamaged_file(folder: Path, tmp_path: Path) -> None:
    table = open_table(folder, "3-3").table.copy()
    table[np.flatnonzero(table == DRAWN)] = LOST_NOW
    census = count_results(make_numbering(3), (3, 3), codes_of(table, len(table)))
    write_table(tmp_path / "tablebases", "3-3", table, census)
    output = output_of("tablebase", "verify", "--recount", "3-3", "--data-dir", str(tmp_path), code=1)
    assert "contradicts its moves" in output


def test_prove_prints_the_value_of_a_position_with_men_in_hand(folder: Path) -> None:
    output = output_of("tablebase", "prove", "WW.......B.B............ w 1 2", "--data-dir", str(folder.parent))
    *answers, value = output.splitlines()
    assert len(answers) == 2
    assert value.startswith("The position is won for White: ")


def test_the_small_edition_is_made_and_compared(folder: Path, tmp_path: Path) -> None:
    options = ("--to", str(tmp_path), "--data-dir", str(folder.parent))
    output = output_of("tablebase", "compress", *options)
    assert set(small_tables_in(tmp_path)) == {"3-3", "3-4", "4-3"}
    output = output_of("tablebase", "verify-small", *options)
    assert output == "2,018,750 results of 3 tables are those of the full tables.\n"
    with small_path_of(tmp_path, "4-3").open("r+b") as file:
        file.seek(-9, os.SEEK_END)
        file.write(b"nonsense")
    small_path_of(tmp_path, "3-3").unlink()
    output = output_of("tablebase", "verify-small", *options, code=1)
    assert "morris-3-3.results is missing" in output
    assert "morris-4-3.results is damaged" in output


def test_tables_up_to_four_men_each_are_built_verified_and_compressed(tmp_path: Path) -> None:
    data, small = ("--data-dir", str(tmp_path / "data")), ("--to", str(tmp_path / "small"))
    output_of("tablebase", "build", "--up-to", "4-4", *data)
    assert "4,916,019 states, symmetric ones once" in output_of("tablebase", "verify", "--recount", "3-3", *data)
    output_of("tablebase", "compress", *small, *data)
    output = output_of("tablebase", "verify-small", *small, *data)
    assert output.endswith(" results of 4 tables are those of the full tables.\n")


@pytest.mark.slow
def test_a_plain_solver_counts_as_many_results_in_tables_up_to_four_men_each(tmp_path: Path) -> None:
    for pair in pairs_up_to((4, 4)):
        solve_and_write(tmp_path, pair, threads=1)
    for men, counts in recount((4, 4)).items():
        assert counts == recount_of(open_table(tmp_path, table_name(*men)).header.census)


def test_probe_prints_the_result_of_a_position_and_the_best_moves(folder: Path) -> None:
    output = output_of("tablebase", "probe", LONGEST_WIN, "--data-dir", str(folder.parent))
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
        output = output_of("tablebase", "probe", position, "--data-dir", str(folder.parent))
        assert output.splitlines()[0] == words


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
    output = output_of("tablebase", *arguments, "--data-dir", str(tmp_path), code=code)
    assert words in output
    assert len(output.splitlines()) == 1


def test_probe_prints_results_by_the_small_edition(folder: Path, tmp_path: Path) -> None:
    for table in tables_in(folder):
        write_small_table(tmp_path / "tablebases", open_table(folder, table))
    output = output_of("tablebase", "probe", LONGEST_WIN, "--data-dir", str(tmp_path))
    first, *moves = output.splitlines()
    assert first == "won"
    assert [line.split()[1] for line in moves if line.startswith("*")] == [LONGEST_WIN_MOVE]
    output = output_of("tablebase", "probe", "WW.......B.B............ w 1 2", "--data-dir", str(tmp_path))
    assert output.startswith("won\n"), "proved, since few men are in hand"
