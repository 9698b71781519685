"""Battle Sheep. Numbers in brackets are paragraphs of its rules.

Two to four seats on a pasture of hexagons, made of tiles of four cells (3.1); Red, Blue, Green and Yellow play in turn,
with sixteen sheep each (3.2). A seat's first ply places its stack on an empty cell of the outer edge (3.3). Afterwards
a ply takes part of an own stack, leaving at least one sheep, and slides it in one of six directions to the last empty
cell before a stack, a hole or the edge (3.4). A seat without a legal ply passes (3.5). When no seat can move, most
cells win, then the largest connected group; seats that are still tied share the result (3.6).
"""

from ...game import (
    DrawingFunctions,
    Game,
    NamedStart,
    Notation,
    PositionEditor,
    Rules,
    Start,
    Strength,
    Teaching,
    Texts,
    Words,
)
from ...game.geometry import symmetries_of
from ...game.skill import STRONGEST, Skill
from ...game.techniques import DEFAULT_TECHNIQUES
from . import lesson, notation, pasture, puzzle_terms, random_pasture, remarks, setup, tile_kernels, tile_notation
from .evaluation import EVALUATION
from .kernels import KERNELS, PASS
from .legacy_text import is_legacy_text
from .named_pastures import NAMED_PASTURES
from .position import SHEEP, BattleSheepPosition


def parse_setup(text: str) -> Start:
    """Parse the set-up text of a match or, with `opening=tiles`, of laying its pasture. Raises: SetupError."""
    if tile_notation.is_tile_opening(text):
        return tile_notation.parse_opening(text)._replace(game=LAYING)
    return setup.parse_setup(text)


def sequel_of_laying(start: Start, words: Words, seat: int) -> Start | None:
    """Return the start of the match once the last tile is laid, or None."""
    sequel = tile_notation.sequel(start, words, seat)
    return sequel and sequel._replace(game=GAME)


STARTS = (
    *(
        NamedStart(pasture.name.capitalize().replace("-", " "), f"pasture={pasture.name}", pasture.seats)
        for pasture in NAMED_PASTURES.values()
    ),
    *(NamedStart("Random pasture", f"seed={{seed}} seats={seats}", seats) for seats in setup.SEATS),
    *(NamedStart("Laid out by the players", f"{tile_notation.OPTION} seats={seats}", seats) for seats in setup.SEATS),
)
"""The named pastures and, for each number of seats, a random pasture and one laid by the seats in turn (3.1)."""

SKILLS = (
    Skill(depth=1, noise=90, oversights=500),
    Skill(depth=2, noise=45, oversights=350),
    Skill(depth=3, noise=24, oversights=100),
    Skill(depth=4, noise=12, oversights=10),
    Skill(depth=6, nodes=100_000, noise=12),
    Skill(nodes=24_000, noise=8),
    Skill(nodes=130_000, noise=4, table_megabytes=2),
    STRONGEST,
)

GAME = Game(
    name="battlesheep",
    title="Battle Sheep",
    seats=setup.SEATS,
    seat_names=("Red", "Blue", "Green", "Yellow"),
    rules=Rules(
        kernels=KERNELS,
        position_type=BattleSheepPosition,
        position_words=8,
        end_reasons={
            "most_cells": "no seat can move, and the most cells win",
            "largest_group": "no seat can move; among the most cells, the largest connected group wins",
            "shared": "no seat can move; cells and largest groups are level",
        },
        forced_pass=PASS,
        openings=(tile_notation.OPTION,),
        symmetries=lambda board: symmetries_of(notation.geometry(board)),
        setup_kernels=(random_pasture.TILE_LAYER, pasture.TABLE_WRITER),
    ),
    drawing=DrawingFunctions(
        geometry=notation.geometry,
        draw=notation.draw,
        tallies=notation.tallies,
        editor=PositionEditor(notation.compose, largest_pile=SHEEP),
    ),
    texts=Texts(
        parse_setup=parse_setup,
        format_position=notation.format_position,
        parse_move=notation.parse_move,
        format_move=notation.format_move,
        notations={"older": Notation("The older four-character text", notation.format_older, is_legacy_text)},
    ),
    strength=Strength(
        skills=SKILLS,
        # No move is noisy and no position repeats, so that quiescence search and contempt do nothing.
        # benchmarks/ablation.md at commit 42e2304 measures the rest.
        techniques=DEFAULT_TECHNIQUES._replace(noisy_first=False, quiescence=False, contempt=False),
        logistic_scale=74,
        evaluation=EVALUATION,
    ),
    starts=STARTS,
    teaching=Teaching(
        rules=lesson.RULES,
        lesson=lesson.LESSON,
        remarks=remarks.REMARKS,
        explain=remarks.explain,
        describe_turn=remarks.describe_turn,
    ),
    puzzles=puzzle_terms.PUZZLES,
    description="Split your flock, send sheep across the pasture, and keep room for the rest.",
    showcase="0,0,.,.,.,./b1,b3,b1,r9,.,./0,b3,0,r1,r1,./b2,0,0,0,0,./.,b5,0,0,0,0/.,b1,r1,r1,0,0/.,.,0,r2,0,0/"
    ".,.,.,.,r1,0 r 2",
)

LAYING = Game(
    name="battlesheep",
    title="Battle Sheep",
    seats=setup.SEATS,
    seat_names=GAME.seat_names,
    rules=Rules(
        kernels=tile_kernels.KERNELS,
        position_type=tile_kernels.LaidTiles,
        position_words=tile_kernels.CANVAS_WORDS,
        end_reasons={"laid": "the pasture is laid"},
        sequel=sequel_of_laying,
    ),
    drawing=DrawingFunctions(
        geometry=tile_notation.geometry,
        draw=tile_notation.draw,
    ),
    texts=Texts(
        parse_setup=parse_setup,
        format_position=tile_notation.format_position,
        parse_move=tile_notation.parse_move,
        format_move=tile_notation.format_move,
    ),
    strength=Strength(
        skills=SKILLS,
    ),
)
"""The opening in which the seats lay their tiles in turn (3.1). It cannot be chosen as a game; it leads into Battle
Sheep."""
