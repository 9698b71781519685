"""Who may do what upon whom, as a table."""

import pytest

from millrace.server.matches.built_in_bots import bot_player
from millrace.server.moderation.permissions import THE_CONSOLE, Actor, check_deed, check_reports_about
from millrace.server.moderation.store import Known
from millrace.server.protocol import Code, Deed, IdentityId, Player, Role
from millrace.server.protocol.refusal import Refusal

ADA = Actor(IdentityId("ada"), "Ada", Role.ADMIN)
MEG = Actor(IdentityId("meg"), "Meg", Role.MODERATOR)
BEN = Actor(IdentityId("ben"), "Ben", None)
GUEST = Known(Player(IdentityId("guest"), "Quiet Otter"))


def known(actor: Actor) -> Known:
    assert actor.identity is not None
    return Known(Player(actor.identity, actor.name, registered=True), actor.role)


def refusal_of(actor: Actor, deed: Deed, subject: Known | None) -> Code | None:
    try:
        check_deed(actor, deed, subject)
    except Refusal as refusal:
        return refusal.code
    return None


@pytest.mark.parametrize(
    ("actor", "deed", "subject", "code"),
    [
        (BEN, Deed.MUTE, known(MEG), Code.NOT_ALLOWED),
        (BEN, Deed.VOID, None, Code.NOT_ALLOWED),
        (MEG, Deed.MUTE, known(BEN), None),
        (MEG, Deed.MUTE, GUEST, None),
        (MEG, Deed.CLOSE, GUEST, Code.ACCOUNT_NEEDED),
        (MEG, Deed.CLOSE, known(MEG), Code.NOT_ALLOWED),
        (MEG, Deed.REMOVE_LINE, known(MEG), None),
        (MEG, Deed.MUTE, known(ADA), Code.NOT_ALLOWED),
        (MEG, Deed.REMOVE_LINE, known(ADA), Code.NOT_ALLOWED),
        (MEG, Deed.MAKE_MODERATOR, known(BEN), Code.NOT_ALLOWED),
        (MEG, Deed.VOID, None, None),
        (MEG, Deed.MUTE, Known(bot_player(3)), Code.NOT_ALLOWED),
        (ADA, Deed.MAKE_MODERATOR, known(BEN), None),
        (ADA, Deed.TAKE_ROLE, known(ADA), Code.NOT_ALLOWED),
        (ADA, Deed.MAKE_ADMIN, GUEST, Code.ACCOUNT_NEEDED),
        (THE_CONSOLE, Deed.TAKE_ROLE, known(ADA), None),
        (THE_CONSOLE, Deed.CLOSE, known(ADA), None),
    ],
)
def test_who_may_do_what_upon_whom(actor: Actor, deed: Deed, subject: Known | None, code: Code | None) -> None:
    assert refusal_of(actor, deed, subject) == code


def test_reports_about_oneself_are_for_others() -> None:
    check_reports_about(MEG, IdentityId("ben"))
    with pytest.raises(Refusal):
        check_reports_about(MEG, IdentityId("meg"))
