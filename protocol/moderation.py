"""Moderation: reports, moderation actions, and the restrictions of each player."""

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
from .studies import StudyIdField

ReportReason: TypeAlias = Literal["insult", "spam", "cheating", "name", "bio", "other"]

ReportIdField = Annotated[str, msgspec.Meta(min_length=1, max_length=160)]
ReportIdsField = Annotated[tuple[ReportIdField, ...], msgspec.Meta(max_length=40)]
MOST_REASON_CHARACTERS = 300
ReasonField = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_REASON_CHARACTERS)]


class Role(StrEnum):
    """A player's rights besides playing."""

    MODERATOR = "moderator"
    """Handles reports and takes moderation actions."""
    ADMIN = "admin"
    """A moderator who also gives and removes roles."""


class ModerationAction(StrEnum):
    """The actions of moderators. Every action is recorded in the moderation log."""

    MAKE_ADMIN = "make_admin"
    MAKE_MODERATOR = "make_moderator"
    REMOVE_ROLE = "remove_role"
    MUTE = "mute"
    """The player cannot write in any chat, for a time or permanently."""
    UNMUTE = "unmute"
    BAN = "ban"
    """The account is closed: nobody can sign in to it."""
    UNBAN = "unban"
    REMOVE_NAME = "remove_name"
    """The account gets a neutral name, and the old one stays reserved."""
    CHOOSE_NAME = "choose_name"
    """The player chose a name to replace the neutral one. The only action that players take themselves."""
    CLEAR_BIO = "clear_bio"
    """The text on the player's profile is deleted."""
    REMOVE_LINE = "remove_line"
    """The text of a chat line is deleted."""
    REMOVE_STUDY = "remove_study"
    """A study is deleted, with all its chapters."""
    CLEAR_STUDY = "clear_study"
    """The title of a study, and the name, comments and drawings of a chapter, are deleted."""
    CLEAR_IMPORT = "clear_import"
    """The names and comments of an imported match are deleted."""
    VOID = "void"
    """The result of a match does not count."""
    UPHOLD = "uphold"
    """Reports were justified."""
    DISMISS = "dismiss"
    """Reports were not justified."""
    ANNOUNCE = "announce"
    """Everyone sees a text at the top of the page. For admins, like all below."""
    END_ANNOUNCEMENT = "end_announcement"
    BLOCK_ADDRESS = "block_address"
    """Nobody at an address, or in a network, can use the site."""
    UNBLOCK_ADDRESS = "unblock_address"
    SWITCH_OFF = "switch_off"
    """A feature of the site is switched off."""
    SWITCH_ON = "switch_on"
    DELETE_ACCOUNT = "delete_account"
    """The account and everything about its owner was deleted."""
    EXPORT_ACCOUNT = "export_account"
    """The account's data was exported, for its owner."""


class SwitchableFeature(StrEnum):
    """What admins can switch off while the server runs."""

    REGISTRATION = "registration"
    """New accounts."""
    GUESTS = "guests"
    """New matches of guests; they can still watch."""
    MATCHES = "matches"
    """New matches and tournaments of everyone, as before maintenance; those in progress continue."""
    CHAT = "chat"
    ANALYSIS = "analysis"
    """Analyses and reviews by the engine."""
    STUDIES = "studies"
    """Saving studies."""
    IMPORTS = "imports"
    """Importing matches."""


class NamedPlayer(Part, frozen=True):
    """A player, with the name at that time."""

    id: IdentityId
    name: str


class OpenReport(Part, frozen=True):
    """A report that is not settled yet."""

    id: str
    by: NamedPlayer
    upheld: int
    """The number of earlier reports by the same reporter that were upheld."""
    dismissed: int
    """The number of these that were dismissed."""
    match: MatchId | None
    """Where it happened. None for a report from a profile."""
    line: int | None
    text: str
    """The reported chat line, study, name or profile text, as it was when reported."""
    reason: ReportReason
    note: str
    """The reporter's explanation."""
    at_ms: int
    study: str | None = None
    """The reported study."""


class ReportedPlayer(Part, frozen=True):
    """A player with the open reports about them."""

    player: NamedPlayer
    registered: bool
    """Whether the player has an account. Guests cannot be banned."""
    upheld: int
    """The number of earlier reports about the player that were upheld."""
    muted: bool
    banned: bool
    taken_by: NamedPlayer | None
    """The moderator who is handling the reports."""
    reports: tuple[OpenReport, ...]
    """The latest ones, newest first."""
    further: int = 0
    """The number of further ones, shown once the listed ones are handled."""


class ModerationLogEntry(Part, frozen=True):
    """A moderation action that was taken."""

    number: int
    """Counted from 1 without gaps."""
    at_ms: int
    by: str
    """The moderator's name at that time, or `console`."""
    action: ModerationAction
    player: NamedPlayer | None
    """The player it was taken against."""
    match: MatchId | None
    line: int | None
    until_ms: int | None
    """The end of a mute or of another action. None for a permanent one."""
    detail: str
    """What was removed, or its replacement."""
    reason: str
    study: str | None = None


# Messages from clients


class Report(Message, frozen=True):
    """Report a player, a chat line, a study or an imported match to the moderators.

    The server keeps a copy of the reported text.
    """

    id: CommandIdField
    reason: ReportReason
    match: MatchIdField | None = None
    """Where it happened. Not needed for a report about the name or profile text of an account."""
    player: IdentityIdField | None = None
    """Required unless the report is about a line, a study or an imported match."""
    line: CountField | None = None
    """The number of a line in the chat of `match`."""
    note: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """The reporter's explanation."""
    study: StudyIdField | None = None


class WatchReports(Message, frozen=True):
    """Subscribe to the open reports, or unsubscribe. Answered by `OpenReports`. For moderators, like all below."""

    on: bool = True


class TakeReports(Message, frozen=True):
    """Reserve the open reports about a player for yourself, or release them for other moderators."""

    id: CommandIdField
    player: IdentityIdField
    on: bool = True


class SettleReports(Message, frozen=True):
    """Settle reports without any further action."""

    id: CommandIdField
    player: IdentityIdField
    """The player whom the reports are about."""
    reports: ReportIdsField
    upheld: bool
    """Whether they were justified."""
    reason: ReasonField


class Moderate(Message, frozen=True):
    """Take an action against a player, a chat line, a study or a match, or about the whole site.

    It has taken effect when `Done` arrives.
    """

    id: CommandIdField
    action: ModerationAction
    reason: ReasonField
    """Kept in the log, and shown to a player who is muted or banned and to users of a feature that is switched off. The
    text of an announcement."""
    player: IdentityIdField | None = None
    """Required unless the action is about a line, a study or a match."""
    match: MatchIdField | None = None
    line: CountField | None = None
    duration_ms: Annotated[int, msgspec.Meta(ge=60_000, le=366 * 86_400_000)] | None = None
    """How long a mute, an announcement, a block or a switch lasts. None if it is permanent."""
    reports: ReportIdsField = ()
    """Open reports that the action upholds."""
    study: StudyIdField | None = None
    subject: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The address or network to block, such as `192.0.2.0/24`, or a `SwitchableFeature`."""


class GetChatContext(Message, frozen=True):
    """Ask for the chat lines around a line. Answered by `ChatContext`."""

    id: CommandIdField
    match: MatchIdField
    line: CountField


class GetModerationRecord(Message, frozen=True):
    """Ask for everything that moderators know about an account. Answered by `ModerationRecord`."""

    id: CommandIdField
    name: PlayerNameField


class GetModerationLog(Message, frozen=True):
    """Ask for the latest moderation actions. Answered by `ModerationLog`."""

    id: CommandIdField
    before: CountField | None = None
    """Only entries with lower numbers."""
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """Only entries by or about players whose names begin with this."""
    action: ModerationAction | None = None


class GetSiteControls(Message, frozen=True):
    """Ask what is announced, blocked and switched off. For admins. Answered by `SiteControls`."""

    id: CommandIdField


# Messages from the server


class Announcement(Message, frozen=True):
    """What the operators of the site announce. Sent after `Welcome` if there is something, and whenever it changes."""

    text: str
    """Empty if nothing is announced any more."""
    until_ms: int | None
    """When it ends by itself."""


class SiteControl(Part, frozen=True):
    """An action about the whole site that is in force."""

    action: ModerationAction
    """`announce`, `block_address` or `switch_off`."""
    subject: str
    """The network of addresses or the feature; empty for an announcement."""
    reason: str
    until_ms: int | None


class SiteControls(Message, frozen=True):
    """Answers `GetSiteControls`."""

    id: CommandId
    controls: tuple[SiteControl, ...]


class YourRestrictions(Message, frozen=True):
    """Your role and restrictions. Sent after `Welcome` if you have any, and whenever they change."""

    role: Role | None
    mute_text: str
    """Why you cannot write in chats, as a sentence. Empty if you can."""
    muted_until_ms: int | None
    """The end of the mute. None for a permanent one."""
    name_removed: bool = False
    """Whether moderators replaced your name with a neutral one, so that you may choose another, once."""


class OpenReports(Message, frozen=True):
    """Answers `WatchReports`, and is sent again whenever the open reports change."""

    players: tuple[ReportedPlayer, ...]
    """The player with the latest report first."""


class ChatContext(Message, frozen=True):
    """Answers `GetChatContext`: the lines of both rooms, oldest first."""

    id: CommandId
    match: MatchId
    lines: tuple[ChatLine, ...]


class ModerationRecord(Message, frozen=True):
    """Answers `GetModerationRecord`."""

    id: CommandId
    player: NamedPlayer
    role: Role | None
    since_ms: int
    """When the account was created."""
    mute_reason: str
    """Why the player is muted. Empty if they are not."""
    muted_until_ms: int | None
    ban_reason: str
    """Why the player is banned. Empty if they are not."""
    upheld: int
    dismissed: int
    """The numbers of settled reports about the player that were upheld and dismissed."""
    log: tuple[ModerationLogEntry, ...]
    """The actions taken against the player, newest first."""


class ModerationLog(Message, frozen=True):
    """Answers `GetModerationLog`."""

    id: CommandId
    entries: tuple[ModerationLogEntry, ...]
    """Newest first."""
    has_more: bool


ModeratorCommand: TypeAlias = (
    WatchReports
    | TakeReports
    | SettleReports
    | Moderate
    | GetChatContext
    | GetModerationRecord
    | GetModerationLog
    | GetSiteControls
)
ModerationCommand: TypeAlias = Report | ModeratorCommand
ModerationReply: TypeAlias = (
    YourRestrictions | OpenReports | ChatContext | ModerationRecord | ModerationLog | Announcement | SiteControls
)
