"""Issues sessions, sign-in tickets and API tokens. Each secret is shown once and stored hashed."""

from secrets import token_hex

from ..identity.credentials import credential_of, new_token
from ..identity.presence import Credential
from ..protocol import Code, CreateToken, IdentityId, Scope, TokenInfo
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .cookies import SESSION_MS
from .store import AccountStore, Grant, Kind

TICKET_MS = 60_000
TOKENS = 20
"""So many API tokens an account may have."""


class TokenIssuer:
    """Gives out secrets, and takes them back."""

    def __init__(self, store: AccountStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms

    async def session(self, identity: IdentityId) -> str:
        """Return the secret of a new session. Raises: StorageError."""
        return await self._issue(Kind.SESSION, identity, SESSION_MS)

    async def ticket(self, identity: IdentityId) -> str:
        """Return a ticket that a browser changes into a cookie. Raises: StorageError."""
        return await self._issue(Kind.TICKET, identity, TICKET_MS)

    async def api_token(self, identity: IdentityId, command: CreateToken) -> tuple[str, TokenInfo]:
        """Return a new API token, and what is shown of it from now on. Raises: Refusal, StorageError."""
        if not command.label.strip() or not command.label.isprintable():
            raise Refusal(Code.BAD_NAME, "Please give the token a name, so that you know it again.")
        if len(await self._store.api_tokens(identity)) >= TOKENS:
            raise Refusal(Code.TOO_MANY, f"An account has at most {TOKENS} tokens; revoke one that you do not need.")
        scopes = tuple(scope for scope in Scope if scope in command.scopes)
        secret = new_token(Kind.API)
        grant = Grant(
            credential_of(secret),
            token_hex(6),
            identity,
            Kind.API,
            self._now_ms(),
            label=command.label.strip(),
            scopes=scopes,
        )
        await self._store.add_grant(grant)
        return secret, _shown(grant)

    async def api_tokens(self, identity: IdentityId) -> tuple[TokenInfo, ...]:
        """Return what is shown of somebody's API tokens. Raises: StorageError."""
        return tuple(_shown(grant) for grant in await self._store.api_tokens(identity))

    async def revoke(self, identity: IdentityId, token_id: str) -> Credential:
        """Make an API token worthless. Raises: Refusal, StorageError."""
        for grant in await self._store.api_tokens(identity):
            if grant.id == token_id:
                await self._store.revoke(grant.credential)
                return grant.credential
        raise Refusal(Code.UNKNOWN_TOKEN, "There is no such token; it may have been revoked already.")

    async def _issue(self, kind: Kind, identity: IdentityId, lasts_ms: int) -> str:
        secret, now_ms = new_token(kind), self._now_ms()
        grant = Grant(credential_of(secret), token_hex(6), identity, kind, now_ms, now_ms + lasts_ms)
        await self._store.add_grant(grant)
        return secret


def _shown(grant: Grant) -> TokenInfo:
    return TokenInfo(grant.id, grant.label, tuple(map(Scope, grant.scopes)), grant.created_ms, grant.used_ms)
