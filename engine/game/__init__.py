"""The contract that every game fulfils: what a game supplies, as values and compiled functions.

Not a base class and no rules: a game is one folder in `engine.games`, its rules are its kernels. Everything that a game
gets for free is elsewhere: history, repetition and the quiet-ply draw (`engine.state`), the crossing from Python to
machine code (`engine.bindings`), search, perft, the line protocol.

Words: a *seat* is a player's place, 0..3, seat 0 of a standard start moves first, and seats strictly rotate. A
*position* is what lies on the board, always from the mover's view: the words of the seat to move come first, then
those of the seats that follow it. A *move* is an integer 1..65535, 0 stands for no move; a taking is part of its
move, and a pass is a move.

Errors, all of them `EngineError`:
    EngineError
    +-- UnknownGameError    no game of that name
    +-- SetupError          a set-up or position text that does not parse, or describes no possible position
    +-- MoveSyntaxError     a move text that does not parse
    +-- IllegalMoveError    a move that parses but is not allowed here
        +-- RepetitionError     nothing else forbids it, but it would bring back an earlier position
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .skill import USUAL_SKILLS, Skill
from .techniques import USUAL_TECHNIQUES, Techniques

Words: TypeAlias = NDArray[np.uint64]
"""A position outside kernels: shape `(game.position_words,)`, the fields of the game's position NamedTuple in order."""

MoveBuffer: TypeAlias = NDArray[np.int32]
"""Where a kernel writes moves: shape `(kernels.max_moves,)`."""

Board: TypeAlias = Any
"""A game's own NamedTuple of arrays with the geometry and options of one match; `Any` since each game has its own."""

Position: TypeAlias = Any
"""A game's own NamedTuple of `uint64`s, in kernels only; `Any` since each game has its own."""

Symmetry: TypeAlias = tuple[int, ...]
"""For each cell of a board, by index, the cell on which it comes to lie when the board is turned or reflected."""

TERRITORY = "territory"
"""The code in `Game.endings` of the ending for which territory is counted, in every game that counts it."""

Endings: TypeAlias = Any
"""A game's own NamedTuple of arrays that finds positions in its solved endings; `Any` since each game has its own."""

TableBytes: TypeAlias = NDArray[np.uint8]
"""A table of solved endings as it lies in a file: `engine.tablebase.codes` says what its entries mean."""

NOT_SOLVED = -1
"""What `SolvedEndings.probe` answers for a position that is in none of the tables at hand."""

NO_MOVE = 0
MOVE_LIMIT = 1 << 16
"""Every move is less than this, so that tables may be indexed by move and a move fits 16 bits of a table entry."""

NOISY_MARK = MOVE_LIMIT
"""The bit that tells a noisy move from a quiet one where `Kernels.mark_noisy` has looked."""


class EngineError(ValueError):
    """Bad input to the engine; its text is fit to be shown to a person."""


class UnknownGameError(EngineError):
    """There is no game of that name."""


class SetupError(EngineError):
    """A set-up or position text that does not parse, or describes no possible position."""


class MoveSyntaxError(EngineError):
    """A move text that does not parse."""


class IllegalMoveError(EngineError):
    """A move that parses but is not allowed in this state."""


class RepetitionError(IllegalMoveError):
    """A move that nothing else forbids, but that would bring back an earlier position (`Repetition.FORBIDDEN`)."""


class Repetition(StrEnum):
    """What a game says of a position that comes back with the same seat to move."""

    DRAW_THIRD = "draw_third"
    """The third occurrence is a draw."""
    FORBIDDEN = "forbidden"
    """A move may not bring back any earlier position; such a game has a `free_pass`, so that a move is always left."""
    NONE = "none"
    """Positions cannot come back."""


class CellShape(StrEnum):
    """How a client draws cells."""

    POINTS = "points"
    SQUARES = "squares"
    HEXES = "hexes"


class Cell(NamedTuple):
    """A place on the board; its index in `Geometry.cells` is its bit in the kernels."""

    name: str
    x: float
    """In units of the distance between neighbours, rightwards."""
    y: float
    """In the same unit, downwards."""


class Geometry(NamedTuple):
    """What a client draws once for each match."""

    shape: CellShape
    cells: tuple[Cell, ...]
    lines: tuple[tuple[int, int], ...]
    """Pairs of indices of cells joined by a drawn line; empty where cells touch."""


class Pile(NamedTuple):
    """What lies on one cell."""

    seat: int
    size: int


class Drawing(NamedTuple):
    """What lies on the board, for a client to draw."""

    piles: tuple[Pile | None, ...]
    """By index of cell."""
    reserves: tuple[int, ...]
    """For each seat the pieces still off the board that it has to place."""
    ground: tuple[bool, ...] | None = None
    """Where the board is still being laid: by index of cell, whether it is part of the board yet."""


class Start(NamedTuple):
    """What a set-up text describes: where a match begins."""

    board: Board
    words: Words
    seat: int
    """The seat to move."""
    seats: int
    quiet_plies: int
    """Plies since the last irreversible one, for `Game.quiet_limit`."""
    game: "Game | None" = None
    """What is played from here, where it is not the game that was set up but an opening of it, or its sequel."""


class NamedStart(NamedTuple):
    """A start besides the standard one that players are offered by name."""

    title: str
    setup: str
    """A set-up text; `{seed}` in it stands for a number of at most nine digits that whoever chooses it draws."""
    seats: int


class Kernels(NamedTuple):
    """The compiled functions of a game, called by other kernels with its `Board` and `Position` NamedTuples."""

    generate_moves: Callable[[Board, Position, MoveBuffer], int]
    """Write every legal move but for repetition, each once, and return their number: 0 exactly when play is over."""
    count_moves: Callable[[Board, Position], int]
    """Return what `generate_moves` would, quicker: the bulk counting of perft."""
    make_move: Callable[[Board, Position, int], Position]
    """Return the position after a legal move, from the view of the seat that follows."""
    outcome: Callable[[Board, Position, NDArray[np.int32]], int]
    """Where `generate_moves` gives 0: write the ranks (1 best, equal ranks share) of the mover and of the seats that
    follow it into the array, and return the index of the reason in `Game.endings`."""
    evaluate: Callable[[Board, Position], int]
    """Return the worth of the position for the mover, in hundredths of a man, within +-20000."""
    is_noisy: Callable[[Board, Position, int], bool]
    """Return whether the move changes the balance, so that quiescence search must follow it."""
    is_irreversible: Callable[[Board, Position, int], bool]
    """Return whether no position before the move can come back after it; such a move also resets the quiet plies."""
    max_moves: int
    """No position has more moves than this."""
    evaluate_for: Callable[[Board, Position, int], int] | None = None
    """Return what `evaluate` does, for the seat that moves after so many others (0: the mover). A game of three or four
    seats supplies it, since there the worth for one seat does not follow from that for another."""
    generate_noisy: Callable[[Board, Position, MoveBuffer], int] | None = None
    """Write what `generate_moves` does, but only the moves that `is_noisy` is true of, and return their number: quicker
    where most moves are quiet. None stands for taking them out of all moves."""
    mark_noisy: Callable[[Board, Position, MoveBuffer, int], None] | None = None
    """Add `NOISY_MARK` to those of the first so many moves of the buffer that `is_noisy` is true of: quicker where one
    look at the board tells of all of them. None stands for asking of each."""
    pass_turn: Callable[[Board, Position], Position] | None = None
    """Return the position with the turn handed to the seat that follows and nothing else changed, as if the mover could
    pass: the null move of the search. A game in which moving may well be worse than that has none."""
    may_pass: Callable[[Board, Position], bool] | None = None
    """Return whether the search may take it that some move is as good as `pass_turn`; None stands for always."""
    is_over: Callable[[Board, Position], bool] | None = None
    """Return whether `count_moves` would give 0: quicker where one move is found sooner than all are counted. None
    stands for counting them."""
    is_dead: Callable[[Board, Position], bool] | None = None
    """Return whether neither side can win any more unless the other lets it; None stands for never being sure."""


class SolvedEndings(NamedTuple):
    """How a game finds its positions in tables of solved endings (`engine.tablebase`)."""

    open_tables: Callable[[Mapping[str, TableBytes]], Endings]
    """Tables by name, as many as there are, to what `probe` takes; they must be kept as long as that is used."""
    probe: Callable[[Endings, Board, Position], int]
    """A kernel: the code of a position, or `NOT_SOLVED`."""
    reach: Callable[[Endings], int]
    """A kernel: the largest `size` of the positions in the tables at hand, or -1 if there are none."""
    size: Callable[[Position], int]
    """A kernel: what tells at once that most positions are in no table, since handing all of the endings to `probe`
    costs as much as half a node of a search."""
    ends_unless_quiet: Callable[[Position], bool]
    """A kernel: whether any irreversible move now or later ends the match, so that quiet plies are never counted
    anew."""


WeightTable: TypeAlias = NDArray[np.int64]
"""Weights by row and term, in hundredths of a man: `Worth.shares` says what rows are."""


PatternTable: TypeAlias = NDArray[np.int16]
"""What each way to fill a pattern is worth, in hundredths of a man: shape `(phases, columns)`."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Cells that are looked at together, each way to fill them having a worth of its own: what no sum of terms tells.

    See Buro, From simple features to sophisticated evaluation functions, 1999. A *site* is where on the board a pattern
    lies; a *column* stands for a way to fill a pattern at a site, and those that symmetry makes alike share a *kind*,
    which has the weight.
    """

    phases: tuple[str, ...]
    """The stages of a match that have weights of their own."""
    kinds: NDArray[np.int32]
    """The kind of each column."""
    signs: NDArray[np.int8]
    """By which each column takes the weight of its kind: -1 where the sides have changed places, 0 where they are in
    the same case."""
    columns_of: Callable[[Board, Position], tuple[int, ...]]
    """A kernel: the column of each site, mover's view."""
    phase_of: Callable[[Board, Position], int]
    """A kernel: the phase of a position."""


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What `Kernels.evaluate` adds up, for a game whose weights are data: terms, each with a weight in each phase."""

    package: str
    """Where the weights that ship with the game lie: `engine.weights`."""
    terms: tuple[str, ...]
    """What is counted, in the order of a table's columns."""
    phases: tuple[str, ...]
    """The stages of a match that have weights of their own."""
    shares: NDArray[np.float64]
    """How much each row of a table has of each phase, between which rows pass over: shape `(rows, phases)`."""
    weigh: Callable[[Board, Position, int, WeightTable], int]
    """A kernel: the sum of the terms by the weights of a table, from the view of the seat that moves after so many
    others (0: the mover). It is linear in the table but where the rules set it bounds, which is how `engine.tuning`
    learns what a position counts."""
    patterns: Patterns | None = None
    """What is added to the terms, for the mover, in a game for two."""


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The rules of a game: a record of facts and functions, equal only to itself."""

    name: str
    """On the wire, in the database and on the command line."""
    title: str
    """For people."""
    seats: tuple[int, ...]
    """The numbers of seats that it can be played with, ascending."""
    seat_names: tuple[str, ...]
    """What the seats are called: their colours."""
    kernels: Kernels
    position_type: Callable[..., Position]
    """The NamedTuple of the position; all of its fields are `uint64`."""
    position_words: int
    """How many fields it has."""
    repetition: Repetition
    quiet_limit: int | None
    """So many plies in a row without an irreversible one are a draw; None where there is no such rule."""
    endings: Mapping[str, str]
    """The codes of the reasons that `Kernels.outcome` counts, in order, each with a sentence for people."""
    parse_setup: Callable[[str], Start]
    """Read a set-up text: a position text, options as `name=value`, both or none (the standard start).
    Raises: SetupError."""
    format_position: Callable[[Start, Words, int, int], str]
    """`(start, words, seat, quiet_plies)` to the position text, options that differ from the standard included."""
    geometry: Callable[[Board], Geometry]
    draw: Callable[[Board, Words, int], Drawing]
    """`(board, words, seat to move)` to what lies where."""
    parse_move: Callable[[Board, str], int]
    """Read a move text, well-formed but perhaps illegal. Raises: MoveSyntaxError."""
    format_move: Callable[[Board, int], str]
    clicks: Callable[[Board, int], tuple[str, ...]]
    """The cells (by name) and choices that a person clicks to enter the move. No move's clicks begin another's."""
    starts: tuple[NamedStart, ...] = ()
    """What may be chosen for a match besides the standard start."""
    transient_words: int = 0
    """So many words at the end of a position tell how it came about (passes just made) and are no part of what may come
    back: repetition takes them for zero in earlier positions, and never refuses a position in which one is not zero."""
    forced_pass: int = NO_MOVE
    """The move that is made for a seat that has no other while another seat can still move; `NO_MOVE` where no seat is
    ever passed over. Nobody chooses it, so perft ends a line there."""
    free_pass: int = NO_MOVE
    """The pass that any seat may choose, two of which end a match; `NO_MOVE` where there is none."""
    sequel: Callable[[Start, Words, int], Start | None] | None = None
    """`(start, words, seat to move)` to where the match goes on when this game is only an opening and has come to its
    end; None until then."""
    openings: tuple[str, ...] = ()
    """Set-up texts that begin with an opening which is a game of its own, one for each such game."""
    territory: Callable[[Board, Words, int], tuple[int | None, ...]] | None = None
    """`(board, words, seat to move)` to the seat that holds each cell, or None for nobody's. Where a game has it,
    `Kernels.outcome` also judges positions in which play could go on, so that a match that reaches its time limit ends,
    and `TERRITORY` is the code of the ending for which it is counted."""
    symmetries: Callable[[Board], tuple[Symmetry, ...]] | None = None
    """What may be done with a board and all that lies on it without a difference to play, so that an opening book sees
    such positions as one; the first leaves everything in place. None where there is nothing of the kind."""
    techniques: Techniques = USUAL_TECHNIQUES
    """What its search uses, as `python -m benchmarks.ablation` found best."""
    reduction_divisor: float = 2.0
    """A late quiet move is searched less deep by about ln depth times ln its number over this: the less, the more."""
    skills: tuple[Skill, ...] = USUAL_SKILLS
    """How well each of the eight levels plays it, the last being `STRONGEST`: in steps that are alike by the measure of
    `python -m benchmarks.levels`."""
    logit_lead: int = 100
    """A lead of so many hundredths of a man multiplies the odds of winning by e; `python -m benchmarks.expected_score`
    finds it."""
    worth: Worth | None = None
    """What its `Kernels.evaluate` adds up, where weights can be tuned."""
    solved: SolvedEndings | None = None
    """Where endings of the game can be solved to the end: how to find positions in the tables that hold them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How play ended by the rules."""

    ranks: tuple[int, ...]
    """For each seat, 1 best; equal ranks share the result."""
    reason: str
    """A code: one of `Game.endings`, `repetition` or `quiet_limit`."""

    @property
    def winner(self) -> int | None:
        """The seat that won alone, or None."""
        return self.ranks.index(1) if self.ranks.count(1) == 1 else None
