"""Analysis: exploring lines of play without a match, with the engine's and the tablebase's results."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .fields import (
    CommandId,
    CommandIdField,
    CountField,
    MatchId,
    MatchIdField,
    Message,
    MoveTextField,
    MoveTree,
    Part,
    SeatField,
    SetupTextField,
)
from .values import Board, Change, View

MAX_LINE_MOVES = 400
"""Maximum number of moves in a line after the match or set-up that it starts from."""

MAX_SECONDS = 60


class Line(Part, frozen=True):
    """A line of play: where it starts, and the moves from there.

    It starts from a match after `ply` plies, or, if no match is named, from a set-up of a game.
    """

    game: Annotated[str, msgspec.Meta(max_length=32)] = ""
    setup: SetupTextField = ""
    match: MatchIdField | None = None
    ply: CountField = 0
    moves: Annotated[tuple[MoveTextField, ...], msgspec.Meta(max_length=MAX_LINE_MOVES)] = ()
    """Move texts, or clicks separated by single spaces."""


class Explore(Message, frozen=True):
    """Get the board at the end of a line, and the legal moves there; answered by `Explored`."""

    id: CommandIdField
    line: Line


class GetLegalMoves(Message, frozen=True):
    """Get the texts of the legal moves at the end of a line; answered by `LegalMoves`."""

    id: CommandIdField
    line: Line


class Compose(Message, frozen=True):
    """Set up a position by its pieces; answered by `Composed`."""

    id: CommandIdField
    game: Annotated[str, msgspec.Meta(max_length=32)]
    setup: SetupTextField = ""
    """The set-up that provides the board and the options."""
    piles: Annotated[tuple[Change, ...], msgspec.Meta(max_length=256)] = ()
    """The occupied cells."""
    reserves: Annotated[tuple[CountField, ...], msgspec.Meta(max_length=4)] = ()
    """Each seat's pieces still to be placed, where they are chosen (`EditorInfo.largest_reserve`); else empty."""
    to_move: SeatField = 0


class Composed(Message, frozen=True):
    """Answers `Compose`."""

    id: CommandId
    position: str
    """Text that `Create` and `Line` take as a set-up."""


class Analyse(Message, frozen=True):
    """Search the end of a line; answered by `Evaluated`, repeatedly as the search deepens.

    A player has one search at a time: a new one replaces it.
    """

    id: CommandIdField
    line: Line
    variations: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    """Number of best moves to return, each with its continuation."""
    seconds: Annotated[int, msgspec.Meta(ge=1, le=MAX_SECONDS)] = 8
    """Maximum processor time, taken from the player's allowance."""
    also: MoveTextField | None = None
    """Another move to score, as deeply as the best one."""


class StopAnalysis(Message, frozen=True):
    """End your search; answered by `Done`."""

    id: CommandIdField


class AnalyseMatch(Message, frozen=True):
    """Review every move of a finished match; answered by `MatchProgress`, and finally by `MatchAnalysed`."""

    id: CommandIdField
    match: MatchIdField
    only_stored: bool = False
    """Whether to answer only with a stored review, or with `Done` if there is none."""


class ProbeTablebase(Message, frozen=True):
    """Get the result of the end of a line under perfect play, if it is solved; answered by `TablebaseProbed`."""

    id: CommandIdField
    line: Line


class GetEngineLine(Message, frozen=True):
    """Get the end of a line for the game's engine in a browser; answered by `EngineLine`."""

    id: CommandIdField
    line: Line


class EngineLine(Message, frozen=True):
    """Answers `GetEngineLine`: what a page writes into the game's WebAssembly module. Arrays are little-endian, in
    base64.
    """

    id: CommandId
    module: str | None
    """The address of the module; None if there is none for this board. The other fields are then empty."""
    board: Mapping[str, str] = {}
    """The board's arrays, by name."""
    words: str = ""
    """The position that the line starts with, or the last position at which the board changed."""
    quiet_plies: int = 0
    """Plies before it that count towards the limit of quiet plies."""
    seats: int = 0
    first_seat: int = 0
    """The seat to move there."""
    moves: tuple[int, ...] = ()
    """The moves since then, in the module's numbers."""
    clicks: tuple[str, ...] = ()
    """The names of clicks, by the module's numbers."""


class Explored(Message, frozen=True):
    """Answers `Explore`: the end of the line."""

    id: CommandId
    seats: int
    ply: int
    """Plies since the start of the match or the set-up."""
    to_move: int | None
    """None if play is over."""
    board: Board
    view: View
    """The whole board."""
    position: str
    """Text that `Create` and `Line` take as a set-up."""
    move: str
    """The text of the line's last move; empty if it has none."""
    moves: MoveTree
    refused: MoveTree
    """Moves forbidden only by the ban on repetition."""
    ranks: tuple[int, ...] | None = None
    """For each seat, 1 is best; None if play is not over."""
    explanation: str = ""
    """Why play is over, as a sentence for people."""
    score: "Score | None" = None
    """The evaluation, if play is over."""
    notations: Mapping[str, str] = {}
    """The position in the notations of other programs that can express it, by title; these are also accepted as
    set-ups.
    """
    territory: tuple[int, ...] | None = None
    """The seat that holds each cell, by index, or -1, in games that count territory."""


class LegalMove(Part, frozen=True):
    """A legal move."""

    move: str
    """Its text, as shown after it is played."""
    clicks: tuple[str, ...]


class LegalMoves(Message, frozen=True):
    """Answers `GetLegalMoves`: every legal move once; empty if play is over."""

    id: CommandId
    moves: tuple[LegalMove, ...]


class Score(Part, frozen=True):
    """The evaluation of a position for a seat: for seat 0 of two, otherwise for the seat to move."""

    seat: int
    hundredths: int | None
    """In hundredths of a man; None if the end is in sight."""
    ends_in: int | None
    """Plies until the seat wins; negative if it loses. None if no end is in sight."""
    expectation: float
    """The seat's chance to win, a draw counting half, 0 to 1."""


class Variation(Part, frozen=True):
    """A move and its continuation, as the engine expects it."""

    score: Score
    moves: tuple[str, ...]
    """The moves; empty only if play is over."""
    clicks: tuple[str, ...] = ()
    """The clicks of the first move."""


class Evaluated(Message, frozen=True):
    """Answers `Analyse`, each time with a deeper search."""

    id: CommandId
    depth: int
    """In plies; 0 if play is over."""
    nodes: int
    """Nodes visited since the search began."""
    nodes_per_second: int
    variations: tuple[Variation, ...]
    """The best first."""
    also: Variation | None
    is_final: bool
    """Whether this is the last answer."""
    left_ms: int
    """The rest of the player's allowance."""


class Judgement(StrEnum):
    """How much a move gave away."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class JudgedPly(Part, frozen=True):
    """A move of a match, and what would have been better."""

    seat: int
    move: str
    is_forced: bool
    """Whether it was the only legal move; then it is never a mistake."""
    best: Variation
    """The engine's choice."""
    score: Score
    """The score of the move that was played, searched as deeply."""
    loss: float
    """How much lower the seat's chance to win is than after the best move, 0 to 1."""
    judgement: Judgement
    depth: int


class MatchProgress(Message, frozen=True):
    """The number of moves reviewed so far."""

    id: CommandId
    match: MatchId
    done: int
    total: int


class MatchAnalysed(Message, frozen=True):
    """Answers `AnalyseMatch`."""

    id: CommandId
    match: MatchId
    engine: str
    """The version of the engine."""
    plies: tuple[JudgedPly, ...]
    accuracies: tuple[float | None, ...] = ()
    """Each seat's accuracy in percent; None for a seat that never had a choice."""
    turning_point: int | None = None
    """The number of the ply, from 1, that decided the match; None if no ply did."""


class SolvedMove(Part, frozen=True):
    """A move in a solved position, from the view of the seat that plays it."""

    move: str
    result: int
    """1 wins, 0 draws, -1 loses."""
    plies: int | None
    """Plies to the end after the move, 0 if it ends play; None for a draw, or if only the result is known."""


class SolvedPosition(Part, frozen=True):
    """A solved position, from the view of the seat to move."""

    result: int
    """1 wins, 0 draws, -1 loses."""
    plies: int | None
    """Plies to the end, 0 if play is over; None for a draw, or if only the result is known.

    Without plies, a win or loss ignores the draw by quiet plies.
    """
    moves: tuple[SolvedMove, ...]
    """The legal moves whose result is known, the best first."""


class TablebaseProbed(Message, frozen=True):
    """Answers `ProbeTablebase`."""

    id: CommandId
    tables: tuple[str, ...]
    """The available tables, with or without distances, named by the men of the side to move and of the other; empty for
    games without a tablebase.
    """
    solved: SolvedPosition | None
    """None if the result is not known, or if the draw by quiet plies may come before the known end."""


AnalysisCommand: TypeAlias = (
    Explore | GetLegalMoves | GetEngineLine | Compose | Analyse | StopAnalysis | AnalyseMatch | ProbeTablebase
)
AnalysisAnswer: TypeAlias = (
    Explored | LegalMoves | EngineLine | Composed | Evaluated | MatchProgress | MatchAnalysed | TablebaseProbed
)
