"""E-mail addresses of accounts and recovery by them, over real sockets and with a mail server."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from millrace.server.players.accounts.email_handler import CONFIRMATION_MS, RECOVERY_MS
from millrace.server.players.mail import mail_queue
from tests.server.in_process_server import Serve, Served, SteppedClock, Visitor
from tests.server.players.accounts.registered_players import PASSWORD, register
from tests.server.players.mail.mail_server import MailServer, mail_server

ADDRESS = "beatrix@example.org"
NEW_PASSWORD = "an even longer password"


@pytest.fixture
async def mails() -> AsyncIterator[MailServer]:
    async with mail_server() as running:
        yield running


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
async def mailing(serve: Serve, mails: MailServer, clock: SteppedClock) -> Served:
    started: Served = await serve(
        clock,
        smtp=mails.address,
        mail_from="play@example.org",
        allowed_hosts=("play.example.org",),
        is_behind_proxy=True,
    )
    return started


async def with_address(served: Served, mails: MailServer, name: str = "Beatrix", address: str = ADDRESS) -> Visitor:
    """Return a visitor with an account that has a confirmed address."""
    owner = await register(served, name)
    assert (await owner.ask("set_email", address=address, password=PASSWORD))["type"] == "done"
    code = (await mails.mails.get()).code
    assert (await owner.ask("confirm_email", code=code))["type"] == "done"
    return owner


async def recover(served: Served, code: str, name: str = "Beatrix") -> dict[str, Any]:
    return await (await served.visitor()).ask("recover", name=name, code=code, new_password=NEW_PASSWORD)


async def test_an_address_is_stored_when_confirmed_with_the_mailed_code(mailing: Served, mails: MailServer) -> None:
    owner = await register(mailing)
    assert await owner.ask("get_email") | {"id": ""} == {"type": "email", "id": "", "address": "", "is_offered": True}
    assert (await owner.ask("set_email", address=ADDRESS, password=PASSWORD))["type"] == "done"
    mail = await mails.mails.get()
    assert (mail.to, mail.subject) == (ADDRESS, "Confirm your e-mail address")
    assert "the account Beatrix at https://play.example.org" in mail.text
    assert f"https://play.example.org/account#confirm={mail.code}" in mail.text
    assert (await owner.ask("get_email"))["address"] == ""
    stranger = await register(mailing, "Stranger")
    assert (await stranger.ask("confirm_email", code=mail.code))["code"] == "wrong_password"
    assert (await owner.ask("confirm_email", code=mail.code.upper()))["type"] == "done"
    assert (await owner.ask("get_email"))["address"] == ADDRESS
    assert (await owner.ask("confirm_email", code=mail.code))["code"] == "wrong_password"


async def test_a_mailed_code_replaces_a_forgotten_password_once(mailing: Served, mails: MailServer) -> None:
    owner = await with_address(mailing, mails)
    guest = await mailing.visitor()
    assert (await guest.ask("mail_recovery_code", name="beatrix"))["type"] == "done"
    mail = await mails.mails.get()
    assert mail.to == ADDRESS
    assert f"https://play.example.org/account#name=Beatrix&recovery={mail.code}" in mail.text
    answer = await recover(mailing, mail.code)
    assert answer["player"] == owner.player
    assert (await recover(mailing, mail.code))["code"] == "wrong_password"
    assert (await guest.ask("sign_in", name="Beatrix", password=PASSWORD))["code"] == "wrong_password"
    assert (await guest.ask("sign_in", name="Beatrix", password=NEW_PASSWORD))["type"] == "signed_in"


async def test_a_code_expires(mailing: Served, mails: MailServer, clock: SteppedClock) -> None:
    owner = await with_address(mailing, mails)
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    code = (await mails.mails.get()).code
    clock.now_ms += RECOVERY_MS + 1
    assert (await recover(mailing, code))["code"] == "wrong_password"
    await owner.ask("set_email", address="other@example.org", password=PASSWORD)
    code = (await mails.mails.get()).code
    clock.now_ms += CONFIRMATION_MS + 1
    assert (await owner.ask("confirm_email", code=code))["code"] == "wrong_password"


async def test_the_answer_does_not_reveal_whether_the_account_exists(mailing: Served, mails: MailServer) -> None:
    await with_address(mailing, mails)
    await register(mailing, "Without")
    guest = await mailing.visitor()
    answers = [await guest.ask("mail_recovery_code", name=name) for name in ("Nobody", "Without", "Beatrix")]
    assert [{**answer, "id": ""} for answer in answers] == [{"type": "done", "id": ""}] * 3
    assert (await mails.mails.get()).to == ADDRESS
    assert mails.mails.empty()


@pytest.mark.parametrize("name", ["Beatrix", "Nobody"])
async def test_codes_for_one_account_are_limited_whether_or_not_it_exists(
    mailing: Served, mails: MailServer, name: str
) -> None:
    await with_address(mailing, mails)
    guests = [await mailing.visitor() for _ in range(6)]
    answers = [await guest.ask("mail_recovery_code", name=name) for guest in guests]
    assert [answer["type"] for answer in answers] == ["done"] * 5 + ["refused"]
    assert answers[-1]["code"] == "too_many_attempts"


async def test_the_old_address_is_notified_of_a_change(mailing: Served, mails: MailServer) -> None:
    owner = await with_address(mailing, mails)
    await owner.ask("set_email", address="other@example.org", password=PASSWORD)
    assert (await owner.ask("confirm_email", code=(await mails.mails.get()).code))["type"] == "done"
    mail = await mails.mails.get()
    assert (mail.to, mail.subject) == (ADDRESS, "Your e-mail address was changed")
    assert (await owner.ask("set_email", address="", password=PASSWORD))["type"] == "done"
    assert (await mails.mails.get()).to == "other@example.org"
    assert (await owner.ask("get_email"))["address"] == ""


async def test_a_mailed_code_ends_with_the_address_or_the_password(mailing: Served, mails: MailServer) -> None:
    owner = await with_address(mailing, mails)
    guest = await mailing.visitor()
    await guest.ask("mail_recovery_code", name="Beatrix")
    code = (await mails.mails.get()).code
    changing = {"password": PASSWORD, "new_password": NEW_PASSWORD}
    assert (await owner.ask("change_password", **changing))["type"] == "done"
    assert (await recover(mailing, code))["code"] == "wrong_password"
    await guest.ask("mail_recovery_code", name="Beatrix")
    code = (await mails.mails.get()).code
    await owner.ask("set_email", address="", password=NEW_PASSWORD)
    assert (await recover(mailing, code))["code"] == "wrong_password"


@pytest.mark.parametrize(
    ("address", "password", "code"),
    [
        ("nonsense", PASSWORD, "bad_email"),
        ("a@b\nBcc: c@d", PASSWORD, "bad_email"),
        ("Ann <ann@example.org>", PASSWORD, "bad_email"),
        (ADDRESS, "wrong password", "wrong_password"),
    ],
)
async def test_an_invalid_address_or_a_wrong_password_is_refused(
    mailing: Served, mails: MailServer, address: str, password: str, code: str
) -> None:
    owner = await register(mailing)
    assert (await owner.ask("set_email", address=address, password=password))["code"] == code
    assert mails.attempts == 0


async def test_a_guest_has_no_address(mailing: Served) -> None:
    guest = await mailing.visitor()
    assert (await guest.ask("set_email", address=ADDRESS, password=PASSWORD))["code"] == "account_needed"
    assert (await guest.ask("confirm_email", code="x"))["code"] == "account_needed"
    assert (await guest.ask("get_email"))["is_offered"]


async def test_everything_else_works_without_a_mail_server(served: Served) -> None:
    guest = await served.visitor()
    answer = await guest.ask("register", name="Beatrix", password=PASSWORD)
    owner = await served.visitor(answer["token"])
    assert not (await owner.ask("get_email"))["is_offered"]
    for refused in (
        await owner.ask("set_email", address=ADDRESS, password=PASSWORD),
        await guest.ask("mail_recovery_code", name="Beatrix"),
    ):
        assert refused["code"] == "unavailable"
    assert (await recover(served, answer["recovery_codes"][0]))["type"] == "signed_in"


async def test_a_mail_is_retried_unless_it_is_refused_permanently(
    mailing: Served, mails: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_queue, "RETRY_SECONDS", (0.01, 0.01))
    await with_address(mailing, mails)
    before = mails.attempts
    mails.answers = ["451 busy", "451 busy"]
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    assert (await mails.mails.get()).to == ADDRESS
    assert mails.attempts - before == 3
    mails.answers = ["550 no such user"]
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    await mails.mails.get()
    assert (mails.attempts - before, mails.mails.empty()) == (5, True)


async def test_deleting_an_account_deletes_its_address(mailing: Served, mails: MailServer) -> None:
    owner = await with_address(mailing, mails)
    assert (await owner.ask("delete_account", password=PASSWORD))["type"] == "done"
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    await with_address(mailing, mails, "Another", "another@example.org")
    assert mails.mails.empty()
