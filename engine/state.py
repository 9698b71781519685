"""A position with the history that repetition and quiet plies need: the referee's view of a match in progress.

Not a match: it knows no clocks, people or offers. Immutable; `play` returns a new state that remembers this one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

import msgspec
import numpy as np

from .bindings import bindings_of
from .game import (
    NO_MOVE,
    Drawing,
    Game,
    IllegalMoveError,
    Outcome,
    Repetition,
    RepetitionError,
    Start,
    Words,
)

_MARKS = 1024
"""Bits of a state's filter of earlier ones; few plies in a row are reversible, so that it is mostly empty."""

MoveTree = Mapping[str, "MoveTree | None"]
"""Legal moves as a prefix tree of clicks; None where a move is complete."""

_T = TypeVar("_T")


class _once(Generic[_T]):  # noqa: N801  # a decorator
    """A property that is worked out once: `functools.cached_property` without the lock that it takes before Python
    3.12, a microsecond for each first reading. Two threads may both work it out, to the same value."""

    def __init__(self, work_out: Callable[["State"], _T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, state: "State", _kind: type["State"]) -> _T:
        value = state.__dict__[self._name] = self._work_out(state)
        return value


class State(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A position, whose turn it is, and how it came about.

    >>> from millrace.engine.games import find_game
    >>> state = State.of(find_game("morris")).play_text("d6").play_text("f4")
    >>> state.seat, state.ply, state.position_text
    (0, 2, '....W........B.......... w 8 8')
    """

    game: Game
    start: Start
    words: Words
    """Mover's view; never written to."""
    seat: int
    """The seat to move, or that would move if the match were not over."""
    quiet_plies: int
    """Plies since the last irreversible one."""
    ply: int
    """Plies played since the start."""
    previous: "State | None"
    move: int
    """The move that led here, or `NO_MOVE` at the start."""
    is_fresh: bool
    """Whether no earlier position can come back: at the start and after an irreversible move."""
    past_marks: int = 0
    """A bit for each earlier state that could equal this one, by the hash of its identity (a Bloom filter)."""

    @classmethod
    def of(cls, game: Game, setup: str = "") -> "State":
        """Return the state at the start of a match. Raises: SetupError."""
        start = game.texts.parse_setup(setup)
        return cls(start.game or game, start, start.words, start.seat, start.quiet_plies, 0, None, NO_MOVE, True)

    @classmethod
    def from_moves(cls, game: Game, setup: str, moves: Iterable[str]) -> "State":
        """Return the state after the given move texts.

        A pass by which a seat was skipped counts as one. Raises: SetupError, MoveSyntaxError, IllegalMoveError.
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
        if self.game.rules.repetition is Repetition.FORBIDDEN and after.repeats:
            raise RepetitionError(f"{self.format_move(move)} would bring back an earlier position, which is forbidden.")
        return after

    def play_text(self, text: str) -> "State":
        """Return the state after the move of that text. Raises: MoveSyntaxError, IllegalMoveError."""
        return self.play(self.parse_move(text))

    def skip(self) -> "State":
        """Return the state after a forced pass, even if the seat to move could move: its player has left the match.

        Raises: IllegalMoveError where `can_be_skipped` is false.
        """
        if not self.can_be_skipped:
            raise IllegalMoveError("The seat to move cannot be skipped here.")
        return self.after(self.game.rules.forced_pass)

    @property
    def can_be_skipped(self) -> bool:
        """Whether the seat to move may be passed over: the game knows forced passes, and it has nothing to place."""
        if self.game.rules.forced_pass == NO_MOVE or self.outcome is not None:
            return False
        return self.forced_pass is not None or not self.drawing.reserves[self.seat]

    def undo(self) -> "State":
        """Return the state before the last move. Raises: IllegalMoveError at the start."""
        if self.previous is None:
            raise IllegalMoveError("There is no move to take back.")
        return self.previous

    def parse_move(self, text: str) -> int:
        """Read a move text, or its clicks divided by spaces, without asking whether it is legal here.

        Raises: MoveSyntaxError; IllegalMoveError for clicks that lead to no move of the board.
        """
        if " " not in text:
            return self.game.texts.parse_move(self.start.board, text)
        clicks = tuple(text.split())
        for move in self.generated_moves:
            if self.game.drawing.clicks(self.start.board, move) == clicks:
                return move
        raise IllegalMoveError(f"{text} is not allowed here.")

    @_once
    def legal_moves(self) -> tuple[int, ...]:
        """Every legal move, each once; empty when play is over by the rules of the board."""
        moves = self.generated_moves
        if self.game.rules.repetition is not Repetition.FORBIDDEN or self.is_fresh or not moves:
            return moves
        next_seat = (self.seat + 1) % self.start.seats
        barred = {state.identity for state in self._reachable_past(step=1) if state.seat == next_seat}
        return tuple(move for move in moves if self.after(move).arrival not in barred)

    @_once
    def refused_moves(self) -> tuple[int, ...]:
        """The moves that nothing but the ban on repetition forbids, for explaining it to a person."""
        legal_moves = self.legal_moves
        if len(legal_moves) == len(self.generated_moves):
            return ()
        return tuple(move for move in self.generated_moves if move not in legal_moves)

    @property
    def forced_pass(self) -> int | None:
        """The pass that is to be made for the seat to move because it has no other move, or None."""
        forced_pass = self.game.rules.forced_pass
        return forced_pass if forced_pass != NO_MOVE and self.legal_moves == (forced_pass,) else None

    @_once
    def outcome(self) -> Outcome | None:
        """How play ended, or None while it goes on."""
        if not self.generated_moves:
            return self._board_outcome()
        shared = (1,) * self.start.seats
        if self.game.rules.repetition is Repetition.DRAW_THIRD and self.repeats >= 2:
            return Outcome(shared, "repetition")
        if self.game.rules.quiet_limit is not None and self.quiet_plies >= self.game.rules.quiet_limit:
            return Outcome(shared, "quiet_limit")
        return None

    @property
    def adjudication(self) -> Outcome | None:
        """How the match ends if its time limit is reached now, where the rules say so."""
        return self.outcome or (self._board_outcome() if self.game.rules.territory is not None else None)

    @property
    def is_dead(self) -> bool:
        """Whether neither side can win any more without the opponent's help."""
        is_dead = self.game.rules.kernels.is_dead
        return is_dead is not None and is_dead(self.start.board, self.game.rules.position_type(*self.words))

    @property
    def territory(self) -> tuple[int | None, ...] | None:
        """The seat that holds each cell, None for nobody's; None where the game counts no territory."""
        territory = self.game.rules.territory
        return None if territory is None else territory(self.start.board, self.words, self.seat)

    @_once
    def repeats(self) -> int:
        """How many earlier states of this match had the same position and seat to move."""
        if not self.past_marks & _mark_of(self.arrival):
            return 0
        return sum(1 for state in self._reachable_past() if state.identity == self.arrival)

    @_once
    def identity(self) -> tuple[int, bytes]:
        """What an earlier state is known by: seat to move and position, its transient words taken for zero."""
        return self.seat, self.settled_words.tobytes()

    @property
    def settled_words(self) -> Words:
        """The position as repetition remembers it: its transient words taken for zero."""
        if not self.game.rules.transient_words:
            return self.words
        words = self.words.copy()
        words[-self.game.rules.transient_words :] = 0
        return words

    @property
    def arrival(self) -> tuple[int, bytes]:
        """What a state that has just come about is known by: equal to the `identity` of those that it repeats."""
        return self.seat, self.words.tobytes()

    @property
    def key(self) -> int:
        """The 64-bit key of the position from the mover's view, as search uses it."""
        return int(bindings_of(self.game).key(self.words)) & 0xFFFFFFFFFFFFFFFF

    @property
    def position_text(self) -> str:
        """The position as text."""
        return self.game.texts.format_position(self.start, self.words, self.seat, self.quiet_plies)

    @_once
    def drawing(self) -> Drawing:
        """What lies where, for a client."""
        return self.game.drawing.draw(self.start.board, self.words, self.seat)

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

    def format_move(self, move: int) -> str:
        """Return the text of a move."""
        return self.game.texts.format_move(self.start.board, move)

    def history(self) -> Words:
        """Return the earlier positions that could come back, oldest first, each from its mover's view.

        The shape is `(positions, position_words)`. Transient words are zero in them, so that they equal the positions
        that a move may not bring back.
        """
        past = [state.settled_words for state in self._reachable_past(step=1)][::-1]
        return np.array(past, dtype=np.uint64).reshape(len(past), self.game.rules.position_words)

    def move_tree(self) -> MoveTree:
        """Return the legal moves as a prefix tree of clicks; empty when play is over."""
        return self._tree_of(self.legal_moves) if self.outcome is None else {}

    def refused_tree(self) -> MoveTree:
        """Return the `refused_moves` as a prefix tree of clicks; empty when play is over."""
        return self._tree_of(self.refused_moves) if self.outcome is None else {}

    @_once
    def generated_moves(self) -> tuple[int, ...]:
        """The legal moves as the board alone has them, without regard to repetition."""
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
            return State(game, sequel, sequel.words, sequel.seat, 0, self.ply + 1, self, move, True)
        return State(
            self.game,
            self.start,
            words,
            seat,
            quiet_plies,
            self.ply + 1,
            self,
            move,
            bool(is_irreversible),
            0 if is_irreversible else self._marks,
        )

    @_once
    def _marks(self) -> int:
        """The marks of the earlier states that the next one could equal, this one among them."""
        return self.past_marks | _mark_of(self.identity)

    def _tree_of(self, moves: Iterable[int]) -> MoveTree:
        root: dict[str, MoveTree | None] = {}
        canonical_clicks, board = self.game.drawing.clicks, self.start.board
        for move in moves:
            branch = root
            clicks = canonical_clicks(board, move)
            for click in clicks[:-1]:
                branch = branch.setdefault(click, {})  # type: ignore[assignment]  # no move's clicks begin another's
            branch[clicks[-1]] = None
        return root

    def _reachable_past(self, step: int = 0) -> Iterator["State"]:
        """Yield earlier states that could equal this one, latest first; every `step` plies, by default each round."""
        step = step or self.start.seats
        state, distance = self, 0
        while not state.is_fresh and state.previous is not None:
            state, distance = state.previous, distance + 1
            if distance % step == 0:
                yield state

    def _board_outcome(self) -> Outcome:
        seats = self.start.seats
        ranks = np.zeros(max(self.game.seats), dtype=np.int32)
        reason = bindings_of(self.game).outcome(self.start.board, self.words, ranks)
        by_seat = tuple(int(ranks[(seat - self.seat) % seats]) for seat in range(seats))
        return Outcome(by_seat, tuple(self.game.rules.end_reasons)[reason])


def _mark_of(identity: tuple[int, bytes]) -> int:
    return 1 << (hash(identity) % _MARKS)
