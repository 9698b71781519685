"""Who may take which action against whom, as a table."""

import pytest

from millrace.protocol import Code, IdentityId, ModerationAction, Player, Role
from millrace.protocol.refusal import Refusal
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.moderation.moderation_store import ActionTarget
from millrace.server.moderation.permissions import CONSOLE, Actor, check_action, check_reports_about

ADA = Actor(IdentityId("ada"), "Ada", Role.ADMIN)
MEG = Actor(IdentityId("meg"), "Meg", Role.MODERATOR)
BEN = Actor(IdentityId("ben"), "Ben", None)
GUEST = ActionTarget(Player(IdentityId("guest"), "Quiet Otter"))


def known(actor: Actor) -> ActionTarget:
    assert actor.identity is not None
    return ActionTarget(Player(actor.identity, actor.name, registered=True), actor.role)


def refusal_of(actor: Actor, action: ModerationAction, subject: ActionTarget | None) -> Code | None:
    try:
        check_action(actor, action, subject)
    except Refusal as refusal:
        return refusal.code
    return None


@pytest.mark.parametrize(
    ("actor", "action", "subject", "code"),
    [
        (BEN, ModerationAction.MUTE, known(MEG), Code.NOT_ALLOWED),
        (BEN, ModerationAction.VOID, None, Code.NOT_ALLOWED),
        (MEG, ModerationAction.MUTE, known(BEN), None),
        (MEG, ModerationAction.MUTE, GUEST, None),
        (MEG, ModerationAction.BAN, GUEST, Code.ACCOUNT_NEEDED),
        (MEG, ModerationAction.BAN, known(MEG), Code.NOT_ALLOWED),
        (MEG, ModerationAction.REMOVE_LINE, known(MEG), None),
        (MEG, ModerationAction.MUTE, known(ADA), Code.NOT_ALLOWED),
        (MEG, ModerationAction.REMOVE_LINE, known(ADA), Code.NOT_ALLOWED),
        (MEG, ModerationAction.MAKE_MODERATOR, known(BEN), Code.NOT_ALLOWED),
        (MEG, ModerationAction.VOID, None, None),
        (MEG, ModerationAction.MUTE, ActionTarget(bot_player(3)), Code.NOT_ALLOWED),
        (ADA, ModerationAction.MAKE_MODERATOR, known(BEN), None),
        (ADA, ModerationAction.REMOVE_ROLE, known(ADA), Code.NOT_ALLOWED),
        (ADA, ModerationAction.MAKE_ADMIN, GUEST, Code.ACCOUNT_NEEDED),
        (CONSOLE, ModerationAction.REMOVE_ROLE, known(ADA), None),
        (CONSOLE, ModerationAction.BAN, known(ADA), None),
    ],
)
def test_who_may_take_which_action_against_whom(
    actor: Actor, action: ModerationAction, subject: ActionTarget | None, code: Code | None
) -> None:
    assert refusal_of(actor, action, subject) == code


def test_nobody_handles_reports_about_themselves() -> None:
    check_reports_about(MEG, IdentityId("ben"))
    with pytest.raises(Refusal):
        check_reports_about(MEG, IdentityId("meg"))
