"""What is kept of talk, as the rest of the server sees it: lines, and who is muted by whom.

An interface only; `server.storage` keeps it in a database.
"""

from typing import Protocol

from ..protocol import ChatLine, CommandId, IdentityId, MatchId, Player


class ChatStore(Protocol):
    """Lines and mutes. Every method raises StorageError."""

    async def add_line(self, match: MatchId, line: ChatLine, command_id: CommandId) -> bool:
        """Store a line; False, with nothing stored, if its number is taken or its player sent this command before."""

    async def was_said(self, identity: IdentityId, command_id: CommandId) -> bool:
        """Return whether a command of somebody has led to a line."""

    async def lines(self, match: MatchId, most: int) -> tuple[ChatLine, ...]:
        """Return the latest lines of a match, the oldest of them first."""

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Put `nobody` to what somebody has said, and forget whom they have muted and who has muted them."""

    async def mute(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Note that somebody does not want to hear another."""

    async def unmute(self, by: IdentityId, whom: IdentityId) -> None:
        """Note that somebody wants to hear another again."""

    async def muted_by(self, by: IdentityId) -> tuple[IdentityId, ...]:
        """Return whom somebody does not want to hear, the first to be muted first."""
