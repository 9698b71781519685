"""Talking beside the board: what is said, to whom, and whom one would rather not hear.

Not events: what is said in a match is kept apart from what happens in it.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from .fields import CommandIdField, IdentityId, IdentityIdField, MatchId, MatchIdField, Message, Part
from .values import Player

TalkRoom: TypeAlias = Literal["players", "watchers"]
"""Those who hold a seat talk apart from those who watch; after the end all hear both."""

ChatTextField = Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


class ChatLine(Part, frozen=True):
    """What somebody has said."""

    number: int
    """Counted in each match from 1; a line of a room that one may not hear leaves a gap."""
    room: TalkRoom
    player: Player
    text: str
    """Plain text: it is never to be shown as anything else. Empty: a moderator has removed the line."""
    at_ms: int


class WatchChat(Message, frozen=True):
    """Follow what is said beside a match, answered by `Chat`; or follow it no longer."""

    match: MatchIdField
    on: bool = True


class Say(Message, frozen=True):
    """Say something beside a match: to the other players, or, for those without a seat, to the other watchers."""

    id: CommandIdField
    match: MatchIdField
    text: ChatTextField


class Mute(Message, frozen=True):
    """Hear somebody no longer, in any match; or again. Nobody else is told."""

    id: CommandIdField
    player: IdentityIdField
    on: bool = True


class Chat(Message, frozen=True):
    """The latest of what has been said and may be heard; sent anew when that changes, as by the end of the match."""

    match: MatchId
    room: TalkRoom
    """Where what one says is heard."""
    lines: tuple[ChatLine, ...]
    muted: tuple[IdentityId, ...]
    """Whom one does not want to hear; their lines are for the client to leave out."""


class Said(Message, frozen=True):
    """Somebody has said something."""

    match: MatchId
    line: ChatLine


ChatCommand: TypeAlias = WatchChat | Say | Mute
