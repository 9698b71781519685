"""Keeping order: reports, what moderators do about them and see, and what anybody is told about their own standing."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

import msgspec

from .chat import ChatLine
from .fields import (
    CommandId,
    CommandIdField,
    CountField,
    IdentityId,
    IdentityIdField,
    MatchId,
    MatchIdField,
    Message,
    Part,
    PlayerNameField,
)

ReportReason: TypeAlias = Literal["insult", "spam", "cheating", "name", "bio", "other"]

ReportIdField = Annotated[str, msgspec.Meta(min_length=1, max_length=160)]
ReportIdsField = Annotated[tuple[ReportIdField, ...], msgspec.Meta(max_length=40)]
ReasonField = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class Role(StrEnum):
    """What somebody may do beyond what everybody may."""

    MODERATOR = "moderator"
    """Handles reports, and does what they call for."""
    ADMIN = "admin"
    """The same, and gives and takes roles."""


class Deed(StrEnum):
    """What moderators do; each stands in the log."""

    MAKE_ADMIN = "make_admin"
    MAKE_MODERATOR = "make_moderator"
    TAKE_ROLE = "take_role"
    MUTE = "mute"
    """Somebody may not talk, for a time or for good."""
    UNMUTE = "unmute"
    CLOSE = "close"
    """Nobody can sign in to the account any more."""
    REOPEN = "reopen"
    REMOVE_NAME = "remove_name"
    """The account gets a neutral name; nobody gets the old one."""
    CHOOSE_NAME = "choose_name"
    """Its owner has chosen another; the one deed that is not a moderator's."""
    CLEAR_BIO = "clear_bio"
    """What somebody has written of themselves is gone."""
    REMOVE_LINE = "remove_line"
    """Of talk: its text is gone."""
    VOID = "void"
    """The result of a match does not count."""
    UPHOLD = "uphold"
    """Reports were right."""
    DISMISS = "dismiss"
    """Reports called for nothing."""


class Named(Part, frozen=True):
    """Somebody by the name that was theirs then."""

    id: IdentityId
    name: str


class OpenReport(Part, frozen=True):
    """A report that nobody has settled."""

    id: str
    by: Named
    upheld: int
    """So many earlier reports of the same reporter were right."""
    dismissed: int
    """And so many called for nothing."""
    match: MatchId | None
    """Where it happened; None for a report from a profile."""
    line: int | None
    text: str
    """Of the line, or the name or words about oneself that it is about, as they were then."""
    reason: ReportReason
    words: str
    """Of the reporter."""
    at_ms: int


class Case(Part, frozen=True):
    """The open reports about one player."""

    player: Named
    registered: bool
    """Whether it is the owner of an account; a guest has none that could be closed."""
    upheld: int
    """So many earlier reports about the player were right."""
    muted: bool
    closed: bool
    taken_by: Named | None
    """The moderator who sees to it."""
    reports: tuple[OpenReport, ...]
    """The latest first."""


class LogEntry(Part, frozen=True):
    """What a moderator has done."""

    number: int
    """Counted from 1 without gaps."""
    at_ms: int
    by: str
    """The moderator's name then, or `console`."""
    deed: Deed
    player: Named | None
    """Upon whom."""
    match: MatchId | None
    line: int | None
    until_ms: int | None
    """When a mute ends; None for good."""
    detail: str
    """What was removed, or what stands in its place."""
    reason: str


# What a client sends


class Report(Message, frozen=True):
    """Tell those who run the server of a player, or of one line; what it is about is kept with the report."""

    id: CommandIdField
    reason: ReportReason
    match: MatchIdField | None = None
    """Where it happened; not needed against the name or the words about oneself of an account."""
    player: IdentityIdField | None = None
    """Needed where no line is named."""
    line: CountField | None = None
    """Of the match's talk."""
    words: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """In one's own words."""


class WatchReports(Message, frozen=True):
    """Follow the open reports, answered by `OpenReports`; or follow them no longer. For moderators, as all below."""

    on: bool = True


class TakeReports(Message, frozen=True):
    """See to the open reports about a player, so that no other moderator does; or leave them to others again."""

    id: CommandIdField
    player: IdentityIdField
    on: bool = True


class SettleReports(Message, frozen=True):
    """Settle reports, without doing anything else."""

    id: CommandIdField
    player: IdentityIdField
    """Whom they are about."""
    reports: ReportIdsField
    upheld: bool
    """Whether they were right."""
    reason: ReasonField


class Moderate(Message, frozen=True):
    """Do something about somebody, a line or a match; it has happened when `Done` comes."""

    id: CommandIdField
    deed: Deed
    reason: ReasonField
    """For the log; whoever is muted, or whose account is closed, is told it too."""
    player: IdentityIdField | None = None
    """Upon whom, but for a line or a match."""
    match: MatchIdField | None = None
    line: CountField | None = None
    for_ms: Annotated[int, msgspec.Meta(ge=60_000, le=366 * 86_400_000)] | None = None
    """How long a mute lasts; None for good."""
    reports: ReportIdsField = ()
    """That are settled by it, as right."""


class GetLines(Message, frozen=True):
    """Ask what was said around a line; answered by `Lines`."""

    id: CommandIdField
    match: MatchIdField
    line: CountField


class GetConduct(Message, frozen=True):
    """Ask how somebody stands; answered by `Conduct`."""

    id: CommandIdField
    name: PlayerNameField


class GetLog(Message, frozen=True):
    """Ask what moderators have done; answered by `Log`."""

    id: CommandIdField
    before: CountField | None = None
    """Only entries of lower numbers."""
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """Only entries by or upon one whose name begins so."""
    deed: Deed | None = None


# What the server sends


class Standing(Message, frozen=True):
    """What holds of you beyond what holds of everybody: after `Hello` if anything does, and whenever it changes."""

    role: Role | None
    muted: str
    """Why you may not talk, for people; empty if you may."""
    muted_until_ms: int | None
    """Until when; None for good."""
    name_removed: bool = False
    """Whether moderators have put a neutral name in place of yours, so that you may choose another, once."""


class OpenReports(Message, frozen=True):
    """The open reports: the player of the latest first. Now and whenever they change."""

    cases: tuple[Case, ...]


class Lines(Message, frozen=True):
    """Answers `GetLines`: the lines of both rooms, the first to be said first."""

    id: CommandId
    match: MatchId
    lines: tuple[ChatLine, ...]


class Conduct(Message, frozen=True):
    """Answers `GetConduct`."""

    id: CommandId
    player: Named
    role: Role | None
    since_ms: int
    """When the account was made."""
    muted: str
    """The reason why the player may not talk; empty if that is allowed."""
    muted_until_ms: int | None
    closed: str
    """The reason why the account is closed; empty if it is open."""
    upheld: int
    dismissed: int
    """Settled reports about the player."""
    log: tuple[LogEntry, ...]
    """What was done about the player, the latest first."""


class Log(Message, frozen=True):
    """Answers `GetLog`."""

    id: CommandId
    entries: tuple[LogEntry, ...]
    """The latest first."""
    has_more: bool


ModerationCommand: TypeAlias = WatchReports | TakeReports | SettleReports | Moderate | GetLines | GetConduct | GetLog
OrderCommand: TypeAlias = Report | ModerationCommand
OrderAnswer: TypeAlias = Standing | OpenReports | Lines | Conduct | Log
