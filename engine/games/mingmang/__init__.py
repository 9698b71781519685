"""Ming Mang. Numbers in brackets are paragraphs of its rules.

Two seats on a board of 8 x 8 squares, Black first, always with 28 men in all (2.1). A ply moves one man like a rook
over empty squares (2.2). From the square where it arrives, each of the four lines of opposing men without a gap that
ends at another man of the mover changes colour at once. The edge does not close a line, a change captures nothing
further, and moving in between opposing men is safe (2.3). A move may not repeat an earlier position with the same side
to move (2.4); a pass is always allowed, and is forced where every move is forbidden (2.5). A side without men, or
without a movable man on its turn, has lost; two passes in a row, or the time limit of the match, end it by territory
(2.6): squares that one side's men can reach and the other's cannot (2.7).
"""

from ...game import DrawingFunctions, Game, PositionEditor, Repetition, Rules, Strength, Teaching, Texts
from ...game.geometry import symmetries_of
from ...game.skill import STRONGEST, Skill
from ...game.techniques import DEFAULT_TECHNIQUES
from . import lesson, notation, puzzle_terms, remarks
from .evaluation import EVALUATION
from .kernels import KERNELS, PASS
from .position import MingMangPosition

SKILLS = (
    Skill(depth=1, noise=60, oversights=400, quiescence=0),
    Skill(depth=2, noise=60, oversights=400, quiescence=1),
    Skill(depth=3, noise=36, oversights=210, quiescence=1),
    Skill(depth=4, noise=28, oversights=70),
    Skill(depth=6, nodes=100_000, noise=20, oversights=32),
    Skill(nodes=22_000, noise=8),
    Skill(nodes=120_000, noise=4, table_megabytes=2),
    STRONGEST,
)

GAME = Game(
    name="mingmang",
    title="Ming Mang",
    seats=(2,),
    seat_names=("Black", "White"),
    rules=Rules(
        kernels=KERNELS,
        position_type=MingMangPosition,
        position_words=3,
        end_reasons={
            "elimination": "no men are left",
            "stalemate": "no man can move",
            "territory": "the squares that only one side can reach were counted",
        },
        repetition=Repetition.FORBIDDEN,
        transient_words=1,
        free_pass=PASS,
        territory=notation.territory,
        symmetries=lambda board: symmetries_of(notation.geometry(board)),
    ),
    drawing=DrawingFunctions(
        geometry=notation.geometry,
        draw=notation.draw,
        tallies=notation.tallies,
        editor=PositionEditor(notation.compose),
    ),
    texts=Texts(
        parse_setup=notation.parse_setup,
        format_position=notation.format_position,
        parse_move=notation.parse_move,
        format_move=notation.format_move,
    ),
    strength=Strength(
        skills=SKILLS,
        # With many moves, most of them quiet, ordering and the null move pay most:
        # benchmarks/ablation.md at commit 42e2304.
        techniques=DEFAULT_TECHNIQUES._replace(
            table_evaluation=False, killers=True, futility=False, null_move=True, contempt=False
        ),
        reduction_divisor=1.3,
        logistic_scale=53,
        evaluation=EVALUATION,
    ),
    teaching=Teaching(
        rules=lesson.RULES,
        lesson=lesson.LESSON,
        remarks=remarks.REMARKS,
        explain=remarks.explain,
        describe_turn=remarks.describe_turn,
    ),
    puzzles=puzzle_terms.PUZZLES,
    description="Trap lines of men between yours to flip them, and hold more of the board.",
    showcase="wwwww3/w6b/w3w2b/1w2b2b/w2w2b1/wb5b/w2b3b/2bbbbbb b 0",
)
