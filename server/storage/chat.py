"""Talk in a database: what `server.chat.store.ChatStore` promises.

No SQL here.
"""

from collections.abc import Sequence
from typing import cast

from ..journal.store import StorageError
from ..protocol import ChatLine, ChatRoom, CommandId, IdentityId, MatchId, Player
from .chat_statements import compile_chat_statements
from .writer import Database, Step

_STORED_SPECTATORS = "watchers"
"""How the room of the spectators is called in the database."""


class DatabaseChat:
    """A `ChatStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = compile_chat_statements(database.dialect)

    async def add_line(self, match: MatchId, line: ChatLine, command_id: CommandId) -> bool:
        """Store a line; False, with nothing stored, if its number is taken or its player sent this command before.

        Raises: StorageError.
        """
        player = line.player
        by = (player.id, player.name, player.registered, command_id)
        row = (match, line.number, _stored_room(line.room), *by, line.text, line.at_ms, player.bot)
        return bool(await self._database.fetch(self._statements.add_line, *row))

    async def was_said(self, identity: IdentityId, command_id: CommandId) -> bool:
        """Return whether a command of somebody has led to a line. Raises: StorageError."""
        return bool(await self._database.fetch(self._statements.was_said, identity, command_id))

    async def lines(self, match: MatchId, most: int) -> tuple[ChatLine, ...]:
        """Return the latest lines of a match, the oldest of them first. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.lines, match, most)
        return tuple(read_line(row) for row in reversed(rows))

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Put `nobody` to what somebody has said, and forget whom they have muted and who has muted them.

        Raises: StorageError.
        """
        steps = [
            Step(self._statements.disown, (nobody.id, nobody.name, nobody.registered, nobody.bot, identity)),
            Step(self._statements.forget_mutes, (identity, identity)),
        ]
        if not await self._database.transact(steps):
            raise StorageError("what was said cannot be disowned now")

    async def mute(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Note that somebody does not want to hear another. Raises: StorageError."""
        await self._database.execute(self._statements.mute, by, whom, now_ms)

    async def unmute(self, by: IdentityId, whom: IdentityId) -> None:
        """Note that somebody wants to hear another again. Raises: StorageError."""
        await self._database.execute(self._statements.unmute, by, whom)

    async def muted_by(self, by: IdentityId) -> tuple[IdentityId, ...]:
        """Return whom somebody does not want to hear, the first to be muted first. Raises: StorageError."""
        return tuple(cast(IdentityId, row[0]) for row in await self._database.fetch(self._statements.muted_by, by))


def read_line(row: Sequence[object]) -> ChatLine:
    """Return the line of a row of `chat_lines`."""
    _, number, room, identity, name, registered, _, text, at_ms, is_bot = cast(
        "tuple[MatchId, int, str, IdentityId, str, bool, CommandId, str, int, bool]", tuple(row)
    )
    player = Player(identity, name, registered=bool(registered), bot=bool(is_bot))
    return ChatLine(number, "players" if room == "players" else "spectators", player, text, at_ms)


def _stored_room(room: ChatRoom) -> str:
    return _STORED_SPECTATORS if room == "spectators" else room
