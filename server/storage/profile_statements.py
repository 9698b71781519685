"""The SQL of people, built once from the tables and compiled for each database.

Runs nothing.
"""

from typing import Any, NamedTuple

from sqlalchemy import Dialect, Select, bindparam, delete, func, literal_column, or_, select, true
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql.base import Executable

from ..accounts.restriction_store import RestrictionKind
from .statements import ZERO, compile_text
from .tables import accounts, follows, measures, people

_ACCOUNT = (accounts.c.id, accounts.c.name, accounts.c.is_bot)
_IS_CLOSURE = measures.c.kind == literal_column(f"'{RestrictionKind.BAN}'")
_IS_CLOSED = select(measures.c.words).where(measures.c.identity == accounts.c.id, _IS_CLOSURE).exists()
_SKETCH = (people.c.bio, people.c.country, people.c.is_hidden, people.c.seen_ms, _IS_CLOSED)


class PeopleStatements(NamedTuple):
    """The SQL texts for one database; each says which values it takes, in order.

    A *sketch* of somebody is `(bio, country, is_hidden, seen_ms, is_closed)`, the first four null where nothing was
    said; what is *known* is `(id, name, is_bot)` and the sketch.
    """

    marks: str
    """`()`; gives `(identity, country, is_hidden)`."""
    find: str
    """`(identity,)`; gives the sketch of the owner of an account."""
    set_about: str
    """`(identity, bio, country)`."""
    set_hidden: str
    """`(identity, is_hidden)`."""
    note_seen: str
    """`(seen_ms, identity)`."""
    begin_with: str
    """`(least skeleton, skeleton past the last, pattern of the name in lower case, most)`; gives what is known."""
    followed: str
    """`(by,)`; gives what is known of each, by name."""
    follows: str
    """`()`; gives `(by, whom)`."""
    follow: str
    """A row of `follows`."""
    unfollow: str
    """`(by, whom)`."""
    forget_said: str
    """`(identity,)`."""
    forget_follows: str
    """`(identity, identity)`."""


def compile_people_statements(dialect: Dialect) -> PeopleStatements:
    """Return the statements in the words and with the placeholders of a dialect."""

    def text(statement: Executable, *parameters: str) -> str:
        return compile_text(dialect, statement, *parameters)

    marked = select(people.c.identity, people.c.country, people.c.is_hidden).where(
        or_(people.c.country.is_not(None), people.c.is_hidden == true())
    )
    # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
    follow = postgresql.insert(follows).values({column.name: bindparam(column.name) for column in follows.c})
    unfollow = delete(follows).where(follows.c.by == bindparam("who"), follows.c.whom == bindparam("other"))
    forget = delete(follows).where(or_(follows.c.by == bindparam("who"), follows.c.whom == bindparam("other")))
    return PeopleStatements(
        marks=text(marked),
        find=text(_find(), "who"),
        set_about=text(_put("bio", "country"), "identity", "bio", "country"),
        set_hidden=text(_put("is_hidden"), "identity", "is_hidden"),
        note_seen=text(_note_seen(), "seen_ms", "who"),
        begin_with=text(_begin_with(), "least", "past", "pattern", "most"),
        followed=text(_followed(), "who"),
        follows=text(select(follows.c.by, follows.c.whom)),
        follow=text(follow.on_conflict_do_nothing(), *follows.c.keys()),
        unfollow=text(unfollow, "who", "other"),
        forget_said=text(delete(people).where(people.c.identity == bindparam("who")), "who"),
        forget_follows=text(forget, "who", "other"),
    )


def _put(*columns: str) -> Executable:
    """Return the statement that sets some columns of somebody, whose row there may not be yet."""
    put = postgresql.insert(people).values({name: bindparam(name) for name in ("identity", *columns)})
    return put.on_conflict_do_update(index_elements=["identity"], set_={name: put.excluded[name] for name in columns})


def _note_seen() -> Executable:
    # Whoever deletes the account goes offline after that.
    seen = select(accounts.c.id, bindparam("seen_ms", type_=people.c.seen_ms.type)).where(
        accounts.c.id == bindparam("who")
    )
    put = postgresql.insert(people).from_select(["identity", "seen_ms"], seen)
    return put.on_conflict_do_update(index_elements=["identity"], set_={"seen_ms": put.excluded.seen_ms})


def _find() -> Executable:
    said = people.c.identity == accounts.c.id
    found = select(*_SKETCH).join_from(accounts, people, said, isouter=True)
    return found.where(accounts.c.id == bindparam("who"), accounts.c.deleted_ms.is_(None))


def _known() -> Select[Any]:
    return select(*_ACCOUNT, *_SKETCH).where(accounts.c.deleted_ms.is_(None))


def _begin_with() -> Executable:
    # The index of skeletons finds the few among which the name itself decides.
    return (
        _known()
        .join_from(accounts, people, people.c.identity == accounts.c.id, isouter=True)
        .where(
            accounts.c.skeleton >= bindparam("least"),
            accounts.c.skeleton < bindparam("past"),
            func.lower(accounts.c.name).like(bindparam("pattern"), escape="!"),
        )
        .order_by(accounts.c.skeleton)
        .limit(bindparam("most"))
        .offset(ZERO)
    )


def _followed() -> Executable:
    return (
        _known()
        .join_from(follows, accounts, accounts.c.id == follows.c.whom)
        .join(people, people.c.identity == accounts.c.id, isouter=True)
        .where(follows.c.by == bindparam("who"))
        .order_by(accounts.c.skeleton)
    )
