"""The built-in bots of a bots' arena: one of the calendar that admits bots.

Pure. They join and are paired only while a bot with an account plays there, so an arena without one costs nothing.
"""

import hashlib
from collections.abc import Callable, Collection
from functools import partial

from millrace.protocol import IdentityId

from ..matches.built_in_bots import BUILT_IN_BOTS, PLAYING_EACH_OTHER, bot_player
from ..ratings.rating import Rating
from .events import Joined
from .tournament import SITE, Tournament
from .tournament_views import PlayerOf

BOTS = 6
"""How many built-in bots join an arena."""


def are_wanted(tournament: Tournament, online: Collection[IdentityId], player_of: PlayerOf) -> bool:
    """Return whether built-in bots may play: a bot with an account is there and has not paused."""
    plan = tournament.plan
    is_for_bots = plan.bots and plan.kind == "arena" and plan.seats == 2 and tournament.by == SITE.id
    present = (each for each in tournament.entrants.values() if not each.is_paused and each.identity in online)
    return is_for_bots and any(player_of(each.identity).bot for each in present)


def built_in(tournament: Tournament) -> set[IdentityId]:
    """Return the built-in bots that have joined."""
    return tournament.entrants.keys() & BUILT_IN_BOTS.keys()


def join_built_in(tournament: Tournament, rating_of: Callable[[IdentityId], Rating]) -> list[Joined]:
    """Return what happens in a bots' arena that has begun: those bots that its id chooses join, unless they have."""
    if tournament.status != "running" or built_in(tournament):
        return []
    bots = sorted((bot_player(each.name).id for each in PLAYING_EACH_OTHER), key=partial(_lot, tournament))[:BOTS]
    ratings = {bot: rating_of(bot) for bot in bots}
    return [Joined(bot, rating.points, rating.is_provisional) for bot, rating in ratings.items()]


def _lot(tournament: Tournament, bot: IdentityId) -> bytes:
    return hashlib.sha256(f"{tournament.id}\n{bot}".encode()).digest()
