"""An occasion for every command with an effect."""

from tests.server.repeated_commands import accounts, matches, players, races, tournaments
from tests.server.repeated_commands.occasions import OCCASIONS, Occasion, World

__all__ = ["OCCASIONS", "Occasion", "World", "accounts", "matches", "players", "races", "tournaments"]
