"""What an API token may do: the scope that each message needs.

Pure. Sessions and guests may do everything; an account itself is managed by its owner alone, and order kept by
moderators themselves, never by a token.
"""

from collections.abc import Mapping
from typing import get_args

from ..identity.caller import Authentication
from ..protocol import (
    AccountCommand,
    Analyse,
    AnalyseMatch,
    ClientMessage,
    Code,
    Create,
    Decline,
    Describe,
    Explore,
    FindMatch,
    FindPeople,
    Follow,
    GetAbout,
    GetBlocked,
    GetCrosstable,
    GetLeaders,
    GetNoticeKinds,
    GetPreferences,
    GetProfile,
    ImportMatches,
    Join,
    LookUp,
    ModeratorCommand,
    Mute,
    Ping,
    PlayBot,
    Preview,
    ReadNotices,
    Report,
    Say,
    Scope,
    SearchMatches,
    SetAbout,
    SetNoticeKinds,
    SetShown,
    StopAnalysis,
    StopSearch,
    TakeChallenges,
    Unwatch,
    Watch,
    WatchChat,
    WatchFeatured,
    WatchLive,
    WatchLobby,
    WatchNotices,
    WatchPeople,
    WatchYourMatches,
)
from ..protocol.refusal import Refusal

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
    WatchLive: Scope.READ,
    WatchFeatured: Scope.READ,
    WatchYourMatches: Scope.READ,
    GetBlocked: Scope.READ,
    GetLeaders: Scope.READ,
    GetProfile: Scope.READ,
    SearchMatches: Scope.READ,
    GetCrosstable: Scope.READ,
    ImportMatches: Scope.CHALLENGE,
    Explore: Scope.READ,
    Analyse: Scope.READ,
    StopAnalysis: Scope.READ,
    AnalyseMatch: Scope.READ,
    LookUp: Scope.READ,
    GetAbout: Scope.READ,
    FindPeople: Scope.READ,
    WatchPeople: Scope.READ,
    WatchNotices: Scope.READ,
    Say: Scope.CHAT,
    WatchChat: Scope.READ,
    Mute: Scope.CHAT,
    Report: Scope.CHAT,
}
"""Messages that are not here need `play`: what is added later does not become free by oversight."""

_FREE = (Ping, Unwatch)
_OF_MODERATORS = get_args(ModeratorCommand)
_ABOUT_NOTICES = (ReadNotices, GetNoticeKinds, SetNoticeKinds)
_OF_OWNER = (*get_args(AccountCommand), SetAbout, SetShown, GetPreferences, Follow, *_ABOUT_NOTICES)


def scope_of(kind: type[ClientMessage]) -> Scope | None:
    """Return the scope that messages of a class need; None if every token may send them."""
    return None if kind in _FREE else _NEEDED.get(kind, Scope.PLAY)


def require_scope(message: ClientMessage, authentication: Authentication) -> None:
    """Let a message pass. Raises: Refusal."""
    if not authentication.is_api:
        return
    if isinstance(message, _OF_OWNER):
        raise Refusal(Code.SCOPE_NEEDED, "An account is managed by whoever signs in, not by an API token.")
    if isinstance(message, _OF_MODERATORS):
        raise Refusal(Code.SCOPE_NEEDED, "Order is kept by whoever signs in, not by an API token.")
    needed = scope_of(type(message))
    if needed is not None and needed not in authentication.scopes:
        raise Refusal(Code.SCOPE_NEEDED, f"This token does not have the scope {needed}.")
