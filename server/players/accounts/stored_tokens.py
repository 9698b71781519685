"""Tokens of accounts as they are stored: sessions, tickets, API tokens and codes, by the hashes of their secrets."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Index, and_, delete, insert, or_, select
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.types import BigInteger, Text

from millrace.protocol import IdentityId

from ...callers.presence import Credential
from ...callers.restriction_store import is_banned
from ...storage.database import Step
from ...storage.tables import define_table, optional, required


class TokenKind(StrEnum):
    """What a token is for."""

    SESSION = "session"
    """Authenticates a browser or program that has signed in."""
    TICKET = "ticket"
    """Is exchanged for a session, once and within a minute."""
    API = "api"
    """Authenticates a bot or script, with some scopes."""
    RECOVERY = "recovery"
    """A recovery code: lets the owner choose a new password, once."""
    MAILED_RECOVERY = "mailed_recovery"
    """A recovery code that was sent by e-mail, and expires."""
    EMAIL = "email"
    """Confirms the e-mail address that is its label, once."""


class StoredToken(NamedTuple):
    """A token that was issued, by its hash, and what it allows."""

    credential: Credential
    id: str
    """The owner's name for it. Not secret."""
    identity: IdentityId
    kind: TokenKind
    created_ms: int
    expires_ms: int | None = None
    label: str = ""
    scopes: str = ""
    """The scopes of an API token, separated by spaces. Sessions allow everything."""
    used_ms: int | None = None
    """When a connection was last authenticated by it. Only noted for API tokens."""


grants = define_table(
    "grants",
    ["credential"],
    *required(Text, "credential", "id", "identity", "kind"),
    *required(BigInteger, "created_ms"),
    *optional(BigInteger, "expires_ms"),
    *required(Text, "label", "scopes"),
    *optional(BigInteger, "used_ms"),
)
"""Sessions, tickets and API tokens of accounts, by the hashes of their secrets."""

Index("grants_identity", grants.c.identity)

IS_TICKET = grants.c.kind == TokenKind.TICKET.value
_IS_RECOVERY = grants.c.kind == TokenKind.RECOVERY.value
IS_EMAIL = grants.c.kind == TokenKind.EMAIL.value
IS_MAILED = grants.c.kind.in_([TokenKind.MAILED_RECOVERY.value, TokenKind.EMAIL.value])
RECOVERS = grants.c.kind.in_([TokenKind.RECOVERY.value, TokenKind.MAILED_RECOVERY.value])
IS_API = grants.c.kind == TokenKind.API.value
_SIGNS_IN = grants.c.kind.in_([TokenKind.SESSION.value, TokenKind.TICKET.value])
IS_ADMITTED = ~is_banned(grants.c.identity)
AUTHENTICATES = grants.c.kind.in_([TokenKind.SESSION.value, TokenKind.API.value])


def token_step(token: StoredToken) -> Step:
    """Return the step that stores a token."""
    return Step(insert(grants).values({**token._asdict(), "kind": token.kind.value}))


def recovery_code_steps(identity: IdentityId, codes: Sequence[Credential], now_ms: int) -> list[Step]:
    """Return the steps that store an account's recovery codes in place of those that it had."""
    new = [StoredToken(code, code[:12], identity, TokenKind.RECOVERY, now_ms) for code in codes]
    return [delete_tokens(identity, _IS_RECOVERY), *map(token_step, new)]


def is_code(identity: IdentityId, code: Credential, is_kind: ColumnElement[bool], now_ms: int) -> ColumnElement[bool]:
    """Return whether a token is a code of an account that has not expired."""
    return and_(grants.c.credential == code, grants.c.identity == identity, is_kind, is_valid(now_ms))


def delete_tokens(identity: IdentityId, is_kind: ColumnElement[bool]) -> Step:
    """Return the step that deletes an account's tokens of a kind."""
    return Step(delete(grants).where(grants.c.identity == identity, is_kind))


def ends_with_password(*, ends_api: bool) -> ColumnElement[bool]:
    """Return whether a token ends with the password."""
    return or_(_SIGNS_IN, IS_MAILED, *([IS_API] if ends_api else []))


def is_valid(now_ms: int) -> ColumnElement[bool]:
    """Return whether a token has not expired."""
    return or_(grants.c.expires_ms.is_(None), grants.c.expires_ms > now_ms)


def is_session(credential: ColumnElement[str], now_ms: int) -> ColumnElement[bool]:
    """Return whether a column names a token that has not expired."""
    return select(grants.c.id).where(grants.c.credential == credential, is_valid(now_ms)).exists()
