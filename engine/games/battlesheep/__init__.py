"""Battle Sheep; numbers in brackets are the paragraphs of its rulings.

Two to four seats on a pasture of hexagons, laid from tiles of four cells (3.1); Red, Blue, Green and Yellow play in
turn, sixteen sheep each (3.2). A seat's first ply puts its stack on an empty cell of the outer edge (3.3). Afterwards a
ply takes part of an own stack, at least one sheep staying, and slides it in one of six directions to the last empty
cell before a stack, a hole or the edge (3.4). A seat without a legal ply passes (3.5); when no seat can move, most
cells win, then the largest connected group, and what is still tied is shared (3.6).
"""

from ...game import Game, NamedStart, Repetition, Start, Words
from ...game.isometries import isometries_of
from ...game.skill import STRONGEST, Skill
from ...game.techniques import USUAL_TECHNIQUES
from . import laying_kernels, laying_notation, notation, setup
from .evaluation import WORTH
from .kernels import KERNELS, PASS
from .named_pastures import PASTURES
from .position import BattleSheepPosition


def parse_setup(text: str) -> Start:
    """Read a set-up text, of the match proper or, with `opening=tiles`, of laying its pasture. Raises: SetupError."""
    if laying_notation.asks_for_opening(text):
        return laying_notation.parse_opening(text)._replace(game=LAYING)
    return setup.parse_setup(text)


def sequel_of_laying(start: Start, words: Words, seat: int) -> Start | None:
    """Return the match proper once the last tile lies, or None."""
    sequel = laying_notation.sequel(start, words, seat)
    return sequel and sequel._replace(game=GAME)


STARTS = (
    *(
        NamedStart(pasture.name.capitalize().replace("-", " "), f"pasture={pasture.name}", pasture.seats)
        for pasture in PASTURES.values()
    ),
    *(NamedStart("A pasture by chance", f"seed={{seed}} seats={seats}", seats) for seats in setup.SEATS),
    *(NamedStart("Laid by the players", f"{laying_notation.OPTION} seats={seats}", seats) for seats in setup.SEATS),
)
"""The catalogue, and for each number of seats a seeded pasture and one that the seats lay in turn (3.1)."""

SKILLS = (
    Skill(depth=1, noise=90, lapses=500),
    Skill(depth=2, noise=45, lapses=350),
    Skill(depth=3, noise=24, lapses=100),
    Skill(depth=4, noise=12, lapses=10),
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
    kernels=KERNELS,
    position_type=BattleSheepPosition,
    position_words=8,
    repetition=Repetition.NONE,
    quiet_limit=None,
    endings={
        "most_cells": "no seat can move, and the most cells win",
        "largest_group": "no seat can move; among the most cells, the largest connected group wins",
        "shared": "no seat can move; cells and largest groups are level",
    },
    parse_setup=parse_setup,
    format_position=notation.format_position,
    geometry=notation.geometry,
    draw=notation.draw,
    parse_move=notation.parse_move,
    format_move=notation.format_move,
    clicks=notation.clicks,
    logit_lead=74,
    worth=WORTH,
    forced_pass=PASS,
    openings=(laying_notation.OPTION,),
    starts=STARTS,
    symmetries=lambda board: isometries_of(notation.geometry(board)),
    # No move is noisy, so that there is nothing to look at below the leaves, and nothing comes back; the rest as in
    # benchmarks/ablation.md.
    techniques=USUAL_TECHNIQUES._replace(noisy_first=False, quiescence=False, contempt=False),
    skills=SKILLS,
)

LAYING = Game(
    name="battlesheep",
    title="Battle Sheep",
    seats=setup.SEATS,
    seat_names=GAME.seat_names,
    kernels=laying_kernels.KERNELS,
    position_type=laying_kernels.LaidTiles,
    position_words=laying_kernels.CANVAS_WORDS,
    repetition=Repetition.NONE,
    quiet_limit=None,
    endings={"laid": "the pasture is laid"},
    parse_setup=parse_setup,
    format_position=laying_notation.format_position,
    geometry=laying_notation.geometry,
    draw=laying_notation.draw,
    parse_move=laying_notation.parse_move,
    format_move=laying_notation.format_move,
    clicks=laying_notation.clicks,
    sequel=sequel_of_laying,
    skills=SKILLS,
)
"""The opening in which the seats lay their tiles in turn (3.1); not a game to choose, but one that leads into one."""
