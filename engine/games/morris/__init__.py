"""Nine Men's Morris. Numbers in brackets are paragraphs of its rules.

Two seats, White first (1.1), nine men each. While a side has men in hand, a ply places one on an empty point (1.2).
Afterwards it moves one along a line to an empty neighbour (1.3) or, with exactly three men left, to any empty point
unless the option `flying=off` is set (1.4). A ply that completes a mill, three men on a row or column joined by lines,
captures one opposing man, only one even for two mills (1.5), and no man in a mill while another is free (1.6). A side
with none in hand that on its turn has fewer than three men, or no legal ply, has lost (1.7). The third occurrence of a
position, or 100 plies without a placement or a capture, is a draw (1.8). With the option `judged=PLIES`, as in a
published program's contest, the side with more men wins after that many plies of the match.
"""

from ...game import (
    DrawingFunctions,
    Game,
    NamedStart,
    Notation,
    PositionEditor,
    Repetition,
    Rules,
    Strength,
    Teaching,
    Texts,
)
from ...game.skill import STRONGEST, Skill
from . import lesson, notation, puzzle_terms, remarks
from .eight_features import EIGHT_FEATURES
from .evaluation import EVALUATION
from .fen import is_fen
from .kernels import KERNELS
from .openings import OPENINGS
from .packed import is_letters, is_packed
from .position import MEN, MorrisPosition
from .symmetries import board_symmetries
from .tablebase_index import TABLEBASE
from .written_moves import number_move, read_written_move

SKILLS = (
    Skill(depth=1, noise=45, oversights=350, quiescence=0),
    Skill(depth=2, noise=45, oversights=350, quiescence=1),
    Skill(depth=3, noise=35, oversights=200, quiescence=1),
    Skill(depth=3, noise=21, oversights=80, quiescence=2),
    Skill(depth=4, noise=34, oversights=39),
    Skill(depth=6, nodes=100_000, noise=20, oversights=11),
    Skill(nodes=20_000, noise=12, oversights=4),
    STRONGEST,
)

GAME = Game(
    name="morris",
    title="Nine Men's Morris",
    seats=(2,),
    seat_names=("White", "Black"),
    rules=Rules(
        kernels=KERNELS,
        position_type=MorrisPosition,
        position_words=3,
        end_reasons={
            "too_few_men": "fewer than three men are left",
            "blocked": "no man can move",
            notation.MORE_MEN: "the men were counted after the last ply",
        },
        repetition=Repetition.DRAW_THIRD,
        quiet_limit=100,
        judge=notation.judge,
        symmetries=board_symmetries,
    ),
    drawing=DrawingFunctions(
        geometry=notation.geometry,
        draw=notation.draw,
        highlights=notation.highlights,
        editor=PositionEditor(notation.compose, largest_reserve=MEN),
    ),
    texts=Texts(
        parse_setup=notation.parse_setup,
        format_position=notation.format_position,
        parse_move=notation.parse_move,
        format_move=notation.format_move,
        notations={
            "fen": Notation("Sanmill's FEN", notation.format_fen, is_fen),
            "packed": Notation("Packed", notation.format_packed, is_packed),
            "letters": Notation("Letters", notation.format_letters, is_letters),
        },
        capture_mark="x",
        read_written_move=read_written_move,
        number_move=number_move,
        sgf_number=5,
    ),
    strength=Strength(
        skills=SKILLS,
        logistic_scale=140,
        draw_share=0.5,
        evaluation=EVALUATION,
        other_evaluations={"eight-features": EIGHT_FEATURES},
        tablebase=TABLEBASE,
    ),
    starts=(
        NamedStart("Without flying", "flying=off", 2),
        NamedStart("Men counted after 100 moves each", "judged=200", 2),
    ),
    named_openings=OPENINGS,
    teaching=Teaching(
        rules=lesson.RULES,
        lesson=lesson.LESSON,
        remarks=remarks.REMARKS,
        explain=remarks.explain,
        describe_turn=remarks.describe_turn,
        taking=remarks.TAKING,
    ),
    puzzles=puzzle_terms.PUZZLES,
    description="Close a mill of three men, and take one of your opponent's.",
    showcase="WWW..BB.W.W..B..B.W.BB.W w 0 0",
)
