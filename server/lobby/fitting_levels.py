"""The level of the bot that suits a player in a game, from the player's rating or the latest results against bots."""

from collections.abc import Sequence

from millrace.engine.games import find_game
from millrace.engine.levels.opponents import LEVELS, STRONGEST_LEVEL
from millrace.protocol import IdentityId, PastMatch, Player

from ..archive.archive_query import ArchiveQuery
from ..archive.archive_store import ArchiveStore, past_matches
from ..journal.unavailable import refusing_failures
from ..matches.built_in_bots import bot_player
from ..ratings.ratings import Ratings
from .pools import level_near

FIRST_LEVEL = 1
"""The level for an unknown player."""
LOOKED_THROUGH = 12
"""Number of a player's latest matches in which to look for one against a bot."""


class FittingLevels:
    """Finds the level that suits a player."""

    def __init__(self, archive: ArchiveStore, rating_lookup: Ratings) -> None:
        self._archive = archive
        self._rating_lookup = rating_lookup

    async def level_for(self, player: Player, game: str) -> int:
        """Return the level of a bot about as strong as a player.

        Raises: Refusal if the archive cannot be read, UnknownGameError.
        """
        seats = min(find_game(game).seats)
        speed = self._rating_lookup.settled_speed(player.id, game, seats)
        if speed is not None:
            rate = self._rating_lookup.rating_of
            bot_ratings = [rate(bot_player(level).id, game, seats, speed) for level in LEVELS]
            return level_near(rate(player.id, game, seats, speed), bot_ratings)
        with refusing_failures("archive read failed", "look this up"):
            found = await self._archive.search(ArchiveQuery(player=player.id, game=game), LOOKED_THROUGH)
        return level_after(past_matches(found, player.id), player.id)


def level_after(latest: Sequence[PastMatch], identity: IdentityId) -> int:
    """Return the level based on a player's latest matches, newest first.

    The newest match against one built-in bot decides: after a win the next level, after a loss the one before, after a
    draw the same. A personality counts as the level closest in strength.
    """
    for match in latest:
        level = _level_against(match, identity)
        if level is not None and match.ranks is not None:
            own = next(seat for seat, player in enumerate(match.players) if player and player.id == identity)
            step = match.ranks[1 - own] - match.ranks[own]
            return min(max(level + step, FIRST_LEVEL), STRONGEST_LEVEL)
    return FIRST_LEVEL


def _level_against(match: PastMatch, identity: IdentityId) -> int | None:
    """Return the level of the only opponent, if it was a built-in bot."""
    opponents = [player for player in match.players if player is not None and player.id != identity]
    return opponents[0].level if len(match.players) == 2 and len(opponents) == 1 else None
