"""The SQL of talk, built once from the tables and compiled for each database.

Runs nothing.
"""

from typing import NamedTuple

from sqlalchemy import ColumnClause, Dialect, Text, bindparam, cast, delete, literal_column, or_, select, update
from sqlalchemy.dialects import postgresql

from .statements import ZERO, compile_text
from .tables import chat_lines, mutes

_SLASH: ColumnClause[str] = literal_column("'/'")
"""Said in so many words, since SQLite's dialect would make it a parameter."""


class ChatStatements(NamedTuple):
    """The SQL texts for one database; each says which values it takes, in order."""

    add_line: str
    """A row of `chat_lines`; gives `(number,)` if it was stored."""
    was_said: str
    """`(identity, command_id)`; gives a row if there is such a line."""
    lines: str
    """`(match, most)`; gives rows of `chat_lines`, the latest first."""
    disown: str
    """`(identity, name, registered, bot, former identity)`."""
    forget_mutes: str
    """`(identity, identity)`."""
    mute: str
    """A row of `mutes`."""
    unmute: str
    """`(by, whom)`."""
    muted_by: str
    """`(by,)`; gives `(whom,)`, the first to be muted first."""


def compile_chat_statements(dialect: Dialect) -> ChatStatements:
    """Return the statements in the words and with the placeholders of a dialect."""
    # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
    line, mute = (
        postgresql.insert(table).values({column.name: bindparam(column.name, type_=column.type) for column in table.c})
        for table in (chat_lines, mutes)
    )
    said = select(chat_lines.c.number).where(
        chat_lines.c.identity == bindparam("who"), chat_lines.c.command_id == bindparam("command")
    )
    latest = (
        select(*chat_lines.c)
        .where(chat_lines.c.match == bindparam("of_match"))
        .order_by(chat_lines.c.number.desc())
        .limit(bindparam("most"))
        .offset(ZERO)
    )
    # Several who have gone become the same nobody, whose commands must differ all the same.
    place = chat_lines.c.match + _SLASH + cast(chat_lines.c.number, Text)
    disown = (
        update(chat_lines)
        .where(chat_lines.c.identity == bindparam("former"))
        .values(
            identity=bindparam("nobody"),
            name=bindparam("nobodys_name"),
            registered=bindparam("is_registered"),
            bot=bindparam("is_bot"),
            command_id=place,
        )
    )
    forget_mutes = delete(mutes).where(or_(mutes.c.by == bindparam("muter"), mutes.c.whom == bindparam("muted")))
    unmute = delete(mutes).where(mutes.c.by == bindparam("muter"), mutes.c.whom == bindparam("muted"))
    muted_by = select(mutes.c.whom).where(mutes.c.by == bindparam("muter")).order_by(mutes.c.created_ms, mutes.c.whom)
    return ChatStatements(
        add_line=compile_text(
            dialect, line.on_conflict_do_nothing().returning(chat_lines.c.number), *chat_lines.c.keys()
        ),
        was_said=compile_text(dialect, said, "who", "command"),
        lines=compile_text(dialect, latest, "of_match", "most"),
        disown=compile_text(dialect, disown, "nobody", "nobodys_name", "is_registered", "is_bot", "former"),
        forget_mutes=compile_text(dialect, forget_mutes, "muter", "muted"),
        mute=compile_text(dialect, mute.on_conflict_do_nothing(), *mutes.c.keys()),
        unmute=compile_text(dialect, unmute, "muter", "muted"),
        muted_by=compile_text(dialect, muted_by, "muter"),
    )
