"""The search that `go` asks for: by the book, by solved endings, at the chosen level, or without end."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..book.book import Book
from ..levels.book_moves import choose_sound_book_move
from ..levels.classic import choose_classically
from ..levels.opponents import NO_STYLE, STRONGEST_LEVEL
from ..levels.passing_out import barred_passes
from ..levels.play import any_move, handicap_of, search_to_play, within
from ..levels.solved_play import search_solved
from ..search import NO_HANDICAP, Analysis, Clock, Limits, analyse
from ..state import State
from ..tablebase.probing import Tablebase
from ..tablebase.verdicts import known_results, verdicts_on
from ..transposition_table import TranspositionTable
from .go_command import GoCommand
from .info_lines import ReportSettings, SearchReport
from .options import EngineOptions
from .variations import deepen_variations

RESULT_WORDS = {1: "wins", 0: "draws", -1: "loses"}
"""By the result of a solved state."""


@dataclass(frozen=True, slots=True)
class GameFiles:
    """What the strongest level uses of a game besides its rules."""

    tablebase: Tablebase | None = None
    book: Book | None = None


@dataclass(frozen=True, slots=True)
class GoSearch:
    """What `go` searches, and with what."""

    command: GoCommand
    state: State
    options: EngineOptions
    files: GameFiles
    clock: Clock
    seed: int
    write: Callable[[str], None]

    def book_move(self) -> str | None:
        """Return a book move, if the answer is limited by time only; otherwise the caller wants a search."""
        book = self.files.book
        if book is None or not self.options.checks["Book"] or not self._wants_best_play:
            return None
        move = choose_sound_book_move(book, self.state, self.seed, self.files.tablebase)
        return None if move is None else self.state.format_move(move)

    def run(
        self, table: TranspositionTable | None, should_stop: Callable[[], bool], is_pondering: Callable[[], bool]
    ) -> Analysis:
        """Search for a move of the chosen level, or without end; write progress and the result."""
        command, opponent = self.command, self.options.opponent
        skill = opponent.skill_in(self.state.game)
        variations = self._variations
        settings = ReportSettings(variations, self.options.checks["UCI_ShowWDL"])
        report = SearchReport(self.write, self.clock, self.state, table, settings)

        tablebase = self.files.tablebase if self._is_strongest else None

        barred = () if command.is_infinite or command.moves else barred_passes(self.state)

        def search(limits: Limits, candidates: tuple[int, ...], probed: Tablebase | None = tablebase) -> Analysis:
            found = analyse(
                self.state,
                limits,
                self.clock,
                on_iteration=report.write_progress if variations == 1 else None,
                on_root_move=report.write_root_move,
                should_stop=should_stop,
                is_pondering=is_pondering if command.is_pondering else None,
                table=table,
                handicap=NO_HANDICAP if self._is_strongest else handicap_of(skill, self.seed),
                draw_penalty=self._draw_penalty,
                tablebase=probed,
                candidates=candidates,
                barred=barred,
                threads=self.options.numbers["Threads"] if self._is_strongest else 1,
                parallel=self.options.parallel,
                techniques=self.options.techniques_of(self.state.game),
            )
            report.end_search(found)
            return found

        self._write_result(tablebase)
        if variations < self.options.numbers["MultiPV"]:
            self.write(f"info string MultiPV does not apply to {opponent.title}, which plays one move")
        asked = replace(
            command.limits,
            depth_step=self.options.numbers["DepthStep"],
            ends_when_settled=self.options.checks["StopWhenSettled"] and not command.is_infinite,
        )
        limits = within(skill, asked)
        if variations > 1 and self.state.outcome is None:
            moves = command.moves or tuple(move for move in self.state.legal_moves if move not in barred)
            results = known_results(tablebase, self.state)
            return deepen_variations(self.state, moves, variations, limits, search, report, results)
        if tablebase is not None and self._wants_best_play:
            found = search_solved(self.state, tablebase, limits, self.clock, search, should_stop)
        elif command.is_infinite or command.moves:
            found = search(limits, command.moves)
        elif opponent.is_random and self.state.outcome is None:
            found = search(Limits(depth=1), (any_move(self.state, self.seed + self.state.ply),))
        elif opponent.classic is not None:
            found = choose_classically(self.state, opponent.classic, asked, self.clock, should_stop)
            report.end_search(found)
        else:
            found = search_to_play(self.state, opponent, asked, search)
        report.conclude(found)
        return found

    def _write_result(self, tablebase: Tablebase | None) -> None:
        """Write the result of the state if it is known, but not in how many plies: no score says that."""
        verdict = None if tablebase is None else verdicts_on(tablebase, self.state, 0).state
        if verdict is not None and verdict.plies is None:
            self.write(f"info string solved: the side to move {RESULT_WORDS[verdict.result]}")

    @property
    def _variations(self) -> int:
        """How many lines are searched: one to play a move by other means than the best value."""
        opponent, is_analysis = self.options.opponent, self.command.is_infinite or self.command.moves
        chooses_otherwise = opponent.classic is not None or opponent.is_random or opponent.style != NO_STYLE
        return 1 if chooses_otherwise and not is_analysis else self.options.numbers["MultiPV"]

    @property
    def _is_strongest(self) -> bool:
        return self.options.opponent.level == STRONGEST_LEVEL

    @property
    def _draw_penalty(self) -> int:
        """By how much less than 0 a draw is worth to the strongest level when it plays a move, not in an analysis."""
        is_analysis = self.command.is_infinite or self.command.moves or self.options.numbers["MultiPV"] > 1
        return 0 if is_analysis or not self._is_strongest else self.options.numbers["Contempt"]

    @property
    def _wants_best_play(self) -> bool:
        """Whether the strongest level is asked for one move, as in a match."""
        return self.command.wants_a_move and self.options.numbers["MultiPV"] == 1 and self._is_strongest
