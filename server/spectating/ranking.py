"""How live matches rank for those who would like to watch one, and which may be featured.

Pure.
"""

from enum import IntEnum
from typing import NamedTuple

from ..matches.match import Match, Phase
from ..matches.speed import speed_of
from ..protocol import Player, Speed


class Kind(IntEnum):
    """Who plays, the most worth watching last."""

    EXHIBITION = 0
    """The house's bots, because nothing else is on."""
    BOTS = 1
    """The house's bots."""
    PROGRAMS = 2
    """Accounts of bots."""
    GUESTS = 3
    """People of whom none has a rating."""
    MIXED = 4
    """Somebody with a rating and somebody without, or a bot."""
    RATED = 5
    """People with ratings only."""


class Standing(NamedTuple):
    """A match's place among others: the greater, the more worth watching."""

    kind: Kind
    rating: int
    """The mean of the people's who have one, or else of the bots'."""


def standing_of(match: Match) -> Standing:
    """Return where a match stands."""
    seated = [(player, match.ratings[seat]) for seat, player in enumerate(match.players) if player is not None]
    of_people = [rating.rating for player, rating in seated if rating is not None and _is_person(player)]
    of_all = of_people or [rating.rating for _, rating in seated if rating is not None]
    people = sum(_is_person(player) for player, _ in seated)
    return Standing(_kind_of(match, people, len(of_people)), round(sum(of_all) / len(of_all)) if of_all else 0)


def may_be_featured(match: Match) -> bool:
    """Return whether a match is one to show: at least two, people or programs, play each other before our eyes.

    Not who practises against the house's bots, which may be done in peace; and not correspondence.
    """
    if match.phase is not Phase.PLAYING or match.pause is not None:
        return False
    rivals = {player.id for player in match.players if player is not None and player.level is None}
    is_contest = len(rivals) > 1 or match.created.exhibition
    return is_contest and speed_of(match.created.clock) is not Speed.CORRESPONDENCE


def _is_person(player: Player) -> bool:
    return player.level is None and not player.bot


def _kind_of(match: Match, people: int, rated_people: int) -> Kind:
    if match.created.exhibition:
        return Kind.EXHIBITION
    if not people:
        return Kind.PROGRAMS if match.bot_accounts else Kind.BOTS
    if not rated_people:
        return Kind.GUESTS
    return Kind.RATED if rated_people == len(match.players) else Kind.MIXED
