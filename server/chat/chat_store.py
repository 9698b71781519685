"""What chat stores: lines, and which players mute which."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Text, cast, delete, false, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import ChatLine, ChatRoom, CommandId, IdentityId, MatchId, Player

from ..storage.database import Step, Store
from ..storage.tables import define_table, required

chat_lines = define_table(
    "chat_lines",
    ["match", "number"],
    *required(Text, "match"),
    *required(Integer, "number"),
    *required(Text, "room", "identity", "name"),
    *required(Boolean, "registered"),
    *required(Text, "command_id", "text"),
    *required(BigInteger, "at_ms"),
    Column("bot", Boolean, nullable=False, server_default=false()),
)
"""The chat of each match, numbered from 1."""

Index("chat_lines_command", chat_lines.c.identity, chat_lines.c.command_id, unique=True)

mutes = define_table(
    "mutes",
    ["by", "whom"],
    *required(Text, "by", "whom"),
    *required(BigInteger, "created_ms"),
)
"""Who has muted whom in chats."""


MAX_NUMBER = 2**31 - 1
"""The largest number of a line that a column holds."""


class _LineRow(NamedTuple):
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


class ChatStore(Store):
    """Lines and mutes. Every method raises StorageError."""

    async def add_line(self, match: MatchId, line: ChatLine, command_id: CommandId) -> bool:
        """Store a line. Returns False, with nothing stored, if its number is taken or the command was stored before."""
        player = line.player
        by = (player.id, player.name, player.registered, command_id)
        row = _LineRow(match, line.number, line.room, *by, line.text, line.at_ms, player.bot)
        adding = insert(chat_lines).values(row._asdict()).on_conflict_do_nothing()
        return await self._database.execute(adding) > 0

    async def was_said(self, identity: IdentityId, command_id: CommandId) -> bool:
        """Return whether a player's command led to a line."""
        is_command = (chat_lines.c.identity == identity, chat_lines.c.command_id == command_id)
        return bool(await self._database.rows(select(chat_lines.c.number).where(*is_command)))

    async def lines(self, match: MatchId, most: int) -> tuple[ChatLine, ...]:
        """Return the latest lines of a match, oldest first."""
        latest = select(*chat_lines.c).where(chat_lines.c.match == match).order_by(chat_lines.c.number.desc())
        stored = await self._database.records(_LineRow, latest.limit(most))
        return tuple(row.line for row in reversed(stored))

    async def lines_around(self, match: MatchId, line: int, count: int) -> Sequence[ChatLine]:
        """Return up to `count` chat lines before and after a line, and the line itself, in order, of both rooms."""
        near = min(line, MAX_NUMBER - count)
        is_near = (chat_lines.c.match == match, chat_lines.c.number.between(near - count, near + count))
        found = select(*chat_lines.c).where(*is_near).order_by(chat_lines.c.number)
        return [row.line for row in await self._database.records(_LineRow, found)]

    async def name_of_writer(self, identity: IdentityId) -> str | None:
        """Return the name that a player last had in a line."""
        wrote = select(chat_lines.c.name).where(chat_lines.c.identity == identity)
        return await self._database.value(str, wrote.order_by(chat_lines.c.at_ms.desc()).limit(1))

    async def mute(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store that a player mutes another."""
        muting = insert(mutes).values(by=by, whom=whom, created_ms=now_ms)
        await self._database.execute(muting.on_conflict_do_nothing())

    async def unmute(self, by: IdentityId, whom: IdentityId) -> None:
        """Store that a player no longer mutes another."""
        await self._database.execute(delete(mutes).where(mutes.c.by == by, mutes.c.whom == whom))

    async def muted_by(self, by: IdentityId) -> tuple[IdentityId, ...]:
        """Return the players whom a player mutes, in the order in which they were muted."""
        found = select(mutes.c.whom).where(mutes.c.by == by).order_by(mutes.c.created_ms, mutes.c.whom)
        return tuple(await self._database.values(IdentityId, found))


def deletion_steps(identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that delete a player's mutes, and put another player into the player's lines."""
    # All deleted players become the same `replacement`, whose commands must differ all the same.
    place = chat_lines.c.match + "/" + cast(chat_lines.c.number, Text)
    traits = {"registered": replacement.registered, "bot": replacement.bot}
    disowning = update(chat_lines).where(chat_lines.c.identity == identity)
    return [
        Step(delete(mutes).where(or_(mutes.c.by == identity, mutes.c.whom == identity))),
        Step(disowning.values(identity=replacement.id, name=replacement.name, **traits, command_id=place)),
    ]


def naming_step(player: Player) -> Step:
    """Return the step that puts the present name of a player into the player's lines."""
    return Step(update(chat_lines).where(chat_lines.c.identity == player.id).values(name=player.name))


def line_removing_step(match: MatchId, number: int) -> Step:
    """Return the step that deletes the text of a line that has one."""
    is_line = (chat_lines.c.match == match, chat_lines.c.number == number, chat_lines.c.text != "")
    return Step(update(chat_lines).where(*is_line).values(text=""), must_change=True)
