"""The searcher: chooses a bot's moves, analyses and ponders, and keeps the transposition tables of a few matches.

It knows nothing about processes; a function decides when to stop.
"""

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from millrace.engine.game import IllegalMoveError
from millrace.engine.game.skill import STRONGEST
from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.book_moves import choose_sound_book_move
from millrace.engine.levels.opponents import STRONGEST_LEVEL, find_opponent
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import Analysis, Comparison, Limits, compare_moves
from millrace.engine.state import State
from millrace.engine.tablebase.endings import Ending, draw_endings, judge_move
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.verdicts import Verdict, verdicts_on
from millrace.engine.transposition_table import TranspositionTable, new_table

from .books.book_files import BookLibrary
from .requests import (
    AnalysisResult,
    BotRequest,
    DrawnEnding,
    EndingJudgement,
    EngineFolders,
    EvaluatedMove,
    SolvedResult,
    TablebaseLookup,
)
from .schedule import TABLES_KEPT
from .tablebases.folder import TablebaseFolder

MOST_PATIENCE = 10
"""Maximum factor of the time for drawing endings, if those found so far are all won or all drawn."""


@dataclass(slots=True)
class _MatchTable:
    """The transposition table of one match and seat."""

    table: TranspositionTable
    board_from_ply: int
    """The ply at which the match's current board began. The table is valid for that board only."""


class Searcher:
    """Answers one request at a time, and keeps at most `TABLES_KEPT` transposition tables."""

    def __init__(self, should_stop: Callable[[], bool], folders: EngineFolders | None) -> None:
        self._should_stop = should_stop
        self._tablebases = None if folders is None else TablebaseFolder(folders.tablebases, checks_in_background=True)
        self._books = None if folders is None else BookLibrary(folders.books)
        self._tables: OrderedDict[str, _MatchTable] = OrderedDict()

    def load_data(self) -> None:
        """Read the opening books and open the tablebases, which are otherwise read at the first use."""
        for game in GAMES:
            self._tablebase(game)
            if self._books is not None:
                self._books.book(game)

    def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: EngineError for an invalid request."""
        state = _state_of(request)
        book_move = self._book_move(request, state)
        if book_move is not None:
            return book_move
        found = self._search(request, state)
        if found.best_move is None:
            raise IllegalMoveError("The match is over; there is no move to choose.")
        return found.best_move

    def evaluate(self, request: BotRequest) -> int:
        """Return a position's score for the side to move. Raises: EngineError for an invalid request.

        The score is the level's own: it uses no tablebase.
        """
        state = _state_of(request)
        return analyse_at_level(
            state, request.level, request.seed, time.perf_counter, request.movetime_ms, should_stop=self._should_stop
        ).value

    def analyse(self, request: BotRequest) -> AnalysisResult:
        """Compare the best moves at the strongest level.

        Raises: EngineError for an invalid request.
        """
        state = _state_of(request)
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
            table=self._table_of(request, state),
            tablebase=self._tablebase(request.game),
        )
        elapsed_ms = (time.perf_counter() - began) * 1000
        is_late = request.movetime_ms is not None and elapsed_ms >= request.movetime_ms
        return _analysis_result(compared, elapsed_ms, is_cut=stopped or is_late)

    def look_up(self, request: BotRequest) -> TablebaseLookup:
        """Look a position up in the tablebase. Raises: EngineError for an invalid request."""
        tablebase = self._tablebase(request.game)
        return TablebaseLookup((), None, ()) if tablebase is None else _looked_up(tablebase, _state_of(request))

    def draw_endings(self, request: BotRequest) -> tuple[DrawnEnding, ...]:
        """Draw solved positions at random during the request's time, and longer until both wins and draws are found.

        It is counted in processor time, from the first position on, which may have to load what the others use.
        """
        tablebase = self._tablebase(request.game)
        if tablebase is None or not tablebase.names:
            return ()
        began, movetime_ms = None, request.movetime_ms or 0.0
        found: list[Ending] = []
        for ending in draw_endings(tablebase, random.Random(request.seed).randrange):
            if ending is not None:
                found.append(ending)
            began = began or time.thread_time()
            spent_ms = (time.thread_time() - began) * 1000
            has_both = len({each.result for each in found}) == 2
            if spent_ms >= movetime_ms * (1 if has_both else MOST_PATIENCE):
                break
        return tuple(DrawnEnding(*ending) for ending in found)

    def judge_ending(self, request: BotRequest) -> EndingJudgement | None:
        """Judge the last move of a line by the tables. Raises: EngineError for an invalid request."""
        tablebase, after = self._tablebase(request.game), _state_of(request)
        judged = None if tablebase is None else judge_move(tablebase, after)
        if judged is None:
            return None
        assert after.previous is not None
        keeping = tuple(map(after.previous.format_move, judged.keeping))
        reply = "" if judged.reply is None else after.format_move(judged.reply)
        return EndingJudgement(judged.result, judged.reached, keeping, reply, judged.moves)

    def ponder(self, request: BotRequest) -> None:
        """Fill the transposition table from a position in which the opponent is to move.

        This saves the next search about as much as pondering the position after the expected reply, and needs no guess.
        The next search takes 31% of the nodes (with a guess: 34%) in Nine Men's Morris, 80% (84%) in Ming Mang, and 43%
        (39%) in Battle Sheep (`python -m benchmarks.pondering` at commit 42e2304).
        Raises: EngineError for an invalid request.
        """
        state = _state_of(request)
        if state.outcome is None:
            # Of the opponent's seat.
            self._search(replace(request, draw_penalty=-request.draw_penalty), state)

    def _book_move(self, request: BotRequest, state: State) -> str | None:
        """Return a sound move of the opening book, which only the strongest level uses, or None."""
        if self._books is None or request.level != STRONGEST_LEVEL:
            return None
        book = self._books.book(request.game)
        if book is None:
            return None
        move = choose_sound_book_move(book, state, request.seed, self._tablebase(request.game))
        return None if move is None else state.format_move(move)

    def _search(self, request: BotRequest, state: State) -> Analysis:
        return analyse_at_level(
            state,
            request.level,
            request.seed,
            time.perf_counter,
            request.movetime_ms,
            self._tablebase(request.game) if request.level == STRONGEST_LEVEL else None,
            soft_ms=request.soft_ms,
            should_stop=self._should_stop,
            threads=request.threads,
            table=self._table_of(request, state),
            draw_penalty=request.draw_penalty,
        )

    def _tablebase(self, game: str) -> Tablebase | None:
        return None if self._tablebases is None else self._tablebases.tablebase(game)

    def _table_of(self, request: BotRequest, state: State) -> TranspositionTable | None:
        """Return the table of the request's match, and drop the least recently used one if there are too many."""
        if not request.table or find_opponent(request.level).level != STRONGEST_LEVEL:
            return None
        kept = self._tables.get(request.table)
        board_from_ply = _board_from_ply(state)
        if kept is None or kept.board_from_ply != board_from_ply:
            kept = _MatchTable(new_table(STRONGEST.table_megabytes), board_from_ply)
            self._tables[request.table] = kept
        self._tables.move_to_end(request.table)
        if len(self._tables) > TABLES_KEPT:
            self._tables.popitem(last=False)
        return kept.table


def _state_of(request: BotRequest) -> State:
    return State.from_moves(find_game(request.game), request.setup, request.moves)


def _analysis_result(compared: Comparison, elapsed_ms: float, *, is_cut: bool) -> AnalysisResult:
    first = compared.best[0]
    best = tuple(EvaluatedMove(found.value, found.principal_variation) for found in compared.best)
    asked = compared.also
    also = None if asked is None else EvaluatedMove(asked.value, asked.principal_variation)
    return AnalysisResult(
        first.depth, first.nodes, first.elapsed_ms, elapsed_ms, best, also, compared.is_settled, is_cut
    )


def _looked_up(tablebase: Tablebase, state: State) -> TablebaseLookup:
    tables = tuple(sorted(tablebase.names))
    verdicts = verdicts_on(tablebase, state)
    if verdicts.state is None:
        return TablebaseLookup(tables, None, ())
    best_first = sorted(verdicts.moves.items(), key=lambda each: _rank_of(each[1]))
    moves = tuple((state.format_move(move), SolvedResult(*verdict)) for move, verdict in best_first)
    return TablebaseLookup(tables, SolvedResult(*verdicts.state), moves)


def _rank_of(verdict: Verdict) -> tuple[int, bool, int]:
    """Return the sort key of a move's verdict: the quickest win first, then draws, then the longest loss.

    Verdicts without a distance come after others with the same result.
    """
    return -verdict.result, verdict.plies is None, (verdict.plies or 0) * verdict.result


def _board_from_ply(state: State) -> int:
    """Return the ply at which the match's current board began."""
    first = state
    while first.previous is not None and first.previous.start is state.start:
        first = first.previous
    return first.ply
