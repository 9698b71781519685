"""What chat stores: lines, and which players mute which. An interface only; `server.storage` implements it."""

from typing import Protocol

from millrace.protocol import ChatLine, CommandId, IdentityId, MatchId


class ChatStore(Protocol):
    """Lines and mutes. Every method raises StorageError."""

    async def add_line(self, match: MatchId, line: ChatLine, command_id: CommandId) -> bool:
        """Store a line. Returns False, with nothing stored, if its number is taken or the command was stored before."""

    async def was_said(self, identity: IdentityId, command_id: CommandId) -> bool:
        """Return whether a player's command led to a line."""

    async def lines(self, match: MatchId, limit: int) -> tuple[ChatLine, ...]:
        """Return the latest lines of a match, oldest first."""

    async def mute(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store that a player mutes another."""

    async def unmute(self, by: IdentityId, whom: IdentityId) -> None:
        """Store that a player no longer mutes another."""

    async def muted_by(self, by: IdentityId) -> tuple[IdentityId, ...]:
        """Return the players whom a player mutes, in the order in which they were muted."""
