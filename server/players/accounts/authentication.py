"""Authentication: identifies a connection's player by its token, header or cookie."""

from collections.abc import Mapping

from millrace.protocol import Code, Player, Scope
from millrace.protocol.refusal import Refusal

from ...callers.caller import Authentication, ConnectionInfo
from ...callers.credentials import BadTokenError, credential_of, identify, kind_of, new_token
from ...callers.sealing import sealing_key_of
from ...journal.unavailable import refusing_failures
from ...runtime.system_clock import NowMs
from .account_store import Account, AccountStore
from .cookies import read_connection_info
from .known_places import KnownPlaces
from .stored_tokens import StoredToken, TokenKind

_INVALID = "This token is no longer valid; please sign in again."


class Authenticator:
    """Authenticates connections, and the senders of GETs."""

    def __init__(self, store: AccountStore, now_ms: NowMs, places: KnownPlaces) -> None:
        self._store = store
        self._now_ms = now_ms
        self._places = places

    async def authenticate(self, token: str, connection_info: ConnectionInfo) -> Authentication:
        """Return the player who says `Hello` with a token. Raises: Refusal.

        A program sends its token in `Hello` or in the `Authorization` header, and is refused if it is not valid. A
        browser's cookie takes precedence over a guest's token, and is ignored if its session has ended.
        """
        authentication = await self._authenticate(token, connection_info)
        if authentication.player.registered:
            self._places.learn(authentication.player.id, connection_info.address)
        return authentication

    async def sender_of(self, headers: Mapping[str, str]) -> Player:
        """Return the account of a browser's cookie, or of a token in the header `Authorization`. Raises: Refusal."""
        connection_info = read_connection_info(headers, "", is_behind_proxy=False)
        authentication = await self._authenticate("", connection_info)
        if not authentication.player.registered or Scope.READ not in authentication.scopes:
            raise Refusal(Code.ACCOUNT_NEEDED, "Sign in to download your own matches.")
        return authentication.player

    async def owner_of(self, headers: Mapping[str, str]) -> Player:
        """Return the account that is signed in, not by an API token. Raises: Refusal."""
        authentication = await self._authenticate("", read_connection_info(headers, "", is_behind_proxy=False))
        if not authentication.player.registered or authentication.is_api:
            raise Refusal(Code.ACCOUNT_NEEDED, "Sign in to download your data.")
        return authentication.player

    async def _authenticate(self, token: str, connection_info: ConnectionInfo) -> Authentication:
        try:
            with refusing_failures("accounts not read", "read who you are"):
                return await self._find(token, connection_info)
        except BadTokenError as error:
            raise Refusal(Code.BAD_TOKEN, str(error)) from None

    async def _find(self, token: str, connection_info: ConnectionInfo) -> Authentication:
        if token and kind_of(token) != "guest":
            return await self._by_token(token)
        if connection_info.bearer:
            return await self._by_token(connection_info.bearer)
        return await self._by_cookie(connection_info.cookie) or await self._as_guest(token)

    async def _by_token(self, token: str) -> Authentication:
        if kind_of(token) not in (TokenKind.SESSION, TokenKind.API):
            raise BadTokenError(_INVALID)
        credential = credential_of(token)
        found = await self._store.find_by_token(credential, self._now_ms())
        if found is None:
            raise BadTokenError(_INVALID)
        account, stored = found
        if stored.kind is TokenKind.API:
            await self._store.note_use(credential, self._now_ms())
        return _authentication(account, stored, token, token)

    async def _by_cookie(self, cookie: str) -> Authentication | None:
        if not cookie:
            return None
        found = await self._store.find_by_token(credential_of(cookie), self._now_ms())
        return _authentication(*found, "", cookie) if found is not None and found[1].kind is TokenKind.SESSION else None

    async def _as_guest(self, token: str) -> Authentication:
        is_new = not token
        token = token or new_token("guest")
        player = identify(token)
        if not is_new and await self._store.find(player.id) is not None:
            raise Refusal(Code.GUEST_REGISTERED, "This guest has created an account; please sign in.")
        return Authentication(player, token, sealing_keys=(sealing_key_of(token),))


def _authentication(account: Account, stored: StoredToken, token: str, presented: str) -> Authentication:
    """Return who presented a token; `token` is empty if the client keeps it in a cookie."""
    is_api = stored.kind is TokenKind.API
    scopes = frozenset(map(Scope, stored.scopes.split())) if is_api else frozenset(Scope)
    return Authentication(account.player, token, stored.credential, is_api, scopes, (sealing_key_of(presented),))
