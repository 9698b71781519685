"""Which matches count for the ratings, and why one does not.

Pure.

A match counts if it was agreed to be rated, has a result, began from a start that the game offers, came to a few plies
of every seat, and if everyone in it has an account or is a bot of the house. Two may not make each other's ratings: of
the same two only so many matches count in a day, and fewer still if one loses quickly over and over to the other.

Who left a match of three or four, or was away, has lost it and is rated so; the bot that stood in is not rated. A bot
that holds more than one seat counts as an opponent, but its own rating stays.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from ..matches.creation import is_offered_start
from ..matches.match import Match
from ..protocol import Player, Unrated
from .store import PairResult

DAY_MS = 86_400_000
MOST_MEETINGS = 12
"""Of two players so many matches count within a day."""
QUICK_PLIES_EACH = 12
"""A match that ends before every seat has made so many plies is a quick one."""
MOST_QUICK = 3
"""So many quick wins over the same player count within a day."""
LEAST_PLIES_EACH = 2
"""A match of fewer plies of every seat does not count."""

WORDS: Mapping[Unrated, str] = {
    Unrated.NO_RESULT: "the match has no result",
    Unrated.TOO_SHORT: "the match was too short",
    Unrated.SET_UP: "the match began from a position of somebody's choice",
    Unrated.NO_ACCOUNT: "not everyone in it has an account",
    Unrated.ONE_PLAYER: "somebody played on more than one side",
    Unrated.MET_OFTEN: f"only {MOST_MEETINGS} matches of the same two players count in a day",
    Unrated.QUICK_WINS: f"only {MOST_QUICK} quick wins over the same player count in a day",
}


Pair: TypeAlias = tuple[int, int]
"""Two seats, the lower first."""


def pairs_of(match: Match) -> tuple[Pair, ...]:
    """Return the pairs of seats whose earlier meetings matter: all but two bots."""
    return tuple(
        (one, other)
        for one, other in combinations(range(len(match.players)), 2)
        if not (_is_bot(match.players[one]) and _is_bot(match.players[other]))
    )


def why_unrated(match: Match, meetings: Mapping[Pair, Sequence[PairResult]]) -> Unrated | None:
    """Return why a rated match that has ended does not count, or None if it does.

    `meetings` are those of each pair of `pairs_of` within the last `DAY_MS`.
    """
    reason = _why_not_by_itself(match)
    if reason is not None:
        return reason
    for pair, earlier in meetings.items():
        if len(earlier) >= MOST_MEETINGS:
            return Unrated.MET_OFTEN
        if _is_quick(match.state.ply, len(match.players)) and _has_won_quickly(match, pair, earlier):
            return Unrated.QUICK_WINS
    return None


def seats_to_rate(match: Match) -> tuple[int, ...]:
    """Return the seats whose players' ratings may change: all but those of a bot that holds several."""
    held = Counter(player.id for player in match.players if player is not None)
    return tuple(seat for seat, player in enumerate(match.players) if player is not None and held[player.id] == 1)


def _why_not_by_itself(match: Match) -> Unrated | None:
    if match.ended is None or match.ended.ranks is None:
        return Unrated.NO_RESULT
    if match.state.ply < LEAST_PLIES_EACH * len(match.players):
        return Unrated.TOO_SHORT
    if not is_offered_start(match.created.game, match.created.setup, len(match.players)):
        return Unrated.SET_UP
    people = [player for player in match.players if not _is_bot(player)]
    if not people or not all(player is not None and player.registered for player in people):
        return Unrated.NO_ACCOUNT
    if len(match.people) < len(people):
        return Unrated.ONE_PLAYER
    return None


def _is_bot(player: Player | None) -> bool:
    return player is not None and player.level is not None


def _is_quick(plies: int, seats: int) -> bool:
    return plies < QUICK_PLIES_EACH * seats


def _has_won_quickly(match: Match, pair: Pair, earlier: Sequence[PairResult]) -> bool:
    """Return whether whoever won of the two has won quickly over the other as often as counts."""
    assert match.ended is not None
    assert match.ended.ranks is not None
    one, other = (match.ended.ranks[seat] for seat in pair)
    quick = [meeting.ranks for meeting in earlier if _is_quick(meeting.plies, meeting.seats)]
    wins = sum((one < other and ranks[0] < ranks[1]) or (one > other and ranks[0] > ranks[1]) for ranks in quick)
    return wins >= MOST_QUICK
