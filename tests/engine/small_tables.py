"""The smallest tables of Nine Men's Morris, solved within the test's process."""

from collections.abc import Mapping

from millrace.engine.game import TableBytes
from millrace.engine.games.morris.tablebase_index import make_numbering
from millrace.engine.tablebase.pairs import tables_of
from millrace.engine.tablebase.result_coding import compress
from millrace.engine.tablebase.retrograde_analysis import PairSolver
from millrace.engine.tablebase.tables import NO_CODES, codes_of


def solve_small_tables() -> dict[str, TableBytes]:
    """Return the tables of 3-3, 4-3, 3-4 and 4-4, by name."""
    numbering = make_numbering(4)
    tables: dict[str, TableBytes] = {}
    for men in ((3, 3), (4, 3), (4, 4)):
        below = [tables.get(f"{second - 1}-{first}") for first, second in (men, men[::-1])]
        first, second = (NO_CODES if table is None else codes_of(table, len(table)) for table in below)
        solver = PairSolver(numbering, men, (first, second))
        for _step in solver.steps():
            pass
        tables |= dict(zip(tables_of(men), solver.tables(), strict=True))
    return tables


def compress_all(tables: Mapping[str, TableBytes]) -> dict[str, TableBytes]:
    """Return the small edition of some tables, by name."""
    return {name: compress(codes_of(table, len(table))) for name, table in tables.items()}
