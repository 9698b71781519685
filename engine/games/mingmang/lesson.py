"""Ming Mang's rules in short and its lesson."""

from ...game import Board, LessonStep, Rule, Words
from .kernels import PASS
from .remarks import count_captured

RULES = (
    Rule("Goal", "Hold more territory when the match ends, capture every man, or leave your opponent without a move."),
    Rule("Moving", "Black begins. Move one man like a rook: along a row or column, over any number of empty squares."),
    Rule("Capturing", "Opposing men in a line between the man you moved and another of yours change to your colour."),
    Rule("Safe moves", "Only the side that moves captures. You may move in between two opposing men."),
    Rule("The edge", "The edge of the board does not close a line. Each of the two ends needs a man."),
    Rule("Repetition", "A move may not bring back a position that the match has had with the same side to move."),
    Rule("Passing", "You may pass instead of moving. Two passes in a row end the match."),
    Rule("Territory", "At the end, the squares that only your men can reach are your territory, your own included."),
)


def moves_a_man(_board: Board, _before: Words, move: int, _after: Words) -> bool:
    """Accept every move except a pass."""
    return move != PASS


def captures(_board: Board, before: Words, _move: int, after: Words) -> bool:
    """Accept the moves that capture."""
    return count_captured(before, after) > 0


def captures_three(_board: Board, before: Words, _move: int, after: Words) -> bool:
    """Accept the moves that capture at least three men."""
    return count_captured(before, after) >= 3


LESSON = (
    LessonStep(
        "Move like a rook",
        "You are Black. A man moves like a rook in chess: along its row or column, as far as the squares are empty. "
        "Move any man.",
        "",
        moves_a_man,
        "Good. Men never leave the board in this game, they only change sides.",
        "You may pass as well, but this time, move a man.",
    ),
    LessonStep(
        "Capture",
        "Move a man so that a white man stands in line between it and another man of yours. "
        "The white man then changes to your colour.",
        "7w/8/8/8/bw6/8/8/2b4w b 0",
        captures,
        "The man on b4 is yours now.",
        "That captures nothing. Move the man on c1 up to c4, so that b4 stands between two men of yours.",
    ),
    LessonStep(
        "Capture a line",
        "A whole line is captured at once if there is no gap in it and both of its ends are yours. Capture three men.",
        "w6w/8/8/1bwww3/8/8/8/5b1w b 0",
        captures_three,
        "Three men changed sides with one move.",
        "That does not capture the three men. Move your man on f1 to f5, the free end of their line.",
    ),
    LessonStep(
        "Capture two ways",
        "A move captures in all four directions from the square where it ends. Find the move that captures three men.",
        "7w/8/3b4/3w4/bww5/8/8/3b3w b 0",
        captures_three,
        "Both lines were captured: one along the row, one up the column.",
        "That captures fewer than three men. Look for the square that closes a row and a column at once.",
    ),
    LessonStep(
        "Move in between",
        "Only the side that moves captures. Your man may go in between two white men and stays yours. "
        "Move it to the square between b4 and d4.",
        "7w/8/8/8/1w1w4/8/8/2b4w b 0",
        ("c1-c4",),
        "Your man is safe there. White cannot capture it without moving a man.",
        "Any move is allowed, but here, move the man on c1 to c4.",
    ),
    LessonStep(
        "No repetition",
        "White moved h8-g8, you moved a1-a3, and White moved back. If you moved back too, the position before these "
        "moves would return. That is not allowed. Move another way.",
        "7w/7w/8/8/8/8/8/b3b3 w 0",
        moves_a_man,
        "Right. A player may not repeat a position: find another move, or pass.",
        "You may pass as well, but this time, move a man.",
        moves=("h8-g8", "a1-a3", "g8-h8"),
    ),
    LessonStep(
        "Build a wall",
        "The player with more territory wins. Territory is what only your own men can reach. "
        "Your row lets White through on the right. Close the gap.",
        "8/8/wwwwwwww/bbbbbbb1/8/8/8/7b b 0",
        ("h1-h5",),
        "Now White can reach nothing below your wall.",
        "White can still pass through the gap. Move the man on h1 up to h5.",
    ),
    LessonStep(
        "Pass and count",
        "Two passes in a row end the match, and territory is counted. Your wall stands, and you hold more. Pass.",
        "8/8/wwwwwwww/bbbbbbbb/8/8/8/8 b 0",
        ("pass",),
        "White passes too. You have 40 squares and White has 24: you have won.",
        "That opens your wall. Choose “pass” beside the board.",
        reply="pass",
    ),
)
