"""What an API token may do: the scope that each message needs.

Pure. Sessions and guests may do everything; an account itself is managed by its owner alone, and order kept by
moderators themselves, never by a token.
"""

from collections.abc import Mapping
from typing import get_args

from ..protocol import (
    AccountCommand,
    Analyse,
    AnalyseMatch,
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
    Message,
    ModerationCommand,
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
from ..routing.routes import Access

_NEEDED: Mapping[type[Message], Scope] = {
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
_OF_MODERATORS = get_args(ModerationCommand)
_ABOUT_NOTICES = (ReadNotices, GetNoticeKinds, SetNoticeKinds)
_OF_OWNER = (*get_args(AccountCommand), SetAbout, SetShown, GetPreferences, Follow, *_ABOUT_NOTICES)


def access_of(kind: type[Message]) -> Scope | Access:
    """Return what an API token needs to send messages of a class."""
    if kind in _FREE:
        return Access.ANY_TOKEN
    if kind in (*_OF_OWNER, *_OF_MODERATORS):
        return Access.SIGNED_IN
    return _NEEDED.get(kind, Scope.PLAY)
