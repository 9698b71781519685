"""The names of moderation actions in lists and in the log."""

from collections.abc import Mapping

from millrace.protocol import ModerationAction

ACTION_LABELS: Mapping[ModerationAction, str] = {
    ModerationAction.MAKE_ADMIN: "made admin",
    ModerationAction.MAKE_MODERATOR: "made moderator",
    ModerationAction.REMOVE_ROLE: "role removed",
    ModerationAction.MUTE: "muted",
    ModerationAction.UNMUTE: "unmuted",
    ModerationAction.BAN: "banned",
    ModerationAction.UNBAN: "unbanned",
    ModerationAction.REMOVE_NAME: "name removed",
    ModerationAction.CHOOSE_NAME: "new name chosen",
    ModerationAction.CLEAR_BIO: "profile text removed",
    ModerationAction.REMOVE_LINE: "chat line removed",
    ModerationAction.VOID: "match voided",
    ModerationAction.UPHOLD: "reports upheld",
    ModerationAction.DISMISS: "reports dismissed",
}
