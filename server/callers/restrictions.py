"""Restrictions: mutes, bans, removed names, and the roles of moderators.

Kept in memory, because every chat line checks them.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from millrace.protocol import Code, IdentityId, ModerationAction, Role, YourRestrictions
from millrace.protocol.refusal import Refusal

from ..runtime.system_clock import NowMs
from .restriction_store import Restriction, RestrictionKind, StoredRestriction

_ROLES = {ModerationAction.MAKE_ADMIN: Role.ADMIN, ModerationAction.MAKE_MODERATOR: Role.MODERATOR}


class Restrictions:
    """The roles and restrictions of all players."""

    def __init__(self, now_ms: NowMs) -> None:
        self._now_ms = now_ms
        self._roles: dict[IdentityId, Role] = {}
        self._restrictions: dict[tuple[IdentityId, RestrictionKind], Restriction] = {}
        self._removed_names: set[IdentityId] = set()
        """Players whose name was removed and who have not chosen another."""

    def replace(
        self,
        roles: Iterable[tuple[IdentityId, Role]],
        stored: Iterable[StoredRestriction],
        removed_names: Iterable[IdentityId],
    ) -> None:
        """Replace all of them by what is stored."""
        self._roles = dict(roles)
        self._restrictions = {(each.identity, each.kind): each.restriction for each in stored}
        self._removed_names = set(removed_names)

    def role_of(self, identity: IdentityId) -> Role | None:
        """Return a player's role, None for most players."""
        return self._roles.get(identity)

    def mute_of(self, identity: IdentityId) -> Restriction | None:
        """Return the active mute of a player."""
        mute = self._restrictions.get((identity, RestrictionKind.MUTE))
        return mute if mute is not None and mute.is_active(self._now_ms()) else None

    def ban_of(self, identity: IdentityId) -> Restriction | None:
        """Return the ban of a player."""
        return self._restrictions.get((identity, RestrictionKind.BAN))

    def require_unmuted(self, identity: IdentityId) -> None:
        """Refuse a player who is muted. Raises: Refusal."""
        mute = self.mute_of(identity)
        if mute is not None:
            raise Refusal(Code.MUTED, mute_text(mute))

    def require_unbanned(self, identity: IdentityId) -> None:
        """Refuse a player who is banned. Raises: Refusal."""
        ban = self.ban_of(identity)
        if ban is not None:
            raise Refusal(Code.BANNED, ban_text(ban))

    def your_restrictions(self, identity: IdentityId) -> YourRestrictions:
        """Return the message with a player's own role and restrictions."""
        mute = self.mute_of(identity)
        text, until_ms = ("", None) if mute is None else (mute_text(mute), mute.until_ms)
        return YourRestrictions(self.role_of(identity), text, until_ms, identity in self._removed_names)

    def apply(self, identity: IdentityId, action: ModerationAction, restriction: Restriction) -> None:
        """Apply a moderation action that was stored; `restriction` is what it imposes, if it is a mute or a ban."""
        match action:
            case ModerationAction.MAKE_ADMIN | ModerationAction.MAKE_MODERATOR:
                self._roles[identity] = _ROLES[action]
            case ModerationAction.REMOVE_ROLE:
                self._roles.pop(identity, None)
            case ModerationAction.MUTE:
                self._restrictions[identity, RestrictionKind.MUTE] = restriction
            case ModerationAction.UNMUTE:
                self._restrictions.pop((identity, RestrictionKind.MUTE), None)
            case ModerationAction.BAN:
                self._restrictions[identity, RestrictionKind.BAN] = restriction._replace(until_ms=None)
            case ModerationAction.UNBAN:
                self._restrictions.pop((identity, RestrictionKind.BAN), None)
            case ModerationAction.REMOVE_NAME:
                self._removed_names.add(identity)
            case ModerationAction.CHOOSE_NAME:
                self._removed_names.discard(identity)
            case _:
                pass

    def forget(self, identity: IdentityId) -> None:
        """Forget a player whose account is deleted."""
        self._roles.pop(identity, None)
        self._removed_names.discard(identity)
        for kind in RestrictionKind:
            self._restrictions.pop((identity, kind), None)


def mute_text(mute: Restriction) -> str:
    """Return sentences for a player on why they cannot write in chats, and until when.

    >>> mute_text(Restriction("Insults.", 1_764_000_000_000))
    'A moderator muted you until 24 November 2025, 16:00 UTC. Reason: Insults.'
    """
    until = "" if mute.until_ms is None else f" until {_format_time(mute.until_ms)}"
    return f"A moderator muted you{until}. Reason: {_sentence(mute.reason)}"


def ban_text(ban: Restriction) -> str:
    """Return sentences for a player on why they cannot sign in.

    >>> ban_text(Restriction("cheating"))
    'A moderator banned this account. Reason: cheating.'
    """
    return f"A moderator banned this account. Reason: {_sentence(ban.reason)}"


def _format_time(at_ms: int) -> str:
    time = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
