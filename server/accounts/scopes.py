"""What an API token may do: the scope that each message needs.

Pure. Sessions and guests may do everything; an account itself is managed by its owner alone, never by a token. Imported
by `server.door.session`.
"""

from collections.abc import Mapping
from typing import get_args

from server.accounts.admission import Admission
from server.protocol import (
    AccountCommand,
    ClientMessage,
    Code,
    Create,
    Decline,
    Describe,
    FindMatch,
    GetBlocked,
    GetLeaders,
    GetProfile,
    Join,
    Mute,
    Ping,
    PlayBot,
    Preview,
    Report,
    Say,
    Scope,
    StopSearch,
    TakeChallenges,
    Unwatch,
    Watch,
    WatchChat,
    WatchLobby,
    WatchYourMatches,
)
from server.refusal import Refusal

_NEEDED: Mapping[type[ClientMessage], Scope] = {
    Create: Scope.CHALLENGE,
    Join: Scope.CHALLENGE,
    Decline: Scope.CHALLENGE,
    FindMatch: Scope.CHALLENGE,
    StopSearch: Scope.CHALLENGE,
    PlayBot: Scope.CHALLENGE,
    TakeChallenges: Scope.CHALLENGE,
    Preview: Scope.READ,
    Describe: Scope.READ,
    Watch: Scope.READ,
    WatchLobby: Scope.READ,
    WatchYourMatches: Scope.READ,
    GetBlocked: Scope.READ,
    GetLeaders: Scope.READ,
    GetProfile: Scope.READ,
    Say: Scope.CHAT,
    WatchChat: Scope.READ,
    Mute: Scope.CHAT,
    Report: Scope.CHAT,
}
"""Messages that are not here need `play`: what is added later does not become free by oversight."""

_FREE = (Ping, Unwatch)
_OF_OWNER = get_args(AccountCommand)


def scope_of(kind: type[ClientMessage]) -> Scope | None:
    """Return the scope that messages of a class need; None if every token may send them."""
    return None if kind in _FREE else _NEEDED.get(kind, Scope.PLAY)


def require_scope(message: ClientMessage, admission: Admission) -> None:
    """Let a message pass. Raises: Refusal."""
    if not admission.is_api:
        return
    if isinstance(message, _OF_OWNER):
        raise Refusal(Code.SCOPE_NEEDED, "An account is managed by whoever signs in, not by an API token.")
    needed = scope_of(type(message))
    if needed is not None and needed not in admission.scopes:
        raise Refusal(Code.SCOPE_NEEDED, f"This token does not have the scope {needed}.")
