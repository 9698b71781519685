"""Analysing: walking through lines of play without a match, and what an engine and solved endings say of them."""

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
    SetupTextField,
)
from .values import Board, View

MOST_MOVES = 400
"""A line goes on for so many moves past the match, or the set-up, that it begins from."""

MOST_SECONDS = 60


class Line(Part, frozen=True):
    """A line of play: where it begins, and the moves from there.

    It begins from a match after `ply` plies, or, where no match is named, from a set-up of a game.
    """

    game: Annotated[str, msgspec.Meta(max_length=32)] = ""
    setup: SetupTextField = ""
    match: MatchIdField | None = None
    ply: CountField = 0
    moves: Annotated[tuple[MoveTextField, ...], msgspec.Meta(max_length=MOST_MOVES)] = ()
    """Texts, or clicks divided by single spaces."""


class Explore(Message, frozen=True):
    """Ask what lies on the board at the end of a line and what may be played there; answered by `Explored`."""

    id: CommandIdField
    line: Line


class Analyse(Message, frozen=True):
    """Have an engine search the end of a line; answered by `Evaluated`, again and again as it sees further.

    A person has one search at a time: another takes its place.
    """

    id: CommandIdField
    line: Line
    variations: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    """So many of the best moves are told, each with how play goes on."""
    seconds: Annotated[int, msgspec.Meta(ge=1, le=MOST_SECONDS)] = 8
    """Of a processor, at most; they are taken from what a person has to spend."""
    also: MoveTextField | None = None
    """A move that is valued besides, as deeply as the best one."""


class StopAnalysis(Message, frozen=True):
    """Have one's search end; answered by `Done`."""

    id: CommandIdField


class AnalyseMatch(Message, frozen=True):
    """Have every ply of a match that is over judged; answered by `MatchProgress` and in the end `MatchAnalysed`."""

    id: CommandIdField
    match: MatchIdField


class LookUp(Message, frozen=True):
    """Ask how the end of a line ends with the best play of all, where that is solved; answered by `LookedUp`."""

    id: CommandIdField
    line: Line


class Explored(Message, frozen=True):
    """Answers `Explore`: the end of the line."""

    id: CommandId
    seats: int
    ply: int
    """Plies since the start of the match or of the set-up."""
    to_move: int | None
    """None if play is over."""
    board: Board
    view: View
    """All that lies on the board."""
    position: str
    """Text that `Create` and `Line` take as a set-up."""
    move: str
    """The text of the line's last move; empty if it has none."""
    moves: MoveTree
    refused: MoveTree
    """The moves that nothing forbids but the ban on repetition."""
    ranks: tuple[int, ...] | None = None
    """For each seat, 1 best, if play is over by the rules of the board."""
    words: str = ""
    """Why it is over, for people."""


class Worth(Part, frozen=True):
    """What a position is worth to a seat: to seat 0 of two, else to the seat that is to move."""

    seat: int
    hundredths: int | None
    """Of a man; None where the end is seen."""
    ends_in: int | None
    """The seat wins in so many plies; less than 0, it loses in so many. None where no end is seen."""
    expectation: float
    """The chance that the seat wins, a draw counting half, 0 to 1."""


class Variation(Part, frozen=True):
    """A move, and how play goes on if all play what the engine thinks best."""

    worth: Worth
    moves: tuple[str, ...]
    """Empty only if play is over."""
    clicks: tuple[str, ...] = ()
    """What a client clicks to play the first of them."""


class Evaluated(Message, frozen=True):
    """Answers `Analyse`, each time with more."""

    id: CommandId
    depth: int
    """In plies; 0 if play is over."""
    nodes: int
    """Searched for the best move, since the search began."""
    nodes_a_second: int
    variations: tuple[Variation, ...]
    """The best first."""
    also: Variation | None
    is_final: bool
    """Whether nothing more will come."""
    left_ms: int
    """What the person has left to spend now."""


class Judgement(StrEnum):
    """How much a ply gave away."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class JudgedPly(Part, frozen=True):
    """A ply of a match, and what would have been better."""

    seat: int
    move: str
    is_forced: bool
    """Whether there was no other; then nothing is held against it."""
    best: Variation
    """What the engine would have played."""
    worth: Worth
    """Of the move that was played, as deeply."""
    loss: float
    """By how much the seat's expectation fell short of the best move's, 0 to 1."""
    judgement: Judgement
    depth: int


class MatchProgress(Message, frozen=True):
    """How many plies of a match are judged."""

    id: CommandId
    match: MatchId
    done: int
    total: int


class MatchAnalysed(Message, frozen=True):
    """Answers `AnalyseMatch`."""

    id: CommandId
    match: MatchId
    engine: str
    """Which version of the engine judged."""
    plies: tuple[JudgedPly, ...]


class SolvedMove(Part, frozen=True):
    """A move in a solved ending, told for the seat that plays it."""

    move: str
    result: int
    """1 wins, 0 draws, -1 loses."""
    plies: int | None
    """To the end, counted from after the move; None of a draw."""


class SolvedPosition(Part, frozen=True):
    """A solved ending, told for the seat to move."""

    result: int
    """1 wins, 0 draws, -1 loses."""
    plies: int | None
    """To the end; None of a draw."""
    moves: tuple[SolvedMove, ...]
    """Those of the legal moves whose end is known, the best first."""


class LookedUp(Message, frozen=True):
    """Answers `LookUp`."""

    id: CommandId
    tables: tuple[str, ...]
    """Which endings are solved here, by the men of the side to move and of the other; empty for games without any."""
    solved: SolvedPosition | None
    """None if this one is in none of them, or if the draw by quiet plies may come before its end."""


AnalysisCommand: TypeAlias = Explore | Analyse | StopAnalysis | AnalyseMatch | LookUp
AnalysisAnswer: TypeAlias = Explored | Evaluated | MatchProgress | MatchAnalysed | LookedUp
