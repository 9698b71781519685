"""Notifications: what happened that concerns a player, kept in an inbox, and the kinds that the player wants."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, MatchId, Message, Part
from .values import Player


class NotificationKind(StrEnum):
    """What a notification is about."""

    YOUR_TURN = "your_turn"
    """In a correspondence match."""
    CHALLENGED = "challenged"
    CHALLENGE_ACCEPTED = "challenge_accepted"
    CHALLENGE_DECLINED = "challenge_declined"
    MATCH_ENDED = "match_ended"
    """While you were not watching it."""
    REMATCH_OFFERED = "rematch_offered"
    REPORT_UPHELD = "report_upheld"
    """Moderators agreed with your report and acted on it."""
    TOURNAMENT_SOON = "tournament_soon"
    """A tournament that you have joined starts in ten minutes."""
    SIMUL_ACCEPTED = "simul_accepted"
    """The host of a simul has accepted you."""
    SIMUL_STARTED = "simul_started"
    """A simul has begun, and your match with it."""
    LADDER_CHALLENGED = "ladder_challenged"
    """You were challenged on a ladder; the match has begun."""
    LADDER_MOVED = "ladder_moved"
    """You won or lost a place on a ladder, or dropped out because you lost on time."""
    STUDY_SHARED = "study_shared"
    """A player lets you edit a study."""
    FOLLOWED_ONLINE = "followed_online"
    FOLLOWED_PLAYING = "followed_playing"
    """A player whom you follow came online, or started a match; sent only while you are online."""


class Notification(Part, frozen=True):
    """A notification; each subject has at most one of a kind."""

    kind: NotificationKind
    subject: str
    """The match, player, tournament, ladder or study that it is about."""
    at_ms: int
    match: MatchId | None = None
    """The match to link to."""
    game: str | None = None
    player: Player | None = None
    """The other player concerned."""
    explanation: str = ""
    """How a match ended, as text, the name of a tournament, the title of a study, or your new place on a ladder, empty
    if you have none."""
    read: bool = False


class WatchNotifications(Message, frozen=True):
    """Get your notifications, now and as they come; or stop getting them."""

    on: bool = True


class Notifications(Message, frozen=True):
    """Your inbox, newest first: sent after `WatchNotifications`, and when notifications were read or withdrawn."""

    notifications: tuple[Notification, ...]


class NotificationAdded(Message, frozen=True):
    """A new notification; it replaces the one of the same kind and subject."""

    notification: Notification


class MarkNotificationsRead(Message, frozen=True):
    """Mark notifications as read: all, or those about one match, player, tournament or ladder; answered by `Done`."""

    id: CommandIdField
    subject: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None


class GetNotificationKinds(Message, frozen=True):
    """Ask which kinds of notifications you get; answered by `NotificationKinds`."""

    id: CommandIdField


class NotificationKinds(Message, frozen=True):
    """Answers `GetNotificationKinds`."""

    id: CommandId
    kinds: tuple[NotificationKind, ...]


class SetNotificationKinds(Message, frozen=True):
    """Choose which kinds of notifications you get; answered by `Done`. For the owner of an account."""

    id: CommandIdField
    kinds: Annotated[tuple[NotificationKind, ...], msgspec.Meta(max_length=16)]


NotificationCommand: TypeAlias = (
    WatchNotifications | MarkNotificationsRead | GetNotificationKinds | SetNotificationKinds
)
NotificationMessage: TypeAlias = Notifications | NotificationAdded | NotificationKinds
