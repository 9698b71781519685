"""The smallest tables of Nine Men's Morris, solved within the test's process, and published counts of them."""

import random
from collections.abc import Iterator, Mapping

from millrace.engine.game import TableBytes
from millrace.engine.games import find_game
from millrace.engine.games.morris.points import POINTS
from millrace.engine.games.morris.tablebase_index import Numbering, make_numbering
from millrace.engine.state import State
from millrace.engine.tablebase.pairs import Pair, tables_of
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.result_coding import compress
from millrace.engine.tablebase.retrograde_analysis import PairSolver
from millrace.engine.tablebase.tables import NO_CODES, codes_of
from millrace.engine.tablebase.verdicts import verdicts_on
from millrace.engine.tablebase.verification import ResultCounts, position_of

MORRIS = find_game("morris")
QUIET_LIMIT = 100
"""The number of quiet plies in a row after which a match is drawn."""

Solved = Mapping[tuple[int, int], TableBytes]
"""Tables by the men of the side to move and of the other side."""

TRUTHS = {
    (3, 3): ResultCounts(2_232_160, 4_112, 455_648, 140_621, 269, 28_736, 25, 26),
    (4, 3): ResultCounts(1_201_560, 10_863_360, 48_720, 75_397, 681_906, 3_095, 1, 32),
    (3, 4): ResultCounts(1_629_336, 10_484_304, 0, 102_281, 658_117, 0, 33, 0),
}
"""The counts of a solver written apart, which agreed with Malom's databases on 60,000 random positions."""


def solve_small_tables() -> dict[str, TableBytes]:
    """Return the tables of 3-3, 4-3, 3-4 and 4-4, by name."""
    numbering = make_numbering(4)
    tables: dict[str, TableBytes] = {}
    for men in ((3, 3), (4, 3), (4, 4)):
        tables |= solve_pair(numbering, men, tables)
    return tables


def solve_pair(
    numbering: Numbering, men: Pair, tables: Mapping[str, TableBytes], threads: int = 2
) -> dict[str, TableBytes]:
    """Return the tables of a pair, by name, from those that captures lead to."""
    below = [tables.get(f"{second - 1}-{first}") for first, second in (men, men[::-1])]
    first, second = (NO_CODES if table is None else codes_of(table, len(table)) for table in below)
    solver = PairSolver(numbering, men, (first, second), threads)
    for _step in solver.steps():
        pass
    return dict(zip(tables_of(men), solver.tables(), strict=True))


def compress_all(tables: Mapping[str, TableBytes]) -> dict[str, TableBytes]:
    """Return the small edition of some tables, by name."""
    return {name: compress(codes_of(table, len(table))) for name, table in tables.items()}


def state_of(numbering: Numbering, men: tuple[int, int], entry: int, quiet_plies: int = 0) -> State:
    """Return the position of an entry in the table of some men."""
    start = MORRIS.texts.parse_setup("")
    return State.of(MORRIS, MORRIS.texts.format_position(start, position_of(numbering, men, entry), 0, quiet_plies))


def placements(seed: int) -> Iterator[State]:
    """Yield random positions of three or four men each, without men in hand, in which play continues."""
    chance = random.Random(seed)
    while True:
        mover, opponent = chance.choice([(3, 3), (4, 3), (3, 4), (4, 4)])
        points = chance.sample(range(POINTS), mover + opponent)
        letters = ["W" if point in points[:mover] else "B" if point in points else "." for point in range(POINTS)]
        state = State.of(MORRIS, f"{''.join(letters)} w 0 0")
        if state.outcome is None:
            yield state


def spoilable(tablebase: Tablebase, *results: int) -> Iterator[tuple[State, dict[int, int]]]:
    """Yield such positions with these results, in which some moves give the result away; with what each move leaves."""
    for state in placements(seed=3):
        verdicts = verdicts_on(tablebase, state)
        kept = {move: verdict.result for move, verdict in verdicts.moves.items()}
        if verdicts.state is not None and verdicts.state.result in results and len(set(kept.values())) > 1:
            yield state, kept
