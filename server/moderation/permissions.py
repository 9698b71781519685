"""Who may take which moderation action against whom. Pure.

Moderators may take every action except those about roles, the whole site and a whole account, which only admins may
take. Only admins may act against
admins. Nobody may act against themselves or the server's own bots. The command line may do everything that an admin
may.
"""

from typing import NamedTuple

from millrace.protocol import Code, IdentityId, ModerationAction, Role
from millrace.protocol.refusal import Refusal

from ..callers.site_rules import SITE_ACTIONS
from .moderation_store import ActionTarget

ROLE_ACTIONS = frozenset({ModerationAction.MAKE_ADMIN, ModerationAction.MAKE_MODERATOR, ModerationAction.REMOVE_ROLE})
ADMIN_ACTIONS = ROLE_ACTIONS | SITE_ACTIONS | {ModerationAction.DELETE_ACCOUNT, ModerationAction.EXPORT_ACCOUNT}
ACCOUNT_ACTIONS = ROLE_ACTIONS | {
    ModerationAction.BAN,
    ModerationAction.UNBAN,
    ModerationAction.REMOVE_NAME,
    ModerationAction.CLEAR_BIO,
    ModerationAction.DELETE_ACCOUNT,
    ModerationAction.EXPORT_ACCOUNT,
}
"""Actions against players with an account."""
PLAYER_ACTIONS = ACCOUNT_ACTIONS | {ModerationAction.MUTE, ModerationAction.UNMUTE}
"""Actions against a player, rather than a line or a match."""


class Actor(NamedTuple):
    """The player, or the command line, taking an action."""

    identity: IdentityId | None
    """None for the command line."""
    name: str
    role: Role | None


CONSOLE = Actor(None, "console", Role.ADMIN)


def require_moderator(role: Role | None) -> None:
    """Refuse players who are neither moderators nor admins. Raises: Refusal."""
    if role is None:
        raise Refusal(Code.NOT_ALLOWED, "Only moderators can do that.")


def require_admin(role: Role | None) -> None:
    """Refuse players who are not admins. Raises: Refusal."""
    if role is not Role.ADMIN:
        raise Refusal(Code.NOT_ALLOWED, "Only admins can do that.")


def check_action(actor: Actor, action: ModerationAction, target: ActionTarget | None) -> None:
    """Refuse an action that the actor may not take; `target` is the player it concerns, if any. Raises: Refusal."""
    require_moderator(actor.role)
    if action in ROLE_ACTIONS and actor.role is not Role.ADMIN:
        raise Refusal(Code.NOT_ALLOWED, "Only admins can give and remove roles.")
    if action in ADMIN_ACTIONS:
        require_admin(actor.role)
    if target is None:
        return
    if action in PLAYER_ACTIONS and target.player.id == actor.identity:
        raise Refusal(Code.NOT_ALLOWED, "You cannot do that to yourself; please ask another moderator.")
    if target.player.level is not None:
        raise Refusal(Code.NOT_ALLOWED, "{name} is one of the server's bots.", name=target.player.name)
    if target.role is Role.ADMIN and actor.role is not Role.ADMIN:
        raise Refusal(
            Code.NOT_ALLOWED, "{name} is an admin; only admins can act against admins.", name=target.player.name
        )
    if action in ACCOUNT_ACTIONS and not target.player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "{name} is a guest without an account.", name=target.player.name)


def check_reports_about(actor: Actor, player: IdentityId) -> None:
    """Refuse moderators who want to handle reports about themselves. Raises: Refusal."""
    require_moderator(actor.role)
    if player == actor.identity:
        raise Refusal(Code.NOT_ALLOWED, "These reports are about you; another moderator has to handle them.")
