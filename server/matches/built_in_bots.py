"""The built-in bots: the player that stands for each level and personality."""

from collections.abc import Mapping

from millrace.engine.game import EngineError, Game
from millrace.engine.levels.opponents import OPPONENTS, find_opponent
from millrace.protocol import Code, IdentityId, Player
from millrace.protocol.refusal import Refusal

BOT_ID_PREFIX = "bot-"


def bot_player(level: int | str, game: Game | None = None) -> Player:
    """Return the player of a level, by number or name, or of a personality.

    A level's name means something only in a game. Raises: EngineError.
    """
    opponent = find_opponent(level, game)
    is_level = opponent.name.isdecimal()
    name = f"Bot, level {opponent.level}" if is_level else f"{opponent.title} (bot)"
    return Player(IdentityId(f"{BOT_ID_PREFIX}{opponent.name}"), name, opponent.level)


BUILT_IN_BOTS: Mapping[IdentityId, Player] = {bot.id: bot for bot in map(bot_player, OPPONENTS)}
"""The players of every level and personality, by id."""


def level_of_bot(player: Player) -> int | str:
    """Return the level's number or the personality's name from which `bot_player` makes this player.

    >>> level_of_bot(bot_player("medium")), level_of_bot(bot_player("hunter"))
    (6, 'hunter')
    """
    name = player.id.removeprefix(BOT_ID_PREFIX)
    return int(name) if name.isdecimal() else name


def find_bot(level: int | str, game: Game) -> Player:
    """Return the bot of a level or a personality, by number or name. Raises: Refusal."""
    try:
        return bot_player(level, game)
    except EngineError as error:
        raise Refusal(Code.BAD_SEATS, str(error)) from None
