"""Chat in a database: implements `server.chat.chat_store.ChatStore`."""

from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import ChatLine, ChatRoom, CommandId, IdentityId, MatchId, Player

from .database import Database
from .tables import chat_lines, mutes


class StoredLine(NamedTuple):
    """A row of `chat_lines`."""

    match: MatchId
    number: int
    room: ChatRoom
    identity: IdentityId
    name: str
    registered: bool
    command_id: CommandId
    text: str
    at_ms: int
    bot: bool

    @property
    def line(self) -> ChatLine:
        """Return the line as clients see it."""
        player = Player(self.identity, self.name, registered=self.registered, bot=self.bot)
        return ChatLine(self.number, self.room, player, self.text, self.at_ms)


class DatabaseChat:
    """A `ChatStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_line(self, match: MatchId, line: ChatLine, command_id: CommandId) -> bool:
        """Store a line; False, with nothing stored, if its number is taken or its player sent this command before.

        Raises: StorageError.
        """
        player = line.player
        by = (player.id, player.name, player.registered, command_id)
        row = StoredLine(match, line.number, line.room, *by, line.text, line.at_ms, player.bot)
        adding = insert(chat_lines).values(row._asdict()).on_conflict_do_nothing()
        return await self._database.execute(adding) > 0

    async def was_said(self, identity: IdentityId, command_id: CommandId) -> bool:
        """Return whether a player's command has led to a line. Raises: StorageError."""
        is_command = (chat_lines.c.identity == identity, chat_lines.c.command_id == command_id)
        return bool(await self._database.rows(select(chat_lines.c.number).where(*is_command)))

    async def lines(self, match: MatchId, most: int) -> tuple[ChatLine, ...]:
        """Return the latest lines of a match, up to `most`, the oldest of them first. Raises: StorageError."""
        latest = select(*chat_lines.c).where(chat_lines.c.match == match).order_by(chat_lines.c.number.desc())
        stored = await self._database.records(StoredLine, latest.limit(most))
        return tuple(row.line for row in reversed(stored))

    async def mute(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Note that a player has muted another. Raises: StorageError."""
        muting = insert(mutes).values(by=by, whom=whom, created_ms=now_ms)
        await self._database.execute(muting.on_conflict_do_nothing())

    async def unmute(self, by: IdentityId, whom: IdentityId) -> None:
        """Note that a player has unmuted another. Raises: StorageError."""
        await self._database.execute(delete(mutes).where(mutes.c.by == by, mutes.c.whom == whom))

    async def muted_by(self, by: IdentityId) -> tuple[IdentityId, ...]:
        """Return whom a player has muted, the earliest mute first. Raises: StorageError."""
        found = select(mutes.c.whom).where(mutes.c.by == by).order_by(mutes.c.created_ms, mutes.c.whom)
        return tuple(await self._database.values(IdentityId, found))
