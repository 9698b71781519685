"""Opening books as files: built by the command, continued after an interrupt, displayed, ignored when damaged."""

import os
import signal
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from millrace.engine.book.book import Book, BookError, Recipe
from millrace.engine.book.growth import ROUND, add_round, plan_round, play_match
from millrace.engine.book.position_scoring import ScoredPosition, add_scored, back_up, score_position, scoring_tasks
from millrace.engine.book.text import format_book
from millrace.engine.games import find_game
from millrace.server.bots.books.book_files import BookLibrary, path_of, read_book, shipped_book, write_book
from tests.commands import finish, output_of, run, start

MORRIS = find_game("morris")
RECIPE = Recipe(seed=3, nodes=300, match_nodes=50, deepest=5)
SETTINGS = ("--seed", "3", "--nodes", "300", "--match-nodes", "50", "--deepest", "5")


def grown_here(rounds: int) -> Book:
    """Return the book that the command grows with `SETTINGS`, grown in this process."""
    book = Book(MORRIS, RECIPE)
    for _ in range(rounds):
        add_round(book, [play_match(MORRIS, RECIPE, task) for task in plan_round(book)])
        for question in scoring_tasks(book):
            add_scored(book, score_position(MORRIS, RECIPE, question))
        back_up(book)
    return book


@pytest.fixture(scope="module")
def grown() -> Book:
    return grown_here(2)


@pytest.mark.slow
@pytest.mark.usefixtures("processes")
def test_an_interrupted_build_continues_to_the_same_book_with_any_number_of_processes(
    tmp_path: Path,
) -> None:
    path = path_of(tmp_path / "books", "morris")
    arguments = ("book", "build", "morris", *SETTINGS, "--data-dir", str(tmp_path))
    growing = start(*arguments, "--matches", "100000", "--processes", "1")
    assert growing.stdout is not None
    assert growing.stdout.readline().startswith(f"{ROUND:>9} matches, most often ")
    os.killpg(growing.pid, signal.SIGINT)
    code, output = finish(growing)
    assert code == 130
    assert "again to continue" in output
    kept = read_book(path, MORRIS)
    assert ROUND <= kept.matches < 100_000
    code, output = finish(start(*arguments, "--matches", str(kept.matches + ROUND), "--processes", "2"))
    assert code == 0, output
    assert f"{kept.matches + ROUND} matches, {ROUND} of them in" in output
    assert path.read_text() == format_book(grown_here(kept.matches // ROUND + 1))
    assert list(path.parent.iterdir()) == [path], "nothing else is left behind"


@pytest.mark.usefixtures("processes")
def test_a_book_of_four_matches_is_built_from_four_matches(tmp_path: Path) -> None:
    file = tmp_path / "small.book"
    arguments = ("book", "build", "morris", *SETTINGS, "--file", str(file), "--processes", "1")
    output = output_of(*arguments, "--matches", "4")
    assert "4 matches, 4 of them in" in output
    assert read_book(file, MORRIS).matches == 4
    assert "6 matches, 2 of them in" in run(*arguments, "--matches", "6")[1]


def test_continuing_with_other_settings_is_refused(grown: Book, tmp_path: Path) -> None:
    file = tmp_path / "my.book"
    write_book(file, grown)
    output = output_of("book", "build", "morris", "--file", str(file), "--nodes", "7", code=2)
    assert "--seed 3 --nodes 300 --match-nodes 50 --deepest 5" in output
    assert read_book(file, MORRIS).matches == grown.matches


def test_show_prints_the_results_of_each_move(grown: Book, tmp_path: Path) -> None:
    many = Book(MORRIS, RECIPE)
    for _ in range(9):
        many.add(("d6", "f4"), 2)
    add_scored(many, ScoredPosition((), (("d6", 0.4567),)))
    many.matches = 10**9
    path = path_of(tmp_path / "books", "morris")
    write_book(path, many)
    output = output_of("book", "show", "morris", "--data-dir", str(tmp_path))
    assert output_of("book", "show", "morris", "--file", str(path)) == output
    assert "There is no file" in output_of("book", "show", "morris", "--file", str(tmp_path / "other"), code=1)
    matches, score, worth, *moves = output.split()
    assert (matches, score, worth, sorted(moves)) == ("9", "54.0%", "45.7%", ["b4", "d2", "d6", "f4"])
    output = output_of("book", "show", "morris", "a1", "a4", "--data-dir", str(tmp_path), code=1)
    assert "is not in the opening book" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "morris", "z9"), "is not a move"),
        (("show", "chess"), "no game called 'chess'"),
        (("build", "chess"), "no game called 'chess'"),
    ],
)
def test_impossible_requests_are_refused_in_one_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    output = output_of("book", *arguments, "--data-dir", str(tmp_path), code=2)
    assert words in output
    assert len(output.splitlines()) == 1


def test_a_damaged_book_is_reported_and_not_used(grown: Book, tmp_path: Path) -> None:
    path = path_of(tmp_path, "morris")
    write_book(path, grown)
    header, _, lines = path.read_text().partition("\n")
    path.write_text(f"{header}\n{lines.replace(' 1 ', ' 2 ', 1)}")
    with pytest.raises(BookError, match=r"morris.book: .*checksum"):
        read_book(path, MORRIS)
    with capture_logs() as logs:
        book = BookLibrary(tmp_path).book("morris")
    shipped = shipped_book(MORRIS)
    assert (book and book.matches) == (shipped and shipped.matches)
    assert [(entry["game"], entry["log_level"]) for entry in logs] == [("morris", "warning")]


def test_a_book_built_here_is_used_once_it_is_larger_and_not_empty(grown: Book, tmp_path: Path) -> None:
    large = Book(MORRIS, RECIPE, 10**9, grown.nodes)
    unweighed = Book(MORRIS, RECIPE, 10**9)
    for book, is_used in ((Book(MORRIS, RECIPE, 0), False), (unweighed, False), (large, True)):
        write_book(path_of(tmp_path, "morris"), book)
        shipped = shipped_book(MORRIS)
        used = BookLibrary(tmp_path).book("morris")
        assert used is not None
        assert (used.matches == book.matches) == (is_used or shipped is None)
