"""Ming Mang; numbers in brackets are the paragraphs of its rulings.

Two seats on eight squares by eight, Black first, 28 men always (2.1). A ply moves one man like a rook over empty
squares (2.2). From the square where it arrives, each of the four lines of opposing men without a gap that a man of the
mover closes changes colour at once; the edge closes nothing, a change starts no further taking, and moving in between
opposing men is safe (2.3). A move may not bring back an earlier position with the same side to move (2.4); a pass
always may, and is forced where every move is refused (2.5). A side without men, or on its turn without a man that can
move, has lost; two passes in a row, or the time limit of the match, end it by territory (2.6): squares that one side's
men can reach and the other's cannot (2.7).
"""

from ...game import Game, Repetition
from ...game.isometries import isometries_of
from ...game.skill import STRONGEST, Skill
from ...game.techniques import USUAL_TECHNIQUES
from . import notation
from .evaluation import WORTH
from .kernels import KERNELS, PASS
from .position import MingMangPosition

SKILLS = (
    Skill(depth=1, noise=60, lapses=400, quiescence=0),
    Skill(depth=2, noise=60, lapses=400, quiescence=1),
    Skill(depth=3, noise=36, lapses=210, quiescence=1),
    Skill(depth=4, noise=28, lapses=70),
    Skill(depth=6, nodes=100_000, noise=20, lapses=32),
    Skill(nodes=22_000, noise=8),
    Skill(nodes=120_000, noise=4, table_megabytes=2),
    STRONGEST,
)

GAME = Game(
    name="mingmang",
    title="Ming Mang",
    seats=(2,),
    seat_names=("Black", "White"),
    kernels=KERNELS,
    position_type=MingMangPosition,
    position_words=3,
    repetition=Repetition.FORBIDDEN,
    transient_words=1,
    quiet_limit=None,
    endings={
        "elimination": "no men are left",
        "stalemate": "no man can move",
        "territory": "the squares that only one side can reach were counted",
    },
    parse_setup=notation.parse_setup,
    format_position=notation.format_position,
    geometry=notation.geometry,
    draw=notation.draw,
    territory=notation.territory,
    parse_move=notation.parse_move,
    format_move=notation.format_move,
    clicks=notation.clicks,
    symmetries=lambda board: isometries_of(notation.geometry(board)),
    logit_lead=53,
    free_pass=PASS,
    worth=WORTH,
    # With so many moves, most of them quiet, it pays to put them in order, and to pass: benchmarks/ablation.md.
    techniques=USUAL_TECHNIQUES._replace(
        table_worth=False, killers=True, futility=False, null_move=True, contempt=False
    ),
    reduction_divisor=1.3,
    skills=SKILLS,
)
