"""The compiled functions of a game, and the types of their arguments.

A kernel takes a game's `Board` (the geometry and options of one match) and `Position`, both NamedTuples of the game.
Positions are always from the mover's view: the words of the seat to move come first, then those of the seats after it.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel

Words: TypeAlias = NDArray[np.uint64]
"""A position outside kernels: shape `(rules.position_words,)`, the fields of the game's position type in order."""

MoveBuffer: TypeAlias = NDArray[np.int32]
"""An array that a kernel writes moves to: shape `(kernels.max_moves,)`."""

ClickBuffer: TypeAlias = NDArray[np.int16]
"""An array that a kernel writes the clicks of one move to: at least `kernels.max_clicks` long."""

Board: TypeAlias = Any
"""A game's NamedTuple of arrays with the geometry and options of one match; `Any`, since each game has its own."""

Position: TypeAlias = Any
"""A game's NamedTuple of `uint64`s, used in kernels only; `Any`, since each game has its own."""

TablebaseIndex: TypeAlias = Any
"""A game's NamedTuple of arrays that finds positions in its tablebase; `Any`, since each game has its own."""

TableBytes: TypeAlias = NDArray[np.uint8]
"""A tablebase file's content; `engine.tablebase.codes` defines its entries."""

NOT_IN_TABLEBASE = -1
"""The result of `TablebaseKernels.probe` for a position that none of the opened tables holds."""

NO_MOVE = 0
NO_CLICK = -1
"""The filler after the last click of a move (`engine.bindings`)."""
MOVE_LIMIT = 1 << 16
"""Every move is less than this, so that arrays can be indexed by move and a move fits 16 bits of a table entry."""

NOISY_MARK = MOVE_LIMIT
"""The bit set by `Kernels.mark_noisy` in noisy moves."""


@kernel
def no_lead(_board: Board, _position: Position) -> int:
    """Return 0: the evaluation of a game without one."""
    return 0


@kernel
def is_never_noisy(_board: Board, _position: Position, _move: int) -> bool:
    """Return False: for games without captures."""
    return False


@kernel
def is_always_irreversible(_board: Board, _position: Position, _move: int) -> bool:
    """Return True: for games in which positions cannot repeat."""
    return True


@kernel
def may_always_pass(_board: Board, _position: Position) -> bool:
    """Return True: for games in which moving is hardly ever worse than passing."""
    return True


@kernel
def may_always_prune(_board: Board, _position: Position) -> bool:
    """Return True: for games whose evaluation foretells a win as well near the end as before."""
    return True


@kernel
def always_hyphen(_board: Board, _position: Position, _move: int, _index: int) -> int:
    """Return the code of `-`: for games whose moves are written like `a1-a4`."""
    return 45


class Kernels(NamedTuple):
    """The compiled functions of a game."""

    generate_moves: Callable[[Board, Position, MoveBuffer], int]
    """Write every legal move once, ignoring repetition, and return their number: 0 exactly when play is over."""
    count_moves: Callable[[Board, Position], int]
    """Return the number of moves that `generate_moves` would write, without writing them (bulk counting in perft)."""
    make_move: Callable[[Board, Position, int], Position]
    """Return the position after a legal move, from the view of the next seat."""
    outcome: Callable[[Board, Position, NDArray[np.int32]], int]
    """Where `generate_moves` returns 0: write the ranks of the mover and of the seats after it into the array (1 is
    best; equal ranks share the result), and return the index of the reason in `Rules.end_reasons`."""
    write_clicks: Callable[[Board, Position, int, ClickBuffer], int]
    """Write what a player clicks to enter a legal move, each as an index of `Geometry.click_names`, and return the
    number of clicks. No move's clicks are a prefix of another's."""
    max_moves: int
    """The largest number of moves in any position."""
    max_clicks: int
    """The largest number of clicks of any move."""
    evaluate: Callable[[Board, Position], int] = no_lead
    """Return the static evaluation for the mover, in hundredths of a man, within +-20000."""
    is_noisy: Callable[[Board, Position, int], bool] = is_never_noisy
    """Return whether the move changes the material balance, so that quiescence search must follow it."""
    is_irreversible: Callable[[Board, Position, int], bool] = is_always_irreversible
    """Return whether no position before the move can occur after it. Such a move resets the quiet plies."""
    evaluate_for: Callable[[Board, Position, int], int] | None = None
    """Return the static evaluation for the seat `turn` plies after the mover (0: the mover). Required for games of
    three or four seats, where the evaluation for one seat does not follow from that for another."""
    generate_noisy: Callable[[Board, Position, MoveBuffer], int] | None = None
    """Write only the noisy moves and return their number. None: the search filters all moves with `is_noisy`."""
    mark_noisy: Callable[[Board, Position, MoveBuffer, int], None] | None = None
    """Set `NOISY_MARK` in the noisy ones among the first `count` moves of the buffer. None: the search calls `is_noisy`
    for each move."""
    pass_turn: Callable[[Board, Position], Position] | None = None
    """Return the position with the next seat to move and nothing else changed, for null-move pruning. None: the game
    has no null move, because of zugzwang."""
    may_pass: Callable[[Board, Position], bool] = may_always_pass
    """Return whether the null-move observation can be trusted here."""
    may_prune: Callable[[Board, Position], bool] = may_always_prune
    """Return whether futility pruning, of moves and of nodes, can trust the static evaluation here although a side
    leads."""
    is_over: Callable[[Board, Position], bool] | None = None
    """Return whether `count_moves` would return 0, if that can be determined faster. None: the search counts."""
    is_settled: Callable[[Board, Position], bool] | None = None
    """For a game of two seats with a free pass: return whether each side gets the result that `outcome` gives now by
    passing only, whatever the other plays. None: never known."""
    separator: Callable[[Board, Position, int, int], int] = always_hyphen
    """Return the code of the character that follows the name of the click of this index in a move's text, unless it is
    the last. Browsers write moves so; `Texts.format_move` must write the same."""
    draw: Callable[[Board, Position, NDArray[np.int16], NDArray[np.int16]], None] | None = None
    """Write what a browser draws while the server is away; see `engine.game.drawing_kernels`. It must be what
    `DrawingFunctions` and `Rules.territory` return. None: the game cannot be played without the server."""


class TablebaseKernels(NamedTuple):
    """How a game finds its positions in its tablebase (`engine.tablebase`)."""

    open_tables: Callable[[Mapping[str, TableBytes]], TablebaseIndex]
    """Return the index of the given tables, by name; any subset may be given. The caller keeps the arrays alive while
    it uses the index."""
    probe: Callable[[TablebaseIndex, Board, Position], int]
    """A kernel: return the code of a position, or `NOT_IN_TABLEBASE`."""
    reach: Callable[[TablebaseIndex], int]
    """A kernel: return the largest `size` of a position in the opened tables, or -1 if there are none."""
    size: Callable[[Position], int]
    """A kernel: return a number that exceeds `reach` for most positions outside the tables. It is a cheap test before
    `probe`, which costs half as much as a node of the search."""
    ends_unless_quiet: Callable[[Position], bool]
    """A kernel: return whether every irreversible move from here on ends the match, so that quiet plies are never
    reset."""
