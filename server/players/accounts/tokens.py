"""Issues sessions, sign-in tickets and API tokens. Each token is sent once and stored as a hash."""

from secrets import token_hex

from millrace.protocol import Code, CreateToken, IdentityId, Scope, TokenInfo
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller
from ...callers.credentials import credential_of, new_token
from ...callers.limit import Limit
from ...callers.limits import Limits, Present
from ...callers.presence import Credential
from ...runtime.system_clock import NowMs
from .account_store import AccountStore, StoredToken, TokenKind
from .cookies import SESSION_MS

TICKET_MS = 60_000
"""Validity of a ticket."""
API_TOKENS = Limit(
    name="api_tokens",
    counts="API tokens of an account",
    refusal="You can have at most {bound} tokens; revoke one that you do not need.",
    account=20,
)


class TokenIssuer:
    """Issues and revokes tokens."""

    def __init__(self, store: AccountStore, now_ms: NowMs, limits: Limits) -> None:
        self._store = store
        self._now_ms = now_ms
        self._limits = limits

    async def session(self, identity: IdentityId) -> str:
        """Return the token of a new session. Raises: StorageError."""
        return await self._issue(TokenKind.SESSION, identity, SESSION_MS)

    async def ticket(self, identity: IdentityId) -> str:
        """Return a ticket that a browser exchanges for a cookie. Raises: StorageError."""
        return await self._issue(TokenKind.TICKET, identity, TICKET_MS)

    async def api_token(self, caller: Caller, command: CreateToken) -> tuple[str, TokenInfo]:
        """Return a new API token, and its description for the owner. Raises: Refusal, StorageError."""
        if not command.label.strip() or not command.label.isprintable():
            raise Refusal(Code.BAD_NAME, "Please give the token a name, so that you recognise it later.")
        identity = caller.identity
        self._limits.require_room(API_TOKENS, caller, Present(len(await self._store.api_tokens(identity))))
        token = new_token(TokenKind.API)
        stored = StoredToken(
            credential=credential_of(token),
            id=token_hex(6),
            identity=identity,
            kind=TokenKind.API,
            created_ms=self._now_ms(),
            label=command.label.strip(),
            scopes=" ".join(scope for scope in Scope if scope in command.scopes),
        )
        await self._store.add_token(stored)
        return token, _info(stored)

    async def api_tokens(self, identity: IdentityId) -> tuple[TokenInfo, ...]:
        """Return the API tokens of an account, without their secrets. Raises: StorageError."""
        return tuple(_info(stored) for stored in await self._store.api_tokens(identity))

    async def revoke(self, identity: IdentityId, token_id: str) -> Credential:
        """Revoke an API token and return its hash. Raises: Refusal, StorageError."""
        for stored in await self._store.api_tokens(identity):
            if stored.id == token_id:
                await self._store.revoke(stored.credential)
                return stored.credential
        raise Refusal(Code.UNKNOWN_TOKEN, "There is no such token; it may have been revoked already.")

    async def _issue(self, kind: TokenKind, identity: IdentityId, lifetime_ms: int) -> str:
        token, now_ms = new_token(kind), self._now_ms()
        stored = StoredToken(credential_of(token), token_hex(6), identity, kind, now_ms, now_ms + lifetime_ms)
        await self._store.add_token(stored)
        return token


def _info(stored: StoredToken) -> TokenInfo:
    return TokenInfo(
        stored.id, stored.label, tuple(map(Scope, stored.scopes.split())), stored.created_ms, stored.used_ms
    )
