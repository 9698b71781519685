"""The reception: finds out who a connection is, from its token, header or cookie.

Not how one gets an account, which is the desk's business (`server.accounts.handler`).
"""

from ..identity.caller import Authentication, ConnectionInfo
from ..identity.credentials import BadTokenError, credential_of, identify, kind_of, new_token
from ..journal.store import StorageError
from ..protocol import Code, Scope
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .store import Account, AccountStore, Grant, Kind

_NOT_VALID = "This token is not valid any more; please sign in again."


class Authenticator:
    """Lets connections in."""

    def __init__(self, store: AccountStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms

    async def admit(self, token: str, connection_info: ConnectionInfo) -> Authentication:
        """Return who says `Hello` with that token. Raises: Refusal.

        A program names a token, in `Hello` or in the header; it is refused if the token is worth nothing. A browser's
        cookie goes before a guest's token that the page remembers, and counts for nothing if its session is over.
        """
        try:
            return await self._admit(token, connection_info)
        except BadTokenError as error:
            raise Refusal(Code.BAD_TOKEN, str(error)) from None
        except StorageError:
            raise Refusal(Code.UNAVAILABLE, "The server cannot read who you are now; please try again.") from None

    async def _admit(self, token: str, connection_info: ConnectionInfo) -> Authentication:
        if token and kind_of(token) != "guest":
            return await self._by_token(token)
        if connection_info.bearer:
            return await self._by_token(connection_info.bearer)
        return await self._by_cookie(connection_info.cookie) or await self._as_guest(token)

    async def _by_token(self, token: str) -> Authentication:
        if kind_of(token) not in (Kind.SESSION, Kind.API):
            raise BadTokenError(_NOT_VALID)
        credential = credential_of(token)
        admitted = await self._store.admit(credential, self._now_ms())
        if admitted is None:
            raise BadTokenError(_NOT_VALID)
        if admitted[1].kind is Kind.API:
            await self._store.note_use(credential, self._now_ms())
        return _admission(*admitted, token)

    async def _by_cookie(self, cookie: str) -> Authentication | None:
        if not cookie:
            return None
        admitted = await self._store.admit(credential_of(cookie), self._now_ms())
        return _admission(*admitted, "") if admitted is not None and admitted[1].kind is Kind.SESSION else None

    async def _as_guest(self, token: str) -> Authentication:
        if not token:
            token = new_token("guest")
            return Authentication(identify(token), token)
        player = identify(token)
        if await self._store.find(player.id) is not None:
            raise Refusal(Code.GUEST_REGISTERED, "This guest has become an account; please sign in.")
        return Authentication(player, token)


def _admission(account: Account, grant: Grant, token: str) -> Authentication:
    is_api = grant.kind is Kind.API
    scopes = frozenset(Scope(scope) for scope in grant.scopes) if is_api else frozenset(Scope)
    return Authentication(account.player, token, grant.credential, is_api, scopes)
