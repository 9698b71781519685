"""Which matches count for the ratings, and why others do not.

Pure.

A match counts if it was created as rated, has a result, began from one of the game's own starts, had a few plies by
every seat, and if every player has an account or is a built-in bot. Two players cannot trade ratings: only a limited
number of their matches count in a day, and fewer still if one repeatedly loses quickly to the other.

A player who left a match of three or four seats, or was absent, is rated as having lost; the bot that stood in is not
rated. A bot with several seats counts as an opponent, but its own rating does not change.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from millrace.protocol import Player, Unrated

from ..matches.creation import is_offered_start
from ..matches.match import Match
from .rating_store import PairResult

DAY_MS = 86_400_000
MAX_ENCOUNTERS = 12
"""Maximum matches of the same two players that count within a day."""
QUICK_PLIES_EACH = 12
"""A match is quick if it ends before every seat has made this many plies."""
MAX_QUICK_WINS = 3
"""Maximum quick wins over the same player that count within a day."""
MIN_PLIES_EACH = 2
"""Minimum plies of every seat in a match that counts."""

EXPLANATIONS: Mapping[Unrated, str] = {
    Unrated.NO_RESULT: "the match has no result",
    Unrated.TOO_SHORT: "the match was too short",
    Unrated.SET_UP: "the match started from a custom position",
    Unrated.NO_ACCOUNT: "not every player has an account",
    Unrated.ONE_PLAYER: "a player had more than one seat",
    Unrated.MET_OFTEN: f"only {MAX_ENCOUNTERS} matches a day between the same two players count",
    Unrated.QUICK_WINS: f"only {MAX_QUICK_WINS} quick wins a day against the same player count",
}


Pair: TypeAlias = tuple[int, int]
"""Two seats, the lower first."""


def pairs_of(match: Match) -> tuple[Pair, ...]:
    """Return the pairs of seats whose earlier encounters matter: all except pairs of bots."""
    return tuple(
        (one, other)
        for one, other in combinations(range(len(match.players)), 2)
        if not (_is_bot(match.players[one]) and _is_bot(match.players[other]))
    )


def why_unrated(match: Match, encounters: Mapping[Pair, Sequence[PairResult]]) -> Unrated | None:
    """Return why a rated match that has ended does not count, or None if it does.

    `encounters` are the matches of each pair of `pairs_of` that counted within the last `DAY_MS`.
    """
    reason = _why_not_by_itself(match)
    if reason is not None:
        return reason
    for pair, earlier in encounters.items():
        if len(earlier) >= MAX_ENCOUNTERS:
            return Unrated.MET_OFTEN
        if _is_quick(match.state.ply, len(match.players)) and _has_won_quickly(match, pair, earlier):
            return Unrated.QUICK_WINS
    return None


def seats_to_rate(match: Match) -> tuple[int, ...]:
    """Return the seats whose players' ratings may change: all except those of a bot that holds several."""
    held = Counter(player.id for player in match.players if player is not None)
    return tuple(seat for seat, player in enumerate(match.players) if player is not None and held[player.id] == 1)


def _why_not_by_itself(match: Match) -> Unrated | None:
    if match.ended is None or match.ended.ranks is None:
        return Unrated.NO_RESULT
    if match.state.ply < MIN_PLIES_EACH * len(match.players):
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
    """Return whether the winner of the two has already reached the maximum of quick wins over the other."""
    assert match.ended is not None
    assert match.ended.ranks is not None
    one, other = (match.ended.ranks[seat] for seat in pair)
    quick = [meeting.ranks for meeting in earlier if _is_quick(meeting.plies, meeting.seats)]
    wins = sum((one < other and ranks[0] < ranks[1]) or (one > other and ranks[0] > ranks[1]) for ranks in quick)
    return wins >= MAX_QUICK_WINS
