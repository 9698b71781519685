"""The smallest tables, solved once for all tests, which do not change them."""

import pytest

from millrace.engine.game import TableBytes
from millrace.engine.games.morris.tablebase_index import Numbering, make_numbering, men_of, table_name
from millrace.engine.tablebase.morris_results import MorrisResults
from millrace.engine.tablebase.probing import Tablebase
from tests.engine.tablebase.small_tables import MORRIS, Solved, compress_all, solve_small_tables


@pytest.fixture(scope="session")
def numbering() -> Numbering:
    return make_numbering(4)


@pytest.fixture(scope="session")
def solved() -> Solved:
    return {men_of(name): table for name, table in solve_small_tables().items()}


@pytest.fixture(scope="session")
def tablebase(solved: Solved) -> Tablebase:
    """The tables with at most seven men."""
    return Tablebase(MORRIS, {table_name(*men): table for men, table in solved.items() if men != (4, 4)})


@pytest.fixture(scope="session")
def tables(solved: Solved) -> dict[str, TableBytes]:
    """The same tables and 4-4, by name."""
    return {table_name(*men): table for men, table in solved.items()}


@pytest.fixture(scope="session")
def full(tables: dict[str, TableBytes]) -> Tablebase:
    """All of them, 4-4 too."""
    return Tablebase(MORRIS, tables)


@pytest.fixture(scope="session")
def small_edition(tables: dict[str, TableBytes]) -> Tablebase:
    """The results of all of them, without distances."""
    return Tablebase(MORRIS, {}, MorrisResults({}, compress_all(tables)))
