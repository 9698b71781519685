"""The built-in bots: the player that stands for each level and personality."""

from collections.abc import Mapping, Sequence

from millrace.engine.game import EngineError, Game
from millrace.engine.levels.opponents import OPPONENTS, STRONGEST_LEVEL, Opponent, find_opponent
from millrace.protocol import Code, IdentityId, Player
from millrace.protocol.refusal import Refusal

BOT_ID_PREFIX = "bot-"

MIN_LEVEL = 3
"""Minimum level of bots that play each other: weaker ones are not worth watching."""

PLAYING_EACH_OTHER: Sequence[Opponent] = tuple(
    each for each in OPPONENTS.values() if MIN_LEVEL <= each.level < STRONGEST_LEVEL and each.classic is None
)
"""The bots that play each other: none that searches by time, which would occupy a processor."""


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
