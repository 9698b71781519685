"""A bot's mind: it chooses, values and ponders, and remembers what it has learnt of a few matches.

It knows nothing of processes: it is told when to stop by a function.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from millrace.engine.analysis import Analysis, Comparison, Limits, compare_moves
from millrace.engine.book.move_choice import choose_book_move
from millrace.engine.game import IllegalMoveError
from millrace.engine.game.skill import STRONGEST
from millrace.engine.games import find_game
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State
from millrace.engine.tablebase.codes import DRAWN, is_won, plies_of
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.transposition_table import TranspositionTable, new_table

from ..books.book_files import Bookcase
from ..tablebases.table_files import Shelf
from .requests import BotRequest, Finding, Findings, Knowledge, Solved, SolvedEnding
from .schedule import TABLES_KEPT


@dataclass(slots=True)
class _Memory:
    """What was learnt of a match from one seat."""

    table: TranspositionTable
    board_from_ply: int
    """The board on which it was learnt is played on from here: of another one the table's keys know nothing."""


class Mind:
    """Thinks about one request at a time, with a memory of at most `TABLES_KEPT` tables."""

    def __init__(self, should_stop: Callable[[], bool], knowledge: Knowledge | None) -> None:
        self._should_stop = should_stop
        self._endings = None if knowledge is None else Shelf(knowledge.endings)
        self._books = None if knowledge is None else Bookcase(knowledge.books)
        self._memories: OrderedDict[str, _Memory] = OrderedDict()

    def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: EngineError for a request that makes no sense."""
        state = _state_of(request)
        known = self._known_move(request, state)
        if known is not None:
            return known
        memory = self._memory_of(request, state)
        found = self._analyse(request, state, memory)
        if found.best_move is None:
            raise IllegalMoveError("The match is over; there is no move to choose.")
        return found.best_move

    def evaluate(self, request: BotRequest) -> int:
        """Return what a position is worth to the seat to move. Raises: EngineError for a request that makes no sense.

        It is the view of a level, which knows no solved endings.
        """
        state = _state_of(request)
        return analyse_at_level(
            state, request.level, request.seed, time.perf_counter, request.movetime_ms, should_stop=self._should_stop
        ).value

    def analyse(self, request: BotRequest) -> Findings:
        """Return what the strongest level finds without its errors, and whether it had to end early.

        Raises: EngineError for a request that makes no sense.
        """
        state = _state_of(request)
        memory = self._memory_of(request, state)
        stopped = False

        def should_stop() -> bool:
            nonlocal stopped
            stopped = stopped or self._should_stop()
            return stopped

        began = time.perf_counter()
        compared = compare_moves(
            state,
            Limits(nodes=request.nodes, movetime_ms=request.movetime_ms),
            time.perf_counter,
            variations=request.variations,
            also=request.also,
            should_stop=should_stop,
            table=None if memory is None else memory.table,
            tablebase=self._tablebase(request.game),
        )
        elapsed_ms = (time.perf_counter() - began) * 1000
        is_late = request.movetime_ms is not None and elapsed_ms >= request.movetime_ms
        return _findings(compared, elapsed_ms, is_cut=stopped or is_late)

    def look_up(self, request: BotRequest) -> SolvedEnding:
        """Return what solved endings tell of a position. Raises: EngineError for a request that makes no sense."""
        tablebase = self._tablebase(request.game)
        return SolvedEnding((), None, ()) if tablebase is None else _looked_up(tablebase, _state_of(request))

    def ponder(self, request: BotRequest) -> None:
        """Fill the table of a match with the position in which the opponent is to move.

        That spares the next search about as much as the position after the reply that is expected, and needs no guess:
        the next takes 31% of the nodes against 34% in Nine Men's Morris, 80% against 84% in Ming Mang, 43% against 39%
        in Battle Sheep (`python -m benchmarks.pondering`).
        Raises: EngineError for a request that makes no sense.
        """
        state = _state_of(request)
        if state.outcome is None:
            self._analyse(request, state, self._memory_of(request, state))

    def _known_move(self, request: BotRequest, state: State) -> str | None:
        """Return a move of the opening book: for the strongest level, since a weaker one has it still to learn."""
        if self._books is None or request.level != STRONGEST_LEVEL:
            return None
        book = self._books.book(request.game)
        move = None if book is None else choose_book_move(book, state, request.seed)
        return None if move is None else state.format_move(move)

    def _analyse(self, request: BotRequest, state: State, memory: _Memory | None) -> Analysis:
        knows_endings = self._endings is not None and request.level == STRONGEST_LEVEL
        return analyse_at_level(
            state,
            request.level,
            request.seed,
            time.perf_counter,
            request.movetime_ms,
            self._endings.tablebase(request.game) if self._endings is not None and knows_endings else None,
            soft_ms=request.soft_ms,
            should_stop=self._should_stop,
            threads=request.threads,
            table=None if memory is None else memory.table,
        )

    def _tablebase(self, game: str) -> Tablebase | None:
        return None if self._endings is None else self._endings.tablebase(game)

    def _memory_of(self, request: BotRequest, state: State) -> _Memory | None:
        """Return what is known of the request's match, forgetting the one that was asked about longest ago."""
        if not request.table or request.level != STRONGEST_LEVEL:
            return None
        memory = self._memories.get(request.table)
        board_from_ply = _board_from_ply(state)
        if memory is None or memory.board_from_ply != board_from_ply:
            memory = _Memory(new_table(STRONGEST.table_megabytes), board_from_ply)
            self._memories[request.table] = memory
        self._memories.move_to_end(request.table)
        if len(self._memories) > TABLES_KEPT:
            self._memories.popitem(last=False)
        return memory


def _state_of(request: BotRequest) -> State:
    return State.from_moves(find_game(request.game), request.setup, request.moves)


def _findings(compared: Comparison, elapsed_ms: float, *, is_cut: bool) -> Findings:
    first = compared.best[0]
    best = tuple(Finding(found.value, found.principal_variation) for found in compared.best)
    asked = compared.also
    also = None if asked is None else Finding(asked.value, asked.principal_variation)
    return Findings(first.depth, first.nodes, first.elapsed_ms, elapsed_ms, best, also, compared.is_settled, is_cut)


def _looked_up(tablebase: Tablebase, state: State) -> SolvedEnding:
    tables = tuple(sorted(tablebase.tables))
    solution = tablebase.solve(state)
    code = tablebase.code_of(state) if solution is None else solution.code
    if code is None:
        return SolvedEnding(tables, None, ())
    moves = [
        (state.format_move(move), _solved_for_mover(answer))
        for move, answer in (tablebase.answers(state) if state.outcome is None else {}).items()
        if answer is not None
    ]
    # The quickest win first, then draws, then the longest loss.
    moves.sort(key=lambda each: (-each[1].result, (each[1].plies or 0) * each[1].result))
    return SolvedEnding(tables, _solved(code), tuple(moves))


def _solved(code: int) -> Solved:
    """Return what a code says to the side that it is told for."""
    return Solved(0, None) if code == DRAWN else Solved(1 if is_won(code) else -1, plies_of(code))


def _solved_for_mover(answer: int) -> Solved:
    """Return the same to the side that has led there."""
    result, plies = _solved(answer)
    return Solved(-result, plies)


def _board_from_ply(state: State) -> int:
    """Return at which ply of the match the board lay as it does now."""
    first = state
    while first.previous is not None and first.previous.start is state.start:
        first = first.previous
    return first.ply
