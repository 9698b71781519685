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
    FindPlayers,
    Follow,
    GetBlocked,
    GetCrosstable,
    GetLeaders,
    GetNotificationKinds,
    GetPlayerRatings,
    GetPreferences,
    GetProfile,
    ImportMatches,
    Join,
    MarkNotificationsRead,
    Message,
    ModerationCommand,
    Mute,
    Ping,
    PlayBot,
    Preview,
    ProbeTablebase,
    Report,
    Say,
    Scope,
    SearchMatches,
    SetChallengeRules,
    SetNotificationKinds,
    SetOnlineVisibility,
    SetProfile,
    StopAnalysis,
    StopSearch,
    Unwatch,
    Watch,
    WatchChat,
    WatchFeatured,
    WatchLive,
    WatchLobby,
    WatchNotifications,
    WatchPlayers,
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
    SetChallengeRules: Scope.CHALLENGE,
    Preview: Scope.READ,
    Describe: Scope.READ,
    Watch: Scope.READ,
    WatchLobby: Scope.READ,
    WatchLive: Scope.READ,
    WatchFeatured: Scope.READ,
    WatchYourMatches: Scope.READ,
    GetBlocked: Scope.READ,
    GetLeaders: Scope.READ,
    GetPlayerRatings: Scope.READ,
    SearchMatches: Scope.READ,
    GetCrosstable: Scope.READ,
    ImportMatches: Scope.CHALLENGE,
    Explore: Scope.READ,
    Analyse: Scope.READ,
    StopAnalysis: Scope.READ,
    AnalyseMatch: Scope.READ,
    ProbeTablebase: Scope.READ,
    GetProfile: Scope.READ,
    FindPlayers: Scope.READ,
    WatchPlayers: Scope.READ,
    WatchNotifications: Scope.READ,
    Say: Scope.CHAT,
    WatchChat: Scope.READ,
    Mute: Scope.CHAT,
    Report: Scope.CHAT,
}
"""Messages that are not here need `play`: what is added later does not become free by oversight."""

_FREE = (Ping, Unwatch)
_OF_MODERATORS = get_args(ModerationCommand)
_ABOUT_NOTICES = (MarkNotificationsRead, GetNotificationKinds, SetNotificationKinds)
_OF_OWNER = (*get_args(AccountCommand), SetProfile, SetOnlineVisibility, GetPreferences, Follow, *_ABOUT_NOTICES)


def access_of(kind: type[Message]) -> Scope | Access:
    """Return what an API token needs to send messages of a class."""
    if kind in _FREE:
        return Access.ANY_TOKEN
    if kind in (*_OF_OWNER, *_OF_MODERATORS):
        return Access.SIGNED_IN
    return _NEEDED.get(kind, Scope.PLAY)
