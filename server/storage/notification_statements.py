"""The SQL of notices, built once from the tables and compiled for each database.

Runs nothing.
"""

from typing import NamedTuple

from sqlalchemy import Dialect, bindparam, delete, func, or_, select, true, update
from sqlalchemy.dialects import postgresql

from .statements import ONE, ZERO, compile_text
from .tables import accounts, notices, people


class NoticeStatements(NamedTuple):
    """The SQL texts for one database; each says which values it takes, in order."""

    give: str
    """A row of `notices`; changes nothing unless it is later than what it would replace."""
    take_away: str
    """`(identity, kind, subject)`."""
    trim: str
    """`(identity, identity, most)`: keep so many of somebody's, the latest."""
    latest: str
    """`(identity, most)`; gives rows of `notices`, the latest first."""
    read_all: str
    """`(identity,)`."""
    read: str
    """`(identity, subject)`."""
    sweep: str
    """`(before_ms,)`."""
    toggles: str
    """`()`; gives `(identity, kinds)`."""
    set_toggled: str
    """`(identity, kinds)`."""
    forget: str
    """`(identity, identity)`."""


def compile_notice_statements(dialect: Dialect) -> NoticeStatements:
    """Return the statements in the words and with the placeholders of a dialect."""
    # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
    give = postgresql.insert(notices).values({c.name: bindparam(c.name, type_=c.type) for c in notices.c})
    give_anew = give.on_conflict_do_update(
        index_elements=["identity", "kind", "subject"],
        set_={c.name: give.excluded[c.name] for c in notices.c if c.name not in ("identity", "kind", "subject")},
        where=notices.c.at_ms < give.excluded.at_ms,
    )
    is_own = notices.c.identity == bindparam("who")
    is_about = notices.c.subject == bindparam("about")
    toggle = postgresql.insert(people).values(identity=bindparam("who"), toggled_notices=bindparam("kinds"))
    past = (
        select(notices.c.at_ms)
        .where(notices.c.identity == bindparam("whose"))
        .order_by(notices.c.at_ms.desc())
        .limit(ONE)
        .offset(bindparam("most"))
        .scalar_subquery()
    )
    # Somebody may go by another name by now.
    name = func.coalesce(accounts.c.name, notices.c.player_name)
    latest = (
        select(*(name if column is notices.c.player_name else column for column in notices.c))
        .join_from(notices, accounts, accounts.c.id == notices.c.player, isouter=True)
        .where(is_own)
        .order_by(notices.c.at_ms.desc(), notices.c.kind, notices.c.subject)
    )
    unread = update(notices).where(is_own).values(is_read=true())
    return NoticeStatements(
        give=compile_text(dialect, give_anew, *notices.c.keys()),
        take_away=compile_text(
            dialect,
            delete(notices).where(is_own, notices.c.kind == bindparam("kind"), is_about),
            *("who", "kind", "about"),
        ),
        trim=compile_text(dialect, delete(notices).where(is_own, notices.c.at_ms <= past), "who", "whose", "most"),
        latest=compile_text(dialect, latest.limit(bindparam("most")).offset(ZERO), "who", "most"),
        read_all=compile_text(dialect, unread, "who"),
        read=compile_text(dialect, unread.where(is_about), "who", "about"),
        sweep=compile_text(dialect, delete(notices).where(notices.c.at_ms < bindparam("before_ms")), "before_ms"),
        toggles=compile_text(
            dialect, select(people.c.identity, people.c.toggled_notices).where(people.c.toggled_notices.is_not(None))
        ),
        set_toggled=compile_text(
            dialect,
            toggle.on_conflict_do_update(
                index_elements=["identity"], set_={"toggled_notices": toggle.excluded.toggled_notices}
            ),
            *("who", "kinds"),
        ),
        forget=compile_text(
            dialect, delete(notices).where(or_(is_own, notices.c.player == bindparam("other"))), "who", "other"
        ),
    )
