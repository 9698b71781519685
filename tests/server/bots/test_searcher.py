"""The searcher: which position it ponders, and for which matches it keeps a transposition table."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from millrace.engine.book.book import Book
from millrace.engine.game import IllegalMoveError
from millrace.engine.games import find_game
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import Analysis
from millrace.engine.state import State
from millrace.engine.transposition_table import TranspositionTable
from millrace.server.bots import searcher as module
from millrace.server.bots.books.book_files import path_of, write_book
from millrace.server.bots.requests import BotRequest, EngineFolders
from millrace.server.bots.schedule import TABLES_KEPT
from millrace.server.bots.searcher import Searcher

STRONGEST = 8
OVER = "WWW.......BB............ b 0 0"
"""Black has lost: two men are left."""


class Search(NamedTuple):
    state: State
    table: TranspositionTable | None
    found: Analysis
    options: dict[str, Any]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Search]:
    """What was searched, each search for as long as its limits allow."""
    searches: list[Search] = []

    def analyse(state: State, *arguments: Any, **options: Any) -> Analysis:
        found = analyse_at_level(state, *arguments, **options)
        searches.append(Search(state, options.get("table"), found, options))
        return found

    monkeypatch.setattr(module, "analyse_at_level", analyse)
    return searches


@pytest.fixture
def searcher() -> Searcher:
    return Searcher(lambda: False, None)


@pytest.fixture
def searcher_with_book(tmp_path: Path) -> Searcher:
    """A searcher with a book of one first move, up to symmetry."""
    book = Book(find_game("morris"))
    book.add(("b6",), 2)
    (tally,) = book.node_at(State.of(book.game)).values()
    book.matches, tally.expected_score = 10**9, 0.5
    write_book(path_of(tmp_path, "morris"), book)
    return Searcher(lambda: False, EngineFolders(tablebases=tmp_path, books=tmp_path))


def request(
    moves: tuple[str, ...] = (), table: str = "m 0", level: int | str = STRONGEST, game: str = "morris", setup: str = ""
) -> BotRequest:
    return BotRequest(game, setup, moves, level, seed=1, movetime_ms=20, table=table)


@pytest.mark.parametrize("level", [STRONGEST, "timekeeper"])
def test_pondering_and_choosing_share_the_table_of_a_match(
    searcher: Searcher, searches: list[Search], level: int | str
) -> None:
    move = searcher.choose(request(level=level))
    searcher.ponder(request((move,)))
    searcher.choose(request((move, "a7" if move != "a7" else "d7"), level=level))
    assert [len(search.state.move_texts) for search in searches] == [0, 1, 2]
    assert searches[0].table is not None
    assert searches[0].table is searches[1].table is searches[2].table


def test_it_does_not_ponder_a_finished_match(searcher: Searcher, searches: list[Search]) -> None:
    searcher.ponder(request(setup=OVER))
    assert not searches


def test_it_keeps_a_few_tables_and_drops_the_least_recently_used(searcher: Searcher, searches: list[Search]) -> None:
    for number in [*range(TABLES_KEPT), 0, TABLES_KEPT, 0, 1]:
        searcher.choose(request(table=str(number)))
    tables = [search.table for search in searches]
    first, second, again, new, once_more, second_again = (0, 1, TABLES_KEPT, TABLES_KEPT + 1, -2, -1)
    assert tables[first] is tables[again] is tables[once_more]
    assert tables[second] is not tables[second_again]
    assert all(tables[new] is not table for table in tables[:TABLES_KEPT])


def test_it_searches_with_the_requested_threads_and_time(searcher: Searcher, searches: list[Search]) -> None:
    searcher.choose(replace(request(), threads=2, soft_ms=5.0))
    assert (searches[0].options["threads"], searches[0].options["soft_ms"]) == (2, 5.0)


def test_a_draw_costs_the_bot_its_penalty_in_the_opponents_time_too(searcher: Searcher, searches: list[Search]) -> None:
    asked = replace(request(), draw_penalty=15)
    searcher.choose(asked)
    searcher.ponder(asked)
    assert [search.options["draw_penalty"] for search in searches] == [15, -15]


def test_weaker_levels_keep_no_table(searcher: Searcher, searches: list[Search]) -> None:
    searcher.choose(request(level=3))
    assert searches[0].table is None


def test_an_analysis_reuses_its_table_and_reports_whether_it_was_cut() -> None:
    stops = iter([False] * 3 + [True] * 1_000_000)
    cut = Searcher(lambda: next(stops), None).analyse(replace(request(), movetime_ms=60_000))
    assert cut.is_cut
    whole = Searcher(lambda: False, None)
    first = whole.analyse(replace(request(), movetime_ms=None, nodes=50_000, variations=2))
    again = whole.analyse(replace(request(), movetime_ms=None, nodes=50_000, variations=2))
    assert not first.is_cut
    assert len(first.best) == 2
    assert again.depth >= first.depth
    assert whole.look_up(request()).tables == ()


def test_a_table_is_not_used_after_the_board_changes(searcher: Searcher, searches: list[Search]) -> None:
    """The seats lay the pasture tile by tile; then the match goes on upon it."""
    moves: tuple[str, ...] = ()
    for _ in range(9):
        moves = (*moves, searcher.choose(request(moves, game="battlesheep", setup="opening=tiles")))
    laying, on_pasture = searches[0], searches[-1]
    assert laying.state.start is not on_pasture.state.start
    assert laying.table is not on_pasture.table
    assert searches[1].table is laying.table


def test_a_finished_match_has_no_move_to_choose(searcher: Searcher) -> None:
    with pytest.raises(IllegalMoveError):
        searcher.choose(request(setup=OVER))


def test_the_strongest_level_plays_the_book_without_a_search(
    searcher_with_book: Searcher, searches: list[Search]
) -> None:
    assert searcher_with_book.choose(request()) in {"b2", "b6", "f2", "f6"}
    assert not searches
    searcher_with_book.choose(request(moves=("d6",)))
    searcher_with_book.choose(request(level=5))
    assert [search.state.move_texts for search in searches] == [("d6",), ()]
