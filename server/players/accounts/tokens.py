"""Issues sessions, sign-in tickets, API tokens and recovery codes. Each is sent once and stored as a hash.

A recovery code lets an owner who forgot the password choose a new one, once. It has 79 random bits.
"""

import hashlib
import secrets

from millrace.protocol import Code, CreateToken, IdentityId, Scope, TokenInfo
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller
from ...callers.credentials import credential_of, new_token
from ...callers.limit import Limit
from ...callers.limits import Limits, Present
from ...callers.presence import Credential
from ...runtime.system_clock import NowMs
from ...storage.database import Step
from .account_store import AccountStore
from .cookies import SESSION_MS
from .stored_tokens import StoredToken, TokenKind, token_step

TICKET_MS = 60_000
"""Validity of a ticket."""
API_TOKENS = Limit(
    name="api_tokens",
    counts="API tokens of an account",
    refusal="You can have at most {bound} tokens; revoke one that you do not need.",
    account=20,
)
CODES = 8
"""Number of codes of an account."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without letters that people confuse: 0 and o, 1, i and l."""
_GROUPS, _GROUP_LETTERS = 4, 4


class TokenIssuer:
    """Issues and finds tokens. What it issues is valid once the step beside it has been carried out."""

    def __init__(self, store: AccountStore, now_ms: NowMs, limits: Limits) -> None:
        self._store = store
        self._now_ms = now_ms
        self._limits = limits

    def session(self, identity: IdentityId) -> tuple[str, Step]:
        """Return the token of a new session."""
        return self._issue(TokenKind.SESSION, identity, SESSION_MS)

    def ticket(self, identity: IdentityId) -> tuple[str, Step]:
        """Return a ticket that a browser exchanges for a cookie."""
        return self._issue(TokenKind.TICKET, identity, TICKET_MS)

    async def api_token(self, caller: Caller, command: CreateToken) -> tuple[str, TokenInfo, Step]:
        """Return a new API token, and its description for the owner. Raises: Refusal, StorageError."""
        if not command.label.strip() or not command.label.isprintable():
            raise Refusal(Code.BAD_NAME, "Please give the token a name, so that you recognise it later.")
        identity = caller.identity
        self._limits.require_room(API_TOKENS, caller, Present(len(await self._store.api_tokens(identity))))
        token = new_token(TokenKind.API)
        stored = StoredToken(
            credential=credential_of(token),
            id=secrets.token_hex(6),
            identity=identity,
            kind=TokenKind.API,
            created_ms=self._now_ms(),
            label=command.label.strip(),
            scopes=" ".join(scope for scope in Scope if scope in command.scopes),
        )
        return token, _info(stored), token_step(stored)

    async def api_tokens(self, identity: IdentityId) -> tuple[TokenInfo, ...]:
        """Return the API tokens of an account, without their secrets. Raises: StorageError."""
        return tuple(_info(stored) for stored in await self._store.api_tokens(identity))

    async def revoke(self, identity: IdentityId, token_id: str, step: Step) -> Credential:
        """Revoke an API token, with a further step, and return its hash. Raises: Refusal, StorageError."""
        for stored in await self._store.api_tokens(identity):
            if stored.id == token_id and await self._store.revoke(stored.credential, step):
                return stored.credential
        raise Refusal(Code.UNKNOWN_TOKEN, "There is no such token; it may have been revoked already.")

    def _issue(self, kind: TokenKind, identity: IdentityId, lifetime_ms: int) -> tuple[str, Step]:
        token, now_ms = new_token(kind), self._now_ms()
        stored = StoredToken(credential_of(token), secrets.token_hex(6), identity, kind, now_ms, now_ms + lifetime_ms)
        return token, token_step(stored)


def _info(stored: StoredToken) -> TokenInfo:
    return TokenInfo(
        stored.id, stored.label, tuple(map(Scope, stored.scopes.split())), stored.created_ms, stored.used_ms
    )


def new_code() -> str:
    """Return a code in groups of letters, easy to copy."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP_LETTERS)) for _ in range(_GROUPS))
    return "-".join(groups)


def credential_of_code(code: str) -> Credential:
    """Return the hash under which a code is stored, for any spelling of it.

    >>> credential_of_code(" K7M2 p9qa4xzt 2345") == credential_of_code("k7m2-p9qa-4xzt-2345")
    True
    """
    letters = "".join(letter for letter in code.casefold() if letter.isalnum())
    return Credential(hashlib.sha256(f"recovery {letters}".encode()).hexdigest())
