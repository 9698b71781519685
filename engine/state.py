"""A position with the history that repetition and quiet plies need: the board side of a match in progress.

Not a match: it knows no clocks, players or offers. Immutable: `play` returns a new state, which refers to this one.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec
import numpy as np

from .bindings import bindings_of
from .click_trees import MoveTree, click_tree, shared_by_beginning
from .computed_once import once
from .game import (
    NO_CLICK,
    NO_MOVE,
    Drawing,
    Game,
    Geometry,
    Highlight,
    IllegalMoveError,
    Outcome,
    Repetition,
    RepetitionError,
    SetupError,
    Start,
    Tally,
    Words,
    WrittenPosition,
)
from .game.board_lines import board_lines
from .repetition import (
    Identity,
    count_repetitions,
    filter_bit,
    is_threefold,
    reachable_past,
    without_transient,
)

_KEPT = frozenset({"identity", "repetitions", "_filter"})
"""What `State.forget` keeps."""


class State(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A position, the seat to move, and the moves that led to it.

    >>> from millrace.engine.games import find_game
    >>> state = State.of(find_game("morris")).play_text("d6").play_text("f4")
    >>> state.seat, state.ply, state.position_text
    (0, 2, '....W........B.......... w 8 8')
    """

    game: Game
    start: Start
    geometry: Geometry
    """The board as clients draw it, from the start on."""
    words: Words
    """From the mover's view; never modified."""
    seat: int
    """The seat to move, or that would be to move if play were not over."""
    quiet_plies: int
    """Plies since the last irreversible one."""
    ply: int
    """Plies since the start."""
    previous: "State | None"
    move: int
    """The move that led here, or `NO_MOVE` at the start."""
    is_fresh: bool
    """Whether no earlier position can occur again: at the start and after an irreversible move."""
    past_filter: int = 0
    """A Bloom filter of the `identity` of each earlier state that could equal this one."""

    @classmethod
    def of(cls, game: Game, setup: str = "") -> "State":
        """Return the state at the start of a match. Raises: SetupError."""
        start = game.texts.parse_setup(setup)
        game = start.game or game
        geometry = game.drawing.geometry(start.board)
        return cls(game, start, geometry, start.words, start.seat, start.quiet_plies, 0, None, NO_MOVE, True)

    @classmethod
    def from_moves(cls, game: Game, setup: str, moves: Iterable[str]) -> "State":
        """Return the state after the given move texts, where a forced pass may stand for a skipped seat.

        Raises: SetupError, MoveSyntaxError, IllegalMoveError.
        """
        state = cls.of(game, setup)
        for text in moves:
            move = state.parse_move(text)
            state = state.skip() if move == state.game.rules.forced_pass else state.play(move)
        return state

    def play(self, move: int) -> "State":
        """Return the state after `move`. Raises: IllegalMoveError, also when play is over; RepetitionError."""
        if self.outcome is not None:
            raise IllegalMoveError("The match is over; no further move can be played.")
        if move not in self.generated_moves:
            raise IllegalMoveError(f"{self.format_move(move)} is not allowed here.")
        after = self.after(move)
        if self.game.rules.repetition is Repetition.FORBIDDEN and after.repetitions:
            raise RepetitionError(f"{self.format_move(move)} would repeat an earlier position, which is forbidden.")
        return after

    def play_text(self, text: str) -> "State":
        """Return the state after the move with this text. Raises: MoveSyntaxError, IllegalMoveError."""
        return self.play(self.parse_move(text))

    def skip(self) -> "State":
        """Return the state after a forced pass, although the seat to move may have moves: its player has left the
        match.

        Raises: IllegalMoveError where `can_be_skipped` is false.
        """
        if not self.can_be_skipped:
            raise IllegalMoveError("The seat to move cannot be skipped here.")
        return self.after(self.game.rules.forced_pass)

    @property
    def can_be_skipped(self) -> bool:
        """Whether the seat to move can be skipped: the game has forced passes, and the seat has nothing left to
        place."""
        if self.game.rules.forced_pass == NO_MOVE or self.outcome is not None:
            return False
        return self.forced_pass is not None or not self.drawing.reserves[self.seat]

    def forget(self) -> None:
        """Free the memory of what was worked out about this position, apart from what repetition needs.

        For positions that have been left: what is asked for again is worked out again.
        """
        for name in self.__dict__.keys() - _KEPT:
            del self.__dict__[name]

    def undo(self) -> "State":
        """Return the state before the last move. Raises: IllegalMoveError at the start."""
        if self.previous is None:
            raise IllegalMoveError("There is no move to take back.")
        return self.previous

    def parse_move(self, text: str) -> int:
        """Parse a move text, or its clicks separated by spaces. The move need not be legal.

        Raises: MoveSyntaxError; IllegalMoveError for clicks that are no move here.
        """
        if " " not in text:
            return self.game.texts.parse_move(self.start.board, text)
        clicks, names = text.split(), self.geometry.click_names
        unused = [NO_CLICK] * (self.game.rules.kernels.max_clicks + 1 - len(clicks))
        with suppress(ValueError):
            return self.generated_moves[self._click_rows.index([*map(names.index, clicks), *unused])]
        raise IllegalMoveError(f"{text} is not allowed here.")

    @once
    def legal_moves(self) -> tuple[int, ...]:
        """Every legal move, each once; empty when play is over on the board."""
        moves = self.generated_moves
        if self.game.rules.repetition is not Repetition.FORBIDDEN or self.is_fresh or not moves:
            return moves
        kept = np.array(moves, dtype=np.int32)
        count = bindings_of(self.game).keep_new(self.start.board, self.words, self.history(), kept, self.start.seats)
        return tuple(kept[:count].tolist())

    @once
    def refused_moves(self) -> tuple[int, ...]:
        """The moves that only the ban on repetition forbids, for explaining it to players."""
        legal_moves = self.legal_moves
        if len(legal_moves) == len(self.generated_moves):
            return ()
        return tuple(move for move in self.generated_moves if move not in legal_moves)

    @property
    def forced_pass(self) -> int | None:
        """The pass that the seat to move must make because it has no other move, or None."""
        forced_pass = self.game.rules.forced_pass
        return forced_pass if forced_pass != NO_MOVE and self.legal_moves == (forced_pass,) else None

    @once
    def outcome(self) -> Outcome | None:
        """How play ended, or None while it goes on."""
        if not self.generated_moves:
            return self._board_outcome()
        shared = (1,) * self.start.seats
        rules = self.game.rules
        judgement = None if rules.judge is None else rules.judge(self.start.board, self.words, self.seat, self.ply)
        if judgement is not None:
            return judgement
        if rules.repetition is Repetition.DRAW_THIRD and not self.is_fresh and is_threefold(self.repetitions):
            return Outcome(shared, "repetition")
        if rules.quiet_limit is not None and self.quiet_plies >= rules.quiet_limit:
            return Outcome(shared, "quiet_limit")
        return None

    @property
    def legal_move_texts(self) -> tuple[str, ...]:
        """The texts of the legal moves."""
        return tuple(map(self.format_move, self.legal_moves))

    @property
    def adjudication(self) -> Outcome | None:
        """How the match ends if it reaches its time limit now, or None where the rules do not say."""
        return self.outcome or (self._board_outcome() if self.game.rules.territory is not None else None)

    @property
    def is_settled(self) -> bool:
        """Whether `adjudication` is what each side gets by passing only: nothing is left to play for."""
        return bindings_of(self.game).is_settled(self.start.board, self.words)

    @property
    def territory(self) -> tuple[int | None, ...] | None:
        """The seat that owns each cell, None for no seat; None where the game does not count territory."""
        territory = bindings_of(self.game).territory
        return None if territory is None else territory(self.start.board, self.words, self.seat)

    @once
    def repetitions(self) -> int:
        """How many earlier states of this match had the same position and seat to move."""
        return count_repetitions(self, self.start.seats)

    @once
    def identity(self) -> Identity:
        """How later states recognise this one: seat to move and position, with transient words zero."""
        return self.seat, self.settled_words.tobytes()

    @property
    def settled_words(self) -> Words:
        """The position with its transient words zero, as repetition remembers it."""
        return without_transient(self.words, self.game.rules.transient_words)

    @property
    def arrival(self) -> Identity:
        """The `identity` of the states that this one repeats."""
        return self.seat, self.words.tobytes()

    @property
    def key(self) -> int:
        """The 64-bit key of the position from the mover's view, as the search uses it."""
        return int(bindings_of(self.game).key(self.words)) & 0xFFFFFFFFFFFFFFFF

    @property
    def position_text(self) -> str:
        """The position as text."""
        return self.game.texts.format_position(self.start, self.words, self.seat, self.quiet_plies)

    def write_position(self, notation: str) -> str:
        """Return the position in a notation of other programs (`Texts.notations`), or in the game's own for "".

        Raises: SetupError if the game has no such notation, or the notation cannot express the position.
        """
        if not notation:
            return self.position_text
        known = self.game.texts.notations
        if notation not in known:
            there_are = f"it has {', '.join(known)}" if known else "it has only its own"
            raise SetupError(f"{self.game.title} has no notation {notation!r} here; {there_are}.")
        is_over = self.outcome is not None
        written = WrittenPosition(self.start, self.words, self.seat, self.quiet_plies, self.ply, is_over)
        return known[notation].write(written)

    @property
    def written_positions(self) -> dict[str, str]:
        """The position in the notations of other programs that can express it, by the title of each."""
        written = {}
        for name, notation in self.game.texts.notations.items():
            with suppress(SetupError):
                written[notation.title] = self.write_position(name)
        return written

    @once
    def drawing(self) -> Drawing:
        """The pieces on the board, for a client to draw."""
        return self.game.drawing.draw(self.start.board, self.words, self.seat)

    @property
    def highlights(self) -> tuple[Highlight, ...]:
        """What the last move achieved, for a client to light up."""
        before = self.previous
        find = None if before is None else before.game.drawing.highlights
        if before is None or find is None or before.start is not self.start:
            return ()
        return find(before.start.board, before.words, (self.move,)).get(self.move, ())

    def highlights_by_clicks(self) -> dict[tuple[str, ...], tuple[Highlight, ...]]:
        """Return what moves in progress have achieved, by their clicks but the last: what every move with these clicks
        achieves."""
        find = self.game.drawing.highlights
        if find is None or self.outcome is not None:
            return {}
        achieved = find(self.start.board, self.words, self.generated_moves)
        if not achieved:
            return {}
        by_move = [achieved.get(move, ()) for move in self.generated_moves]
        return shared_by_beginning(self.geometry.click_names, self._click_rows, by_move)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """What the game counts for each seat in this position."""
        count = self.game.drawing.tallies
        return () if count is None else count(self.start.board, self.words, self.seat)

    @property
    def line(self) -> tuple["State", ...]:
        """The states of this match from its start to this one."""
        states = [self]
        while states[-1].previous is not None:
            states.append(states[-1].previous)
        return tuple(reversed(states))

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves played since the start."""
        return tuple(state.move for state in self.line[1:])

    @property
    def move_texts(self) -> tuple[str, ...]:
        """The texts of the moves played since the start."""
        return tuple(state.previous.format_move(state.move) for state in self.line[1:] if state.previous)

    def __str__(self) -> str:
        """Return the board as lines of text, to print."""
        return "\n".join(board_lines(self.geometry, self.drawing, self.game.seat_names))

    def format_move(self, move: int) -> str:
        """Return the text of a move."""
        return self.game.texts.format_move(self.start.board, move)

    def history(self) -> Words:
        """Return the earlier positions that could occur again, oldest first, each from its mover's view.

        The shape is `(positions, position_words)`. Transient words are zero, so that the rows equal the positions that
        a move may not repeat.
        """
        past = [state.settled_words for state in reachable_past(self, step=1)][::-1]
        return np.array(past, dtype=np.uint64).reshape(len(past), self.game.rules.position_words)

    def clicks_of(self, move: int) -> tuple[str, ...]:
        """Return the cells and choices that a player clicks to enter a legal move."""
        (row,) = self._click_rows_of((move,))
        return tuple(map(self.geometry.click_names.__getitem__, row[: row.index(NO_CLICK)]))

    def move_tree(self) -> MoveTree:
        """Return the legal moves as a prefix tree of clicks; empty when play is over."""
        if self.outcome is not None:
            return {}
        return self._tree_of(self.legal_moves)

    def refused_tree(self) -> MoveTree:
        """Return the `refused_moves` as a prefix tree of clicks; empty when play is over."""
        if self.game.rules.repetition is not Repetition.FORBIDDEN or self.outcome is not None:
            return {}
        return self._tree_of(self.refused_moves)

    @once
    def generated_moves(self) -> tuple[int, ...]:
        """The legal moves by the board alone, ignoring repetition."""
        buffer = np.empty(self.game.rules.kernels.max_moves, dtype=np.int32)
        count = bindings_of(self.game).generate_moves(self.start.board, self.words, buffer)
        return tuple(buffer[:count].tolist())

    def after(self, move: int) -> "State":
        """Return the state after a generated move, which is not checked."""
        words = np.empty_like(self.words)
        is_irreversible = bindings_of(self.game).make_move(self.start.board, self.words, move, words)
        quiet_plies = 0 if is_irreversible else self.quiet_plies + 1
        seat = (self.seat + 1) % self.start.seats
        sequel = self.game.rules.sequel and self.game.rules.sequel(self.start, words, seat)
        if sequel:
            game = sequel.game or self.game
            geometry = game.drawing.geometry(sequel.board)
            return State(game, sequel, geometry, sequel.words, sequel.seat, 0, self.ply + 1, self, move, True)
        return State(
            self.game,
            self.start,
            self.geometry,
            words,
            seat,
            quiet_plies,
            self.ply + 1,
            self,
            move,
            bool(is_irreversible),
            0 if is_irreversible else self._filter,
        )

    @once
    def _filter(self) -> int:
        """The `past_filter` of the next state, if the move to it is reversible."""
        return self.past_filter | filter_bit(self.identity)

    @once
    def _click_rows(self) -> list[list[int]]:
        """The clicks of each generated move, as `_click_rows_of` returns them."""
        return self._click_rows_of(self.generated_moves)

    def _click_rows_of(self, moves: Sequence[int]) -> list[list[int]]:
        """Return the clicks of each of some moves as indices of `Geometry.click_names`, with at least one `NO_CLICK`
        behind them."""
        rows = np.empty((len(moves), self.game.rules.kernels.max_clicks + 1), dtype=np.int16)
        bindings_of(self.game).write_clicks(self.start.board, self.words, np.array(moves, dtype=np.int32), rows)
        clicks: list[list[int]] = rows.tolist()
        return clicks

    def _tree_of(self, moves: Sequence[int]) -> MoveTree:
        """Return the prefix tree of the clicks of some generated moves."""
        rows = self._click_rows
        if len(moves) < len(rows):
            rows = [row for move, row in zip(self.generated_moves, rows, strict=True) if move in moves]
        return click_tree(self.geometry.click_names, rows)

    def _board_outcome(self) -> Outcome:
        seats = self.start.seats
        ranks = np.zeros(max(self.game.seats), dtype=np.int32)
        reason = bindings_of(self.game).outcome(self.start.board, self.words, ranks)
        by_seat = tuple(int(ranks[(seat - self.seat) % seats]) for seat in range(seats))
        return Outcome(by_seat, tuple(self.game.rules.end_reasons)[reason])
