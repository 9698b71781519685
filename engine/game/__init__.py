"""What a game supplies, as values and compiled functions.

A game is a value, not a class to derive from: one folder in `engine.games`, whose kernels are its rules. A game gets
history, repetition and the draw by quiet plies from `engine.state`, calls from Python into machine code from
`engine.bindings`, and search, perft and UCI for free.

Terms: a *seat* is a player's place, 0..3; seat 0 of a standard start moves first, and seats strictly rotate. A
*position* is what is on the board, from the mover's view. A *move* is an integer 1..65535, and 0 is no move; a capture
is part of its move, and a pass is a move.

    errors.py              the exceptions
    geometry.py            the board as a client draws it, and its symmetries
    board_lines.py         the board as lines of text
    kernels.py             the compiled functions
    drawing_kernels.py     what they write for a browser to draw
    evaluation_terms.py    what the static evaluation adds up
    pattern_shapes.py      which ways to fill a pattern are equal
    skill.py               what limits a level's search, and how it errs
    techniques.py          the search techniques, which a game switches on and off
    puzzle_terms.py        what puzzles ask for, and their themes
    teaching.py            the rules in short, a lesson, and explanations of moves
    game.py                the record of all that
    repetition_kernels.py  the rules on repetition
    plain_rules.py         rules that are interpreted
    texts.py               what a translator translates
"""

from .errors import EngineError, IllegalMoveError, MoveSyntaxError, RepetitionError, SetupError, UnknownGameError
from .evaluation_terms import EvaluationTerms, Patterns, PatternTable, WeightTable
from .game import (
    GENERAL_REASONS,
    TERRITORY,
    DrawingFunctions,
    Game,
    NamedOpening,
    NamedStart,
    Notation,
    Outcome,
    PositionEditor,
    Repetition,
    Rules,
    Start,
    Strength,
    Texts,
    WrittenPosition,
)
from .geometry import Cell, CellShape, Drawing, Geometry, Highlight, Pile, Symmetry, Tally
from .kernels import (
    MOVE_LIMIT,
    NO_CLICK,
    NO_MOVE,
    NOISY_MARK,
    NOT_IN_TABLEBASE,
    Board,
    ClickBuffer,
    Kernels,
    MoveBuffer,
    Position,
    TablebaseIndex,
    TablebaseKernels,
    TableBytes,
    Words,
)
from .puzzle_terms import Miss, PuzzleTask, PuzzleTerms, SolutionMove
from .setup_kernels import SetupKernel
from .teaching import LessonGoal, LessonStep, Remark, RemarkTexts, Rule, Teaching

__all__ = [
    "GENERAL_REASONS",
    "MOVE_LIMIT",
    "NOISY_MARK",
    "NOT_IN_TABLEBASE",
    "NO_CLICK",
    "NO_MOVE",
    "TERRITORY",
    "Board",
    "Cell",
    "CellShape",
    "ClickBuffer",
    "Drawing",
    "DrawingFunctions",
    "EngineError",
    "EvaluationTerms",
    "Game",
    "Geometry",
    "Highlight",
    "IllegalMoveError",
    "Kernels",
    "LessonGoal",
    "LessonStep",
    "Miss",
    "MoveBuffer",
    "MoveSyntaxError",
    "NamedOpening",
    "NamedStart",
    "Notation",
    "Outcome",
    "PatternTable",
    "Patterns",
    "Pile",
    "Position",
    "PositionEditor",
    "PuzzleTask",
    "PuzzleTerms",
    "Remark",
    "RemarkTexts",
    "Repetition",
    "RepetitionError",
    "Rule",
    "Rules",
    "SetupError",
    "SetupKernel",
    "SolutionMove",
    "Start",
    "Strength",
    "Symmetry",
    "TableBytes",
    "TablebaseIndex",
    "TablebaseKernels",
    "Tally",
    "Teaching",
    "Texts",
    "UnknownGameError",
    "WeightTable",
    "Words",
    "WrittenPosition",
]
