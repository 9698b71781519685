"""Notices: what has happened that concerns somebody, kept until they come, and which kinds of it they want."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, MatchId, Message, Part
from .values import Player


class NoticeKind(StrEnum):
    """What a notice is about."""

    YOUR_TURN = "your_turn"
    """In a match by correspondence."""
    CHALLENGED = "challenged"
    CHALLENGE_ACCEPTED = "challenge_accepted"
    CHALLENGE_DECLINED = "challenge_declined"
    MATCH_ENDED = "match_ended"
    """While one was away from it."""
    REMATCH_OFFERED = "rematch_offered"
    REPORT_UPHELD = "report_upheld"
    """One's report was right, and moderators have acted upon it."""
    FOLLOWED_ONLINE = "followed_online"
    FOLLOWED_PLAYING = "followed_playing"
    """Whoever one follows has come online, or begun a match; told only to who is online."""


class Notice(Part, frozen=True):
    """Something that concerns one."""

    kind: NoticeKind
    subject: str
    """The match or the player that it is about: there is one notice of a kind about each."""
    at_ms: int
    match: MatchId | None = None
    """Where it leads."""
    game: str | None = None
    player: Player | None = None
    """The other whom it is about, or who brought it about."""
    words: str = ""
    """How a match has ended, for people."""
    read: bool = False


class WatchNotices(Message, frozen=True):
    """Be told one's notices, now and as they come; or no longer."""

    on: bool = True


class Notices(Message, frozen=True):
    """The latest of one's notices, the latest first: after `WatchNotices`, and when some were read or are over."""

    notices: tuple[Notice, ...]


class Noticed(Message, frozen=True):
    """A new notice, in place of one of the same kind about the same."""

    notice: Notice


class ReadNotices(Message, frozen=True):
    """Note that one has seen one's notices, all or those about a match or player; answered by `Done`."""

    id: CommandIdField
    subject: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None


class GetNoticeKinds(Message, frozen=True):
    """Ask which kinds of notices one gets; answered by `NoticeKinds`."""

    id: CommandIdField


class NoticeKinds(Message, frozen=True):
    """Answers `GetNoticeKinds`."""

    id: CommandId
    kinds: tuple[NoticeKind, ...]


class SetNoticeKinds(Message, frozen=True):
    """Choose which kinds of notices one gets; answered by `Done`. For the owner of an account."""

    id: CommandIdField
    kinds: Annotated[tuple[NoticeKind, ...], msgspec.Meta(max_length=16)]


NoticeCommand: TypeAlias = WatchNotices | ReadNotices | GetNoticeKinds | SetNoticeKinds
NoticeMessage: TypeAlias = Notices | Noticed | NoticeKinds
