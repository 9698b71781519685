"""Chat: lines that players and spectators write beside a match or a tournament, and mutes.

These are not events: a chat is stored apart from the match itself. In messages about lines, `match` names the chat: the
id of a match, or `tournament/ID`. The chat of a tournament is one room, `spectators`; writing there needs an account.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .fields import CommandIdField, IdentityId, IdentityIdField, MatchId, MatchIdField, Message, Part, TournamentId
from .values import Player

ChatRoom: TypeAlias = Literal["players", "spectators"]
"""Players and spectators have separate rooms during the match. When it is over, everyone reads both."""

ChatTextField = Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


def chat_of_tournament(tournament: TournamentId) -> MatchId:
    """Return the name of a tournament's chat, which stands for a match in messages about lines.

    >>> chat_of_tournament(TournamentId("m2x7wq5c3kvd"))
    'tournament/m2x7wq5c3kvd'
    """
    return MatchId(f"tournament/{tournament}")


class ChatLine(Part, frozen=True):
    """A line of a chat."""

    number: int
    """Counted from 1 in each chat. Lines of a room that the reader cannot see leave gaps."""
    room: ChatRoom
    player: Player
    text: str
    """Plain text, never to be shown as markup. Empty if a moderator removed the line."""
    at_ms: int


class WatchChat(Message, frozen=True):
    """Subscribe to the chat of a match or a tournament, or unsubscribe. Answered by `Chat`."""

    match: MatchIdField
    on: bool = True


class Say(Message, frozen=True):
    """Write a line in the chat of a match: to the other players if you have a seat, otherwise to the spectators.

    Or in the chat of a tournament: for everyone. There you need an account.
    """

    id: CommandIdField
    match: MatchIdField
    text: ChatTextField


class Mute(Message, frozen=True):
    """Hide the lines of a player from you in every chat, or show them again. The player is not notified."""

    id: CommandIdField
    player: IdentityIdField
    on: bool = True


class Chat(Message, frozen=True):
    """The latest lines that you may read. Sent again whenever they change, for example when the match ends."""

    match: MatchId
    room: ChatRoom
    """The room that you write to."""
    lines: tuple[ChatLine, ...]
    muted: tuple[IdentityId, ...]
    """The players you muted. The client hides their lines."""


class ChatLineAdded(Message, frozen=True):
    """A new line in a chat that you follow."""

    match: MatchId
    line: ChatLine


ChatCommand: TypeAlias = WatchChat | Say | Mute
