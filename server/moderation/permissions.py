"""Who may do what upon whom. Pure.

Moderators do everything but give and take roles, which is for admins. Nobody acts upon admins but admins, nobody upon
themselves, and nobody upon the house's own bots. Whoever has the command line may do all of it.
"""

from typing import NamedTuple

from ..protocol import Code, Deed, IdentityId, Role
from ..protocol.refusal import Refusal
from .store import Known

ROLE_DEEDS = frozenset({Deed.MAKE_ADMIN, Deed.MAKE_MODERATOR, Deed.TAKE_ROLE})
ACCOUNT_DEEDS = ROLE_DEEDS | {Deed.CLOSE, Deed.REOPEN, Deed.REMOVE_NAME, Deed.CLEAR_BIO}
"""What is possible only upon the owner of an account."""

PERSON_DEEDS = ACCOUNT_DEEDS | {Deed.MUTE, Deed.UNMUTE}
"""What is done upon somebody, not to a line or a match."""

CONSOLE = "console"
"""The name by which the log calls the command line."""


class Actor(NamedTuple):
    """Whoever wants to do something."""

    identity: IdentityId | None
    """None for the command line."""
    name: str
    role: Role | None


THE_CONSOLE = Actor(None, CONSOLE, Role.ADMIN)


def require_moderator(role: Role | None) -> None:
    """Let moderators and admins pass. Raises: Refusal."""
    if role is None:
        raise Refusal(Code.NOT_ALLOWED, "That is for moderators.")


def check_deed(actor: Actor, deed: Deed, subject: Known | None) -> None:
    """Let somebody do something, upon whom if upon anybody. Raises: Refusal."""
    require_moderator(actor.role)
    if deed in ROLE_DEEDS and actor.role is not Role.ADMIN:
        raise Refusal(Code.NOT_ALLOWED, "Roles are given and taken by admins.")
    if subject is None:
        return
    if deed in PERSON_DEEDS and subject.player.id == actor.identity:
        raise Refusal(Code.NOT_ALLOWED, "Nobody does that to themselves; please ask another moderator.")
    if subject.player.level is not None:
        raise Refusal(Code.NOT_ALLOWED, f"{subject.player.name} is a bot of the house.")
    if subject.role is Role.ADMIN and actor.role is not Role.ADMIN:
        raise Refusal(Code.NOT_ALLOWED, f"{subject.player.name} is an admin; only admins act upon admins.")
    if deed in ACCOUNT_DEEDS and not subject.player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, f"{subject.player.name} is a guest, who has no account.")


def check_reports_about(actor: Actor, player: IdentityId) -> None:
    """Keep moderators from what is reported of themselves. Raises: Refusal."""
    require_moderator(actor.role)
    if player == actor.identity:
        raise Refusal(Code.NOT_ALLOWED, "These reports are about yourself; another moderator sees to them.")
