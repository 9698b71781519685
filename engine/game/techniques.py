"""The search techniques by name: what each does, its source, and whether it can change a value.

A game's record selects the techniques of its search (`Strength.techniques`). `benchmarks/ablation.md` at commit 42e2304
has the measured gain of each; a technique without gain is off, and compiled away. Multi-cut and the two-level table are
off in every game, and stay for the comparison with the figures that another program publishes (`PUBLISHED_TECHNIQUES`).

Some techniques are always on, because results or time management rely on them: iterative deepening (Slate and Atkin,
1977: chessprogramming.org/Iterative_Deepening), mate-distance pruning (chessprogramming.org/Mate_Distance_Pruning),
which makes the distances of wins exact, and repetition detection in the tree (chessprogramming.org/Repetitions).
Histories also carry over from one move's search to the next (`engine.search.histories`).
"""

from collections.abc import Mapping
from typing import NamedTuple

from .errors import EngineError


class Techniques(NamedTuple):
    """The techniques used by a search; `TECHNIQUES` describes them. The defaults pay in most games."""

    aspiration: bool = True
    principal_variation: bool = True
    table: bool = True
    table_move: bool = True
    table_evaluation: bool = True
    correction_history: bool = True
    noisy_first: bool = True
    killers: bool = False
    history: bool = True
    quiescence: bool = True
    internal_iterative_reductions: bool = True
    late_move_reductions: bool = True
    late_move_pruning: bool = True
    futility: bool = True
    reverse_futility: bool = True
    null_move: bool = False
    multi_cut: bool = False
    two_level_table: bool = False
    contempt: bool = True


class Technique(NamedTuple):
    """The description of a technique."""

    does: str
    source: str
    is_exact: bool
    """Whether a fixed-depth search with it returns the value of plain minimax with the same quiescence search. With the
    transposition table that holds only for positions that occur at a single depth, since deeper entries are used too.
    """
    needs: tuple[str, ...] = ()
    """Techniques without which it has no effect or no gain."""
    wanted: str = ""
    """Why a game may use it without a measured gain: its purpose besides strength. Empty for most."""


TECHNIQUES: Mapping[str, Technique] = {
    "aspiration": Technique(
        "The first window of an iteration surrounds the value of the previous iteration.",
        "chessprogramming.org/Aspiration_Windows",
        True,
    ),
    "principal_variation": Technique(
        "Moves after the first are searched with a null window, and again only if they prove better.",
        "Marsland and Campbell, 1982: chessprogramming.org/Principal_Variation_Search",
        True,
    ),
    "table": Technique(
        "Results of positions that occur again are reused.",
        "Greenblatt and others, 1967: chessprogramming.org/Transposition_Table",
        True,
        ("principal_variation",),
    ),
    "table_move": Technique(
        "The best move that the table knows is tried first.",
        "chessprogramming.org/Hash_Move",
        True,
        ("table",),
    ),
    "table_evaluation": Technique(
        "A table value replaces a static evaluation that it shows to be too high or too low.",
        "chessprogramming.org/Transposition_Table#Bounds",
        False,
        ("principal_variation", "reverse_futility", "table"),
    ),
    "correction_history": Technique(
        "Static evaluations are corrected by what searches found for the same placement of one side's men.",
        "chessprogramming.org/Static_Evaluation_Correction_History",
        False,
        ("principal_variation", "reverse_futility"),
    ),
    "noisy_first": Technique(
        "Noisy moves are tried before quiet ones.",
        "chessprogramming.org/Move_Ordering",
        True,
    ),
    "killers": Technique(
        "Two quiet moves that refuted a sibling node are tried early.",
        "Akl and Newborn, 1977: chessprogramming.org/Killer_Heuristic",
        True,
    ),
    "history": Technique(
        "Quiet moves are ordered by how often they caused cutoffs; older cutoffs count less.",
        "Schaeffer, 1983: chessprogramming.org/History_Heuristic",
        True,
    ),
    "quiescence": Technique(
        "Below the nominal depth, noisy moves are searched until the position is quiet.",
        "chessprogramming.org/Quiescence_Search",
        True,
    ),
    "internal_iterative_reductions": Technique(
        "A node without a table move is searched one ply less deeply.",
        "Schroeder: chessprogramming.org/Internal_Iterative_Reductions",
        False,
        ("table", "table_move"),
    ),
    "late_move_reductions": Technique(
        "Late quiet moves are searched less deeply, and again at full depth if they raise alpha.",
        "chessprogramming.org/Late_Move_Reductions",
        False,
        ("principal_variation",),
    ),
    "late_move_pruning": Technique(
        "Near the leaves, late quiet moves are skipped.",
        "chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning",
        False,
        ("principal_variation",),
    ),
    "futility": Technique(
        "Near the leaves, quiet moves are skipped if the static evaluation plus a margin is below alpha.",
        "Heinz, 1998: chessprogramming.org/Futility_Pruning",
        False,
        ("principal_variation",),
    ),
    "reverse_futility": Technique(
        "Near the leaves, a node returns its static evaluation if that exceeds beta by a margin.",
        "chessprogramming.org/Reverse_Futility_Pruning",
        False,
        ("principal_variation",),
    ),
    "null_move": Technique(
        "A node is cut if passing would still exceed beta; deep nodes are verified against zugzwang.",
        "Beal, 1989; Tabibi and Netanyahu, 2002: chessprogramming.org/Null_Move_Pruning",
        False,
        ("principal_variation",),
    ),
    "multi_cut": Technique(
        "A node is cut if several of its first moves exceed beta in reduced searches.",
        "Bjornsson and Marsland, 1998: chessprogramming.org/Multi-Cut",
        False,
        ("principal_variation",),
    ),
    "two_level_table": Technique(
        "The table has two entries for a key, one for the larger subtree and one for the latest; it is empty at first.",
        "TwoBig1 of Breuker, Uiterwijk and van den Herik, 1994: chessprogramming.org/Transposition_Table",
        True,
        ("table", "principal_variation"),
    ),
    "contempt": Technique(
        "A side that is ahead counts the first repetition of a position as a draw, and so avoids it.",
        "chessprogramming.org/Contempt_Factor",
        True,
        wanted="the side that is ahead makes progress instead of shuffling",
    ),
}

DEFAULT_TECHNIQUES = Techniques()

NO_TECHNIQUES = Techniques(*(False for _ in Techniques._fields))
"""Plain alpha-beta, with moves in the order of generation."""

PUBLISHED_TECHNIQUES = NO_TECHNIQUES._replace(
    principal_variation=True,
    table=True,
    table_move=True,
    killers=True,
    history=True,
    quiescence=True,
    late_move_reductions=True,
    null_move=True,
    multi_cut=True,
    two_level_table=True,
)
"""Those of the program CAMMP, and the null windows that some of them need here."""

EXACT_TECHNIQUES = Techniques(*(each.is_exact for each in TECHNIQUES.values()))._replace(two_level_table=False)
"""The techniques that never reduce, prune or extend a move, with the usual table."""


def choose_techniques(text: str, usual: Techniques) -> Techniques:
    """Return the techniques that a text chooses: `usual`, `none` or `published`, then changes such as `+multi_cut`.

    >>> choose_techniques("none +table -killers", DEFAULT_TECHNIQUES) == NO_TECHNIQUES._replace(table=True)
    True

    Raises: EngineError.
    """
    sets = {"usual": usual, "none": NO_TECHNIQUES, "published": PUBLISHED_TECHNIQUES}
    first, *changes = text.split() or [""]
    if first not in sets:
        raise EngineError(f"Techniques begin with {', '.join(sets)}, not {first!r}.")
    for change in changes:
        if change[0] not in "+-" or change[1:] not in TECHNIQUES:
            raise EngineError(f"A change of techniques is + or - and one of {', '.join(TECHNIQUES)}, not {change!r}.")
    return sets[first]._replace(**{change[1:]: change[0] == "+" for change in changes})
