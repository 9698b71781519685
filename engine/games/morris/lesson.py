"""The rules of Nine Men's Morris in short and its lesson."""

from ...game import Board, LessonStep, Rule, Words
from ...game.teaching import accepts_any
from .kernels import NOTHING

RULES = (
    Rule("Goal", "Leave your opponent with fewer than three men, or without a move."),
    Rule("Placing", "You have nine men each. White begins. In turn, place a man on any empty point."),
    Rule("Mills", "Three of your men in a row along a line are a mill. When you complete one, take an opposing man."),
    Rule("Taking", "Take a man that is not in a mill. If all are in mills, you may take any of them."),
    Rule("Moving", "When all men are placed, move a man along a line to the next empty point."),
    Rule("Flying", "With exactly three men left, you may move a man to any empty point."),
    Rule("Draws", "The third time the same position occurs, or after 100 plies without a placing or a taking."),
)


def takes(_board: Board, _before: Words, move: int, _after: Words) -> bool:
    """Accept the moves that close a mill and take a man."""
    return move >> 10 != NOTHING


LESSON = (
    LessonStep(
        "Place",
        "The board has 24 points. You are White and have nine men in hand, like Black. You place them in turn. "
        "Place your first man on any empty point.",
        "",
        accepts_any,
        "Good. Nine turns each, then all men are on the board.",
    ),
    LessonStep(
        "Close a mill",
        "Three of your men in a row along a line are a mill. A mill takes a man. "
        "Complete the row at the top with a man on g7, then choose the man that you take.",
        "WW........B.........B... w 7 7",
        takes,
        "That is a mill, and it took one of Black's men for good.",
        "That completes no row. Place your man on g7, the empty end of the top line.",
    ),
    LessonStep(
        "What you may take",
        "A man in a mill is safe while another is not. Black's mill b6-d6-f6 is safe. "
        "Close a mill at a1, and take a man.",
        "W..BBB...W..W......B.... w 5 5",
        takes,
        "Right: only the man on d2 could be taken, because the others are in a mill.",
        "That closes no mill. Your men on a7 and a4 need a third one on a1.",
    ),
    LessonStep(
        "Block",
        "Black has men on d3 and e3, and could close a mill on c3 next. Place a man there before Black does.",
        "...W............BB.....W w 7 7",
        ("c3",),
        "Well blocked. Watch for two opposing men in a row.",
        "Then Black plays c3, closes the mill and takes a man of yours. Place your man on c3.",
    ),
    LessonStep(
        "Move",
        "All men are placed. From now on you move a man along a line to the next empty point. "
        "Move a man so that it closes a mill.",
        ".WWB..B..WBW..B.....B.W. w 0 0",
        takes,
        "That man closed the mill a7-d7-g7 by moving.",
        "That closes no mill. Which man can step to the empty corner a7?",
    ),
    LessonStep(
        "The double mill",
        "Your man on d7 stands in a mill. Move it down: it opens this mill and closes another. "
        "Next turn it moves back, and so on.",
        "WWWW.W.B..B..B.....B..BB w 0 0",
        takes,
        "That is a double mill. It takes a man with every move, and usually wins.",
        "That closes no mill. Move the man on d7 to d6, between b6 and f6.",
    ),
    LessonStep(
        "Fly",
        "You have three men left, so they may fly: move one of them to any empty point. Fly to close a mill.",
        "W..B..B..WB..B..B......W w 0 0",
        takes,
        "With three men, no point is too far.",
        "That closes no mill. Fly with the man on g1 to a1.",
    ),
    LessonStep(
        "Win by taking",
        "A player with fewer than three men has lost. Black has three. Take one.",
        "WW..B......W..W..B....B. w 0 0",
        takes,
        "Black has only two men left: you have won.",
        "That takes no man. Close the mill a7-d7-g7 with a man that can reach g7.",
    ),
    LessonStep(
        "Win by blocking",
        "A player who cannot move has lost as well. Black's four men have one way out, the point g4. Close it.",
        "BBB.W....BW..........W.W w 0 0",
        ("g1-g4",),
        "No man of Black can move: you have won.",
        "Black can still move. Block the way out at g4.",
    ),
)
