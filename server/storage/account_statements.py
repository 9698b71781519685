"""The SQL of accounts, built once from the tables and compiled for each database.

Runs nothing.
"""

from typing import NamedTuple, TypeAlias

from sqlalchemy import (
    BindParameter,
    Dialect,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    literal_column,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.sql.base import Executable

from ..accounts.store import TokenKind
from .statements import EMPTY, compile_text
from .tables import accounts, events, grants, match_players, matches, rating_history, ratings


class AccountStatements(NamedTuple):
    """The SQL texts for one database; each says which values it takes, in order."""

    insert_account: str
    """`(id, name, skeleton, password_hash, created_ms)`."""
    release_name: str
    """`(skeleton, since_ms)`: forget the name of an account deleted before."""
    find: str
    """`(id,)`; gives `(id, name, password_hash, created_ms, is_bot)`."""
    find_named: str
    """`(skeleton,)`; gives the same."""
    set_password: str
    """`(password_hash, id)`."""
    become_bot: str
    """`(id, id)`; gives `(id,)` unless that identity has had a seat."""
    scrub: str
    """`(scrubbed_id, deleted_ms, id)`."""
    insert_grant: str
    """A row of `grants`."""
    admit: str
    """`(credential, now_ms)`; gives the account's columns as `find`, then those of `grants`."""
    redeem: str
    """`(credential, now_ms)`; gives `(identity,)`."""
    note_use: str
    """`(used_ms, credential)`."""
    api_tokens: str
    """`(identity,)`; gives rows of `grants`."""
    revoke: str
    """`(credential,)`."""
    revoke_sessions: str
    """`(identity, but)`."""
    revoke_all: str
    """`(identity,)`."""
    sweep: str
    """`(now_ms,)`."""
    seats: str
    """`(identity,)`; gives `(match, seq, body)` of the `Seated` events of all matches in which somebody has a seat."""
    rewrite: str
    """`(body, match, seq)`."""
    hand_over_seats: str
    """`(new identity, identity)`."""
    hand_over_origins: str
    """`(new identity, identity)`."""
    hand_over_history: str
    """`(new identity, identity)`: of ratings."""
    forget_ratings: str
    """`(identity,)`."""


def compile_account_statements(dialect: Dialect) -> AccountStatements:
    """Return the statements in the words and with the placeholders of a dialect."""
    built = _of_accounts() | _of_grants() | _of_seats()
    return AccountStatements(**{name: compile_text(dialect, *each) for name, each in built.items()})


_Built: TypeAlias = dict[str, tuple[Executable, *tuple[str, ...]]]

_ACCOUNT = (accounts.c.id, accounts.c.name, accounts.c.password_hash, accounts.c.created_ms, accounts.c.is_bot)


def _of_accounts() -> _Built:
    columns = ("id", "name", "skeleton", "password_hash", "created_ms")
    found = select(*_ACCOUNT).where(accounts.c.deleted_ms.is_(None))
    released = delete(accounts).where(
        accounts.c.skeleton == bindparam("skeleton"), accounts.c.deleted_ms < bindparam("since_ms")
    )
    of_identity = update(accounts).where(accounts.c.id == bindparam("identity"))
    scrub = of_identity.values(
        id=bindparam("scrubbed"), name=EMPTY, password_hash=EMPTY, deleted_ms=bindparam("now_ms"), role=null()
    )
    has_sat = exists().where(match_players.c.identity == bindparam("player"))
    become_bot = of_identity.where(~has_sat).values(is_bot=true()).returning(accounts.c.id)
    return {
        "insert_account": (insert(accounts).values({name: bindparam(name) for name in columns}), *columns),
        "release_name": (released, "skeleton", "since_ms"),
        "find": (found.where(accounts.c.id == bindparam("identity")), "identity"),
        "find_named": (found.where(accounts.c.skeleton == bindparam("skeleton")), "skeleton"),
        "set_password": (of_identity.values(password_hash=bindparam("hash")), "hash", "identity"),
        "become_bot": (become_bot, "identity", "player"),
        "scrub": (scrub, "scrubbed", "now_ms", "identity"),
    }


def _of_grants() -> _Built:
    names = grants.c.keys()
    is_api = grants.c.kind == literal_column(f"'{TokenKind.API}'")
    is_ticket = grants.c.kind == literal_column(f"'{TokenKind.TICKET}'")
    is_credential = grants.c.credential == bindparam("credential")
    is_identity = grants.c.identity == bindparam("identity")
    is_valid = or_(grants.c.expires_ms.is_(None), grants.c.expires_ms > bindparam("now_ms"))
    admit = select(*_ACCOUNT, *grants.c).join_from(grants, accounts, accounts.c.id == grants.c.identity)
    redeem = delete(grants).where(is_credential, is_ticket, is_valid).returning(grants.c.identity)
    note_use = update(grants).where(is_credential).values(used_ms=bindparam("used_ms"))
    others = grants.c.credential != bindparam("but")
    return {
        "insert_grant": (insert(grants).values({name: bindparam(name) for name in names}), *names),
        "admit": (admit.where(is_credential, ~is_ticket, is_valid), "credential", "now_ms"),
        "redeem": (redeem, "credential", "now_ms"),
        "note_use": (note_use, "used_ms", "credential"),
        "api_tokens": (select(*grants.c).where(is_identity, is_api).order_by(grants.c.created_ms), "identity"),
        "revoke": (delete(grants).where(is_credential), "credential"),
        "revoke_sessions": (delete(grants).where(is_identity, others, ~is_api), "identity", "but"),
        "revoke_all": (delete(grants).where(is_identity), "identity"),
        "sweep": (delete(grants).where(grants.c.expires_ms < bindparam("now_ms")), "now_ms"),
    }


def _of_seats() -> _Built:
    held = select(match_players.c.match).where(match_players.c.identity == bindparam("identity"))
    is_seated = events.c.body.like(literal_column("""'{"type":"seated"%'"""))
    is_event = and_(events.c.match == bindparam("match"), events.c.seq == bindparam("seq"))
    is_held = match_players.c.identity == bindparam("identity")
    is_origin = matches.c.origin_by == bindparam("identity")
    heir: dict[str, BindParameter[str]] = {"identity": bindparam("heir")}
    return {
        "seats": (
            select(events.c.match, events.c.seq, events.c.body).where(events.c.match.in_(held), is_seated),
            "identity",
        ),
        "rewrite": (update(events).where(is_event).values(body=bindparam("new_body")), "new_body", "match", "seq"),
        "hand_over_seats": (
            update(match_players).where(is_held).values(heir),
            "heir",
            "identity",
        ),
        "hand_over_history": (
            update(rating_history).where(rating_history.c.identity == bindparam("identity")).values(heir),
            "heir",
            "identity",
        ),
        "forget_ratings": (delete(ratings).where(ratings.c.identity == bindparam("identity")), "identity"),
        "hand_over_origins": (update(matches).where(is_origin).values(origin_by=bindparam("heir")), "heir", "identity"),
    }
