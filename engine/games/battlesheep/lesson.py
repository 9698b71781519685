"""Battle Sheep's rules in short and its lesson."""

from ...game import Board, LessonStep, Rule, Words
from ...game.teaching import accepts_any

RULES = (
    Rule("Goal", "Cover more cells of the pasture with your sheep than anyone else."),
    Rule("Starting", "Each player places a stack of 16 sheep on an empty cell of the outer edge. Red begins."),
    Rule("Splitting", "On your turn, take part of one of your stacks. At least one sheep stays behind."),
    Rule("Sliding", "The sheep run in one of six directions until a stack, a hole or the edge stops them."),
    Rule("Stopped", "A stack of one sheep cannot move. Neither can a stack without an empty neighbouring cell."),
    Rule("Passing", "A player who cannot move is passed over. The others go on."),
    Rule("End", "When nobody can move, most cells win. If that is equal, the largest connected group of cells wins."),
)


def splits_three_ways(_board: Board, _before: Words, move: int, _after: Words) -> bool:
    """Accept the moves of two to four sheep: from a stack of six, both parts can still move."""
    return 2 <= move >> 12 <= 4


LESSON = (
    LessonStep(
        "Place your stack",
        "You are Red. Both players begin with one stack of 16 sheep. Place yours on any cell of the outer edge.",
        "",
        accepts_any,
        "Good. Room on all sides matters more than a corner.",
    ),
    LessonStep(
        "Split and slide",
        "Choose your stack, then a cell where some of it can go, then how many sheep go. At least one stays behind.",
        "",
        accepts_any,
        "Now you hold two cells. Every turn adds one cell.",
        moves=("a3", "f6"),
    ),
    LessonStep(
        "Run to the end",
        "Sheep never stop half way: they run until a stack, a hole or the edge is in front of them. "
        "Send some of your sheep to the cell beside Blue's stack.",
        "r6,0,0,0,b6/.,0,0,0,0/.,.,0,0,0 r 2",
        ("a1-d1:1", "a1-d1:2", "a1-d1:3", "a1-d1:4", "a1-d1:5"),
        "They ran along the row and stopped in front of Blue's stack.",
        "They ran another way. Send them along the top row to d1.",
    ),
    LessonStep(
        "Keep moving",
        "A stack of one sheep can never move again. Split your six sheep so that both parts can still move: "
        "send two, three or four.",
        "r6,0,0,0,b6/.,0,0,0,0/.,.,0,0,0 r 2",
        splits_three_ways,
        "Both stacks have sheep to spare.",
        "One of the two stacks has a single sheep now, and cannot move. Send two, three or four.",
    ),
    LessonStep(
        "Cut off",
        "Blue's stack has one way out, along the top row. Close it with some of your sheep.",
        "b4,0,0,r5,0/.,.,.,0,0 r 2",
        ("d1-b1:1", "d1-b1:2", "d1-b1:3", "d1-b1:4"),
        "Blue's four sheep are stuck on one cell. The rest of the pasture is yours.",
        "Blue can still get out. Send sheep along the top row to b1.",
    ),
    LessonStep(
        "Passed over",
        "Blue cannot move. A player who cannot move is passed over, and the others go on. Make your move.",
        "b1,r4,0,0 r 2",
        accepts_any,
        "Blue is passed over, and you move again until your sheep cannot move either.",
        reply="pass",
    ),
    LessonStep(
        "The largest group",
        "This is the last move, and both players will hold four cells. Then the largest connected group wins. "
        "Connect your sheep.",
        "b1,r1,r1,0,r2,0,b1,b1,b1 r 2",
        ("e1-d1:1",),
        "Your four cells touch, while only three of Blue's do: you have won.",
        "Then Blue's group of three is the largest, and Blue wins. Move to d1 instead.",
    ),
)
