"""Bots that a page thinks for: in a casual match of one person against one of the server's bots, the bot's moves may be
searched by the person's page.
"""

from typing import TypeAlias

from .fields import CommandIdField, CountField, MatchId, MatchIdField, Message, MoveTextField


class ThinkForBot(Message, frozen=True):
    """Offer to think for the bot of a match that this connection watches, or stop. The server may then send `BotTurn`.

    Guests and signed-in players only; API tokens cannot be used.
    """

    match: MatchIdField
    on: bool = True


class PlayForBot(Message, frozen=True):
    """Answer a `BotTurn`; answered by `Done`. The server checks the move like any other, and takes the first answer:
    this, or that of its own bots. `Done` does not say that it is stored: it counts once its event comes.
    """

    id: CommandIdField
    match: MatchIdField
    seq: CountField
    """That of the `BotTurn`."""
    move: MoveTextField
    """The text of the move."""


class BotTurn(Message, frozen=True):
    """Sent to one connection that has offered to think for the bot to move: what its search needs."""

    match: MatchId
    seq: int
    level: int
    """1 to 7."""
    seed: int
    """The level's choice follows from the position and the seed: pages and the server choose the same move."""
    moves: tuple[int, ...]
    """The moves since the start of the match, in the numbers of the game's module (`EngineLine`)."""


PageBotCommand: TypeAlias = ThinkForBot | PlayForBot
