"""Ranks live matches for spectators, and decides which may be featured. Pure."""

from enum import IntEnum
from typing import NamedTuple

from millrace.protocol import Player, Speed

from ..matches.match import Match, Phase
from ..matches.speed import speed_of


class MatchKind(IntEnum):
    """The kinds of players; the kinds most worth watching come last."""

    EXHIBITION = 0
    """Built-in bots, because nothing else is played."""
    BOTS = 1
    """Built-in bots."""
    PROGRAMS = 2
    """Bot accounts."""
    GUESTS = 3
    """People without ratings."""
    MIXED = 4
    """A person with a rating against one without, or against a bot."""
    RATED = 5
    """People, all with ratings."""


class MatchRank(NamedTuple):
    """The rank of a match: greater is more worth watching."""

    kind: MatchKind
    rating: int
    """The mean rating of the people with a rating, or else of the bots."""


def rank_of(match: Match) -> MatchRank:
    """Return the rank of a match."""
    seated = [(player, match.ratings[seat]) for seat, player in enumerate(match.players) if player is not None]
    of_people = [rating.rating for player, rating in seated if rating is not None and _is_person(player)]
    of_all = of_people or [rating.rating for _, rating in seated if rating is not None]
    people = sum(_is_person(player) for player, _ in seated)
    return MatchRank(_kind_of(match, people, len(of_people)), round(sum(of_all) / len(of_all)) if of_all else 0)


def may_be_featured(match: Match) -> bool:
    """Return whether a match may be featured: at least two people or bot accounts play each other in real time.

    Practice against a built-in bot is private, and correspondence is too slow to watch.
    """
    if match.phase is not Phase.PLAYING or match.pause is not None:
        return False
    rivals = {player.id for player in match.players if player is not None and player.level is None}
    is_contest = len(rivals) > 1 or match.created.exhibition
    return is_contest and speed_of(match.created.clock) is not Speed.CORRESPONDENCE


def _is_person(player: Player) -> bool:
    return player.level is None and not player.bot


def _kind_of(match: Match, people: int, rated_people: int) -> MatchKind:
    if match.created.exhibition:
        return MatchKind.EXHIBITION
    if not people:
        return MatchKind.PROGRAMS if match.bot_accounts else MatchKind.BOTS
    if not rated_people:
        return MatchKind.GUESTS
    return MatchKind.RATED if rated_people == len(match.players) else MatchKind.MIXED
