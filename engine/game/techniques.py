"""The techniques of the search by name: what each does, where it is from, and whether it can change a value.

Not the search, which is `engine.search`. A game says in its record which of them its search uses (`Game.techniques`);
`python -m benchmarks.ablation` measures what each is worth, and a technique that does not pay is off.

Always on, since results or whoever keeps time rely on them, are iterative deepening (Slate and Atkin, 1977:
chessprogramming.org/Iterative_Deepening), mate-distance pruning (chessprogramming.org/Mate_Distance_Pruning), which
makes distances of wins exact, draws inside the tree (chessprogramming.org/Repetitions), which are rules of the games,
and what one move's search hands on to the next (`engine.search.histories`, of the History Heuristic below).
"""

from collections.abc import Mapping
from typing import NamedTuple


class Techniques(NamedTuple):
    """Which techniques a search uses; `TECHNIQUES` tells what they are. The usual ones pay in most games."""

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
    contempt: bool = True


class Technique(NamedTuple):
    """What is known of a technique."""

    does: str
    source: str
    is_exact: bool
    """Whether a search to a fixed depth with it finds what a plain minimax finds that follows as many noisy moves. With
    the table it does where a position comes up at one depth only, since what was found deeper is believed too."""
    needs: tuple[str, ...] = ()
    """Without these it does nothing, or nothing that is worth its while."""
    wanted: str = ""
    """Why a game may use it although it is not shown to pay: what it is for besides strength; empty for most."""


TECHNIQUES: Mapping[str, Technique] = {
    "aspiration": Technique(
        "The first window lies around the value of the iteration before.",
        "chessprogramming.org/Aspiration_Windows",
        True,
    ),
    "principal_variation": Technique(
        "All moves but the first must prove with an empty window that they are better.",
        "Marsland and Campbell, 1982: chessprogramming.org/Principal_Variation_Search",
        True,
    ),
    "table": Technique(
        "What is known of a position that comes up again is used again.",
        "Greenblatt and others, 1967: chessprogramming.org/Transposition_Table",
        True,
        ("principal_variation",),
    ),
    "table_move": Technique(
        "The move that was best in the position before comes first.",
        "chessprogramming.org/Hash_Move",
        True,
        ("table",),
    ),
    "table_evaluation": Technique(
        "A static worth that the table knows to be too high or too low gives way to what a search has found.",
        "chessprogramming.org/Transposition_Table#Bounds",
        False,
        ("principal_variation", "reverse_futility", "table"),
    ),
    "correction_history": Technique(
        "A static worth is put right by what searches found where the same side's men stood alike.",
        "chessprogramming.org/Static_Evaluation_Correction_History",
        False,
        ("principal_variation", "reverse_futility"),
    ),
    "noisy_first": Technique(
        "Moves that change the balance come before quiet ones.",
        "chessprogramming.org/Move_Ordering",
        True,
    ),
    "killers": Technique(
        "Two quiet moves that refuted a sibling come early.",
        "Akl and Newborn, 1977: chessprogramming.org/Killer_Heuristic",
        True,
    ),
    "history": Technique(
        "Moves come by how often they refuted anything, older refutations counting less.",
        "Schaeffer, 1983: chessprogramming.org/History_Heuristic",
        True,
    ),
    "quiescence": Technique(
        "Below the depth, noisy moves are followed until the position is quiet.",
        "chessprogramming.org/Quiescence_Search",
        True,
    ),
    "internal_iterative_reductions": Technique(
        "A node of which the table knows no move is searched a ply less deep.",
        "Schroeder: chessprogramming.org/Internal_Iterative_Reductions",
        False,
        ("table", "table_move"),
    ),
    "late_move_reductions": Technique(
        "Quiet moves late in the ordering are searched less deep, and again if they do better than that.",
        "chessprogramming.org/Late_Move_Reductions",
        False,
        ("principal_variation",),
    ),
    "late_move_pruning": Technique(
        "Near the leaves, quiet moves late in the ordering are left out.",
        "chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning",
        False,
        ("principal_variation",),
    ),
    "futility": Technique(
        "Near the leaves, quiet moves are left out where even a margin above the static worth does not reach alpha.",
        "Heinz, 1998: chessprogramming.org/Futility_Pruning",
        False,
        ("principal_variation",),
    ),
    "reverse_futility": Technique(
        "Near the leaves, a static worth that is a margin above beta is believed.",
        "chessprogramming.org/Reverse_Futility_Pruning",
        False,
        ("principal_variation",),
    ),
    "null_move": Technique(
        "A side that would stand above beta even if it passed is believed to; near zugzwang this is verified.",
        "Beal, 1989; Tabibi and Netanyahu, 2002: chessprogramming.org/Null_Move_Pruning",
        False,
        ("principal_variation",),
    ),
    "contempt": Technique(
        "A side that is ahead takes any position of the match that comes up again for drawn, and so avoids it.",
        "chessprogramming.org/Contempt_Factor",
        True,
        wanted="whoever is ahead gets on with it instead of shuffling to and fro",
    ),
}

DEFAULT_TECHNIQUES = Techniques()

NO_TECHNIQUES = Techniques(*(False for _ in Techniques._fields))
"""Plain alpha-beta, moves in the order in which they are generated."""

EXACT_TECHNIQUES = Techniques(*(technique.is_exact for technique in TECHNIQUES.values()))
"""What looks at every move to the full depth, and no deeper."""
