"""Ladders for correspondence: who may challenge whom, and how results move players. Pure.

A ladder is the players from the top; a place is counted from 1.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

MOST_ABOVE = 10
"""How many places above any player may challenge."""
SHARE_ABOVE = 40
"""Which percentage of the players above any player may challenge."""
ABOVE_RATING_RANK = 5
"""How many places above the rank by rating any player may challenge."""
REST_MS = 7 * 24 * 3600 * 1000
"""How long two players who have met do not meet again."""
MOST_INCOMING = ((3, 11), (4, 6), (5, 1))
"""How many challenges a player gets at a time, and the place from which on that holds."""

Player = str
Ladder = tuple[Player, ...]


class Objection(StrEnum):
    """Why a challenge is not possible."""

    NOT_ON_LADDER = "not_on_ladder"
    NOT_ABOVE = "not_above"
    TOO_FAR = "too_far"
    BUSY = "busy"
    TOO_SOON = "too_soon"
    ALREADY_PLAYING = "already_playing"


@dataclass(frozen=True, slots=True)
class LadderState:
    """A ladder with the matches that are being played on it."""

    ladder: Ladder = ()
    challenges: frozenset[tuple[Player, Player]] = frozenset()
    """The challenger and the challenged player of each match that is being played."""
    ended_ms: Mapping[frozenset[Player], int] | None = None
    """When two players' last match ended."""


def join(ladder: Ladder, player: Player) -> Ladder:
    """Return the ladder with a player at the bottom; unchanged if the player is on it.

    >>> join(("ann", "ben"), "cem")
    ('ann', 'ben', 'cem')
    """
    return ladder if player in ladder else (*ladder, player)


def drop(ladder: Ladder, player: Player) -> Ladder:
    """Return the ladder without a player."""
    return tuple(each for each in ladder if each != player)


def highest_place(ladder: Ladder, player: Player, ratings: Mapping[Player, int]) -> int:
    """Return the highest place that a player may challenge: the best of the three rules.

    Those are ten places above, 40% of the players above (rounded up), and five places above the rank by rating.
    """
    above = ladder.index(player)
    rank = 1 + sum(ratings[other] > ratings[player] for other in ladder if other != player)
    reaches = (above + 1 - MOST_ABOVE, above + 1 - -(-above * SHARE_ABOVE // 100), rank - ABOVE_RATING_RANK)
    return max(1, min(reaches))


def most_incoming(place: int) -> int:
    """Return how many challenges the player at a place gets at a time.

    >>> [most_incoming(place) for place in (1, 5, 6, 10, 11)]
    [5, 5, 4, 4, 3]
    """
    return next(count for count, first in MOST_INCOMING if place >= first)


def find_objection(
    state: LadderState, challenger: Player, challenged: Player, ratings: Mapping[Player, int], now_ms: int
) -> Objection | None:
    """Return why a player may not challenge another; None if the challenge begins a match."""
    ladder = state.ladder
    if challenger not in ladder or challenged not in ladder:
        return Objection.NOT_ON_LADDER
    place = ladder.index(challenged) + 1
    if place > ladder.index(challenger):
        return Objection.NOT_ABOVE
    if place < highest_place(ladder, challenger, ratings):
        return Objection.TOO_FAR
    return _find_other_objection(state, challenger, challenged, place, now_ms)


def _find_other_objection(
    state: LadderState, challenger: Player, challenged: Player, place: int, now_ms: int
) -> Objection | None:
    pair = frozenset((challenger, challenged))
    if any(frozenset(each) == pair for each in state.challenges):
        return Objection.ALREADY_PLAYING
    if incoming(state.challenges, challenged) >= most_incoming(place):
        return Objection.BUSY
    ended_ms = (state.ended_ms or {}).get(pair)
    if ended_ms is not None and now_ms - ended_ms < REST_MS:
        return Objection.TOO_SOON
    return None


def incoming(challenges: Collection[tuple[Player, Player]], player: Player) -> int:
    """Return how many challenges to a player are being played."""
    return sum(challenged == player for _, challenged in challenges)


def may_challenge(state: LadderState, challenger: Player, ratings: Mapping[Player, int], now_ms: int) -> list[Player]:
    """Return whom a player may challenge, from the top."""
    return [other for other in state.ladder if find_objection(state, challenger, other, ratings, now_ms) is None]


def settle(ladder: Ladder, winner: Player | None, players: Sequence[Player], *, lost_on_time: bool = False) -> Ladder:
    """Return the ladder after a match of two players; `winner` is None after a draw, which changes nothing.

    A winner from below takes the place above the loser, as both stand at the end of the match. A player who loses on
    time drops out, after the winner has taken the place. Players who have left the ladder meanwhile move nobody.

    >>> settle(("ann", "ben", "cem", "dot"), "dot", ("dot", "ben"))
    ('ann', 'dot', 'ben', 'cem')
    """
    if winner is None:
        return ladder
    loser = next(player for player in players if player != winner)
    if loser in ladder and winner in ladder and ladder.index(winner) > ladder.index(loser):
        others = drop(ladder, winner)
        place = others.index(loser)
        ladder = (*others[:place], winner, *others[place:])
    return drop(ladder, loser) if lost_on_time else ladder
