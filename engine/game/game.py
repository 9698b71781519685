"""The record that describes a game: its rules, drawing, texts, and playing strength."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from .evaluation_terms import EvaluationTerms
from .geometry import Drawing, Geometry, Highlight, Symmetry, Tally
from .kernels import NO_MOVE, Board, Kernels, Position, TablebaseKernels, Words
from .plain_rules import why_interpreted, with_plain_integers
from .puzzle_terms import PuzzleTerms
from .setup_kernels import SetupKernel
from .skill import DEFAULT_SKILLS, Skill
from .teaching import Teaching
from .techniques import DEFAULT_TECHNIQUES, Techniques
from .written_moves import plain_move

TERRITORY = "territory"
"""The code in `Rules.end_reasons` for an end by counting territory, in every game that counts it."""


GENERAL_REASONS: Mapping[str, str] = {
    "repetition": "the same position came up for the third time",
    "quiet_limit": "too many plies passed without progress",
}
"""Code and explanation of the ends of play that any game can have, besides its own."""


class Repetition(StrEnum):
    """The rule for a position that occurs again with the same seat to move."""

    DRAW_THIRD = "draw_third"
    """The third occurrence is a draw."""
    FORBIDDEN = "forbidden"
    """A move must not repeat any earlier position. Such a game has a `free_pass`, so that a move is always left."""
    NONE = "none"
    """Positions cannot repeat."""


class Start(NamedTuple):
    """Where a match begins: the meaning of a set-up text."""

    board: Board
    words: Words
    seat: int
    """The seat to move."""
    seats: int
    quiet_plies: int
    """Plies since the last irreversible one, for `Rules.quiet_limit`."""
    game: "Game | None" = None
    """The game that is played from here, if it is an opening or a sequel of the game that was set up."""

    def is_on_board_of(self, other: "Start") -> bool:
        """Return whether another start of the same game has the same number of seats, and a board that is equal."""
        if self.seats != other.seats or self.board is None or other.board is None:
            return self.seats == other.seats and self.board is other.board
        return all(np.array_equal(*arrays) for arrays in zip(self.board, other.board, strict=True))


class NamedStart(NamedTuple):
    """A start that players can choose by name instead of the standard one."""

    title: str
    setup: str
    """A set-up text, in which the caller replaces `{seed}` with a random number of up to nine digits."""
    seats: int


class NamedOpening(NamedTuple):
    """A named opening."""

    name: str
    moves: tuple[str, ...]
    """Move texts from the standard start. The name belongs to the position after them, however it is reached."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How play ended by the rules."""

    ranks: tuple[int, ...]
    """For each seat, 1 best; equal ranks share the result."""
    reason: str
    """A code: a key of `Rules.end_reasons`, `repetition` or `quiet_limit`."""

    @property
    def winner(self) -> int | None:
        """The only winning seat, or None."""
        return self.ranks.index(1) if self.ranks.count(1) == 1 else None


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The rules of a game."""

    kernels: Kernels
    position_type: Callable[..., Position]
    """The NamedTuple of the position; all of its fields are `uint64`."""
    position_words: int
    """The number of its fields."""
    end_reasons: Mapping[str, str]
    """Code and explanation of each reason that `Kernels.outcome` returns, in the order of its indices."""
    repetition: Repetition = Repetition.NONE
    quiet_limit: int | None = None
    """The match is drawn after this many consecutive plies without an irreversible one; None: no such rule."""
    judge: Callable[[Board, Words, int, int], Outcome | None] | None = None
    """`(board, words, seat to move, plies since the start)` to the outcome where an option of the match ends it while
    play could continue, or None. The search does not know of it."""
    transient_words: int = 0
    """How many words at the end of a position only say how it came about (passes just made). Repetition ignores them in
    earlier positions, and never forbids a position in which one of them is not zero.
    """
    forced_pass: int = NO_MOVE
    """The move made for a seat without another one while other seats can still move; `NO_MOVE` if seats are never
    skipped. Players never choose it; in perft it is a ply like any other.
    """
    free_pass: int = NO_MOVE
    """The pass that any seat may choose; two in a row end the match. `NO_MOVE` if there is none."""
    sequel: Callable[[Start, Words, int], Start | None] | None = None
    """For a game that is only an opening: `(start, words, seat to move)` to where the match continues, or None while
    the opening lasts."""
    openings: tuple[str, ...] = ()
    """Set-up texts that start with an opening that is a separate game, one for each such opening."""
    territory: Callable[[Board, Words, int], tuple[int | None, ...]] | None = None
    """`(board, words, seat to move)` to the seat that owns each cell, None for no seat. A game that has it lets
    `Kernels.outcome` also judge positions in which play could continue, so that a match can end at its ply limit with
    the reason `TERRITORY`."""
    symmetries: Callable[[Board], tuple[Symmetry, ...]] | None = None
    """The symmetries of a board under which play is unchanged, the identity first; opening books merge positions by
    them. None: only the identity."""
    setup_kernels: tuple[SetupKernel, ...] = ()
    """The kernels that `Texts.parse_setup` calls."""
    why_interpreted: str = field(init=False)
    """Why the kernels are never compiled, as a sentence; empty if they are. They may be plain functions."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "why_interpreted", why_interpreted(self.kernels))
        if self.why_interpreted:
            object.__setattr__(self, "kernels", with_plain_integers(self.kernels))


class PositionEditor(NamedTuple):
    """Setting up positions by hand, piece by piece."""

    compose: Callable[[Start, Drawing, int], str]
    """`(start, drawing, seat to move)` to a set-up text with these pieces on the board of the start, and its options.
    `Texts.parse_setup` says whether it is a position of the game. For clients, the inverse of `draw`."""
    largest_pile: int = 1
    """Maximum number of pieces on a cell; more than 1 in games with stacks."""
    largest_reserve: int = 0
    """Maximum number of pieces that a seat can still have to place; 0 if that follows from the board."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawingFunctions:
    """The functions for drawing."""

    geometry: Callable[[Board], Geometry]
    draw: Callable[[Board, Words, int], Drawing]
    """`(board, words, seat to move)` to the pieces on the board."""
    highlights: Callable[[Board, Words, Sequence[int]], Mapping[int, tuple[Highlight, ...]]] | None = None
    """`(board, words, moves)` to the achievements of these legal moves, without moves that achieve nothing. None:
    nothing is ever highlighted.
    """
    tallies: Callable[[Board, Words, int], tuple[Tally, ...]] | None = None
    """`(board, words, seat to move)` to the game's counts for each seat. None: it counts nothing."""
    editor: PositionEditor | None = None
    """How to set up positions by hand. None: only as text."""


class WrittenPosition(NamedTuple):
    """A position for the writer of another notation."""

    start: Start
    words: Words
    seat: int
    """The seat to move."""
    quiet_plies: int
    ply: int
    """Plies since the start."""
    is_over: bool
    """Whether play is over on the board."""


class Notation(NamedTuple):
    """A notation of positions in other programs. `Texts.parse_setup` also reads it."""

    title: str
    """Its name for users."""
    write: Callable[[WrittenPosition], str]
    """Return the position's text. Raises: SetupError if the notation cannot express it."""
    is_notation: Callable[[str], bool]
    """Return whether a set-up text looks like this notation."""


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Set-ups, positions and moves as text."""

    parse_setup: Callable[[str], Start]
    """Parse a set-up text: a position text, options as `name=value`, both, or neither (the standard start).
    Raises: SetupError."""
    format_position: Callable[[Start, Words, int, int], str]
    """`(start, words, seat, quiet_plies)` to the position text, including options that differ from the standard."""
    parse_move: Callable[[Board, str], int]
    """Parse a move text, which need not be legal. Raises: MoveSyntaxError."""
    format_move: Callable[[Board, int], str]
    read_written_move: Callable[[str], str] = plain_move
    """Convert a move as written by other programs to the game's own text. Unknown text is unchanged."""
    number_move: Callable[[str], str] | None = None
    """Return a move text with numbers for points, as in PlayOK's lists; `read_written_move` reads it. None: PlayOK has
    no such list.
    """
    sgf_number: int | None = None
    """The number of the game in SGF (red-bean.com/sgf/properties.html#GM), where `W` moves for seat 0 and `B` for seat
    1. None: it has none."""
    notations: Mapping[str, Notation] = field(default_factory=dict)
    """The notations of other programs, by their names in commands."""
    capture_mark: str = ""
    """The mark of a capture at the end of a move (`x` in `g7xf4`), if other programs write the capture as a separate
    word (`xf4`). Empty if captures are not written.
    """


@dataclass(frozen=True, slots=True, eq=False)
class Strength:
    """How the engine searches and evaluates a game, and how well each level plays it."""

    skills: tuple[Skill, ...] = DEFAULT_SKILLS
    """One for each of the eight levels, the last being `STRONGEST`. `python -m benchmarks.levels` measures the steps
    between levels, which should be equal."""
    techniques: Techniques = DEFAULT_TECHNIQUES
    """The search techniques, as `benchmarks.ablation` at commit 42e2304 found best."""
    reduction_divisor: float = 2.0
    """Late quiet moves are reduced by about ln(depth) * ln(move number) / this."""
    logistic_scale: int = 100
    """A lead of this many hundredths of a man multiplies the odds of winning by e. `python -m
    benchmarks.expected_score` fits it."""
    draw_share: float = 0.0
    """The approximate share of draws between equal players; 0 if draws are rare. It only divides an expected score into
    wins, draws and losses.
    """
    evaluation: EvaluationTerms | None = None
    """The terms of `Kernels.evaluate`, if its weights can be tuned."""
    other_evaluations: Mapping[str, EvaluationTerms] = field(default_factory=dict)
    """The terms of shipped sets of weights for other terms than `evaluation`, by the name of the set."""
    tablebase: TablebaseKernels | None = None
    """How to find positions in the tablebase, if endgames of the game can be solved."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """A game, equal only to itself."""

    name: str
    """On the wire, in the database and on the command line."""
    title: str
    """Its name for users."""
    seats: tuple[int, ...]
    """The possible numbers of seats, ascending."""
    seat_names: tuple[str, ...]
    """The colours of the seats."""
    rules: Rules
    drawing: DrawingFunctions
    texts: Texts
    strength: Strength = Strength()
    starts: tuple[NamedStart, ...] = ()
    """The named starts besides the standard one."""
    named_openings: tuple[NamedOpening, ...] = ()
    """The named openings, shorter ones first."""
    teaching: Teaching | None = None
    """What newcomers are taught, if the game provides it."""
    puzzles: PuzzleTerms | None = None
    """The game's puzzle tasks, if any."""
    description: str = ""
    """The players' goal, in one sentence for newcomers."""
    showcase: str = ""
    """The set-up text of a typical position, for a picture of the game; empty for the standard start."""

    def __repr__(self) -> str:
        return f"<Game {self.name}>"
