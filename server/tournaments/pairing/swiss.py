"""The pairing of a round by the FIDE Dutch system of 2025 (C.04.3). Pure and deterministic.

Accelerated pairing (C.04.5) is not part of it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .matching import UNIT, Matching
from .swiss_bracket import Bracket, Pair, pair_bracket
from .swiss_colours import choose_colours
from .swiss_criteria import Role, Terms, Vertex, descending, score_groups, weigh
from .swiss_history import Player, Swiss, players_to_pair


class NoPairingError(Exception):
    """The players cannot be paired without breaking an absolute criterion: the organiser decides (article 1.9.3)."""


class RoundPairings(NamedTuple):
    """The pairings of a round, in the order of their tables."""

    pairs: list[tuple[int, int]]
    """The numbers of White and Black."""
    bye: int | None
    """The number of the player without an opponent."""


def pair_round(swiss: Swiss) -> RoundPairings:
    """Return the pairings of the next round.

    Raises:
        NoPairingError: if there are none.

    >>> from .swiss_history import Entrant
    >>> pair_round(Swiss(tuple(Entrant(number) for number in range(1, 8)), rounds=5))
    RoundPairings(pairs=[(1, 4), (5, 2), (3, 6)], bye=7)
    """
    players = players_to_pair(swiss)
    terms = _terms(swiss, players)
    pairs, unpaired = _pair_brackets(score_groups(players), terms) if players else ([], [])
    ordered = sorted(pairs, key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].number))
    return RoundPairings(choose_colours(swiss, ordered), unpaired[0].number if unpaired else None)


def _terms(swiss: Swiss, players: Sequence[Player]) -> Terms:
    paired = swiss.paired_rounds
    most = paired * max(swiss.scoring.win, swiss.scoring.draw)
    top_score = most // 2 if paired >= swiss.rounds - 1 else None
    return Terms(_bye_score(players, Terms(top_score=top_score)), top_score)


def _bye_score(players: Sequence[Player], terms: Terms) -> int | None:
    """Return the lowest score with which somebody can get the bye (criterion C5); None if nobody gets it."""
    scores = descending(players)
    vertices = [Vertex(Role.REST, player) for player in players] + [Vertex(Role.BYE)] * (len(players) % 2)

    def weight(one: Vertex, other: Vertex) -> int | None:
        higher, lower = (one, other) if one.role <= other.role else (other, one)
        if lower.role is not Role.BYE:
            return 0 if terms.may_meet(higher.player, lower.player) else None
        return None if higher.role is Role.BYE or higher.player.had_bye else UNIT * scores.index(higher.player.score)

    matching = Matching(weigh(vertices, weight), duals=[0] * len(players) + [UNIT * len(scores)] * (len(players) % 2))
    if not matching.solve():
        raise NoPairingError
    return None if len(players) % 2 == 0 else scores[matching.total() // UNIT]


def _pair_brackets(groups: Sequence[Sequence[Player]], terms: Terms) -> tuple[list[Pair], list[Player]]:
    """Pair one bracket after the other, from the highest score; also return who is left at the end."""
    pairs: list[Pair] = []
    moved: list[Player] = []
    for index, residents in enumerate(groups):
        pairing = pair_bracket(Bracket(moved, residents, groups[index + 1 :]), terms)
        pairs += pairing.pairs
        moved = pairing.downfloaters
    return pairs, moved
