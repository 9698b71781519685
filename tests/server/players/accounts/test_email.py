"""E-mail addresses of accounts and recovery by them, over real sockets and with a mail server."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from millrace.server.players.accounts.email_handler import CONFIRMATION_MS, MOST_MAILS, RECOVERY_MS
from millrace.server.players.mail import mail_queue
from millrace.server.players.mail.mail_queue import LEAST_PAUSE_MS
from millrace.server.runtime import metrics
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.metric_values import value_of
from tests.server.players.accounts.registered_players import PASSWORD, register
from tests.server.players.mail.mail_server import MailServer, mail_server
from tests.waiting import until

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


async def test_nobody_can_flood_an_owner_or_learn_whether_the_account_exists(
    mailing: Served, mails: MailServer
) -> None:
    await with_address(mailing, mails)
    await with_address(mailing, mails, "Beatrix2", "Beatrix+mills@example.org")

    async def ask(network: int, name: str) -> None:
        flooder = await mailing.socket(additional_headers={"X-Forwarded-For": f"198.51.100.{network}"})
        answer = await (await flooder.greet()).ask("mail_recovery_code", name=name)
        assert answer["type"] == "done"

    for name in ("Beatrix", "Beatrix2", "Nobody"):
        for network in range(10):
            await ask(network, name)
    texts = [await mails.mails.get() for _ in range(MOST_MAILS)]
    assert {mail.to.partition("+")[0].partition("@")[0].casefold() for mail in texts} == {"beatrix"}
    assert all("To stop them, sign in, open your account page" in mail.text for mail in texts)
    # The owner, at home, still gets a code.
    assert (await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix"))["type"] == "done"
    mail = await mails.mails.get()
    assert (await recover(mailing, mail.code))["type"] == "signed_in"
    assert mails.mails.empty()


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
        assert refused["code"] == "no_email"
    assert (await recover(served, answer["recovery_codes"][0]))["type"] == "signed_in"


async def test_a_mail_is_retried_unless_it_is_refused_permanently(
    mailing: Served, mails: MailServer, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_queue, "POLL_SECONDS", 0.01)
    await with_address(mailing, mails)
    before = mails.attempts
    mails.answers = ["451 busy", "451 busy"]
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    for attempt in (1, 2):
        await until(lambda attempt=attempt: mails.attempts - before == attempt)  # type: ignore[misc]
        clock.now_ms += LEAST_PAUSE_MS
    assert (await mails.mails.get()).to == ADDRESS
    assert mails.attempts - before == 3
    mails.answers = ["550 no such user"]
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix")
    await mails.mails.get()
    assert (mails.attempts - before, mails.mails.empty()) == (5, True)


async def test_while_the_mail_server_refuses_the_password_players_learn_it_and_the_log_says_it_once(
    mailing: Served,
    mails: MailServer,
    clock: SteppedClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(mail_queue, "POLL_SECONDS", 0.01)
    owner = await with_address(mailing, mails)
    mails.password = b"changed"
    assert (await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix"))["type"] == "done"
    await until(lambda: value_of(metrics.MAIL_SERVER_FAILS) == 1)
    for refused in (
        await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix"),
        await owner.ask("set_email", address="b@example.org", password=PASSWORD),
    ):
        assert (refused["code"], "at the moment" in refused["message"]) == ("unavailable", True)
    mails.password = b"secret"
    clock.now_ms += LEAST_PAUSE_MS
    assert (await mails.mails.get()).to == ADDRESS
    await until(lambda: value_of(metrics.MAIL_SERVER_FAILS) == 0)
    assert (await (await mailing.visitor()).ask("mail_recovery_code", name="Beatrix"))["type"] == "done"
    assert (await mails.mails.get()).to == ADDRESS
    said = "".join(capsys.readouterr())
    assert (said.count("refuses this server"), said.count("accepts mails again")) == (1, 1)


async def test_a_request_that_is_sent_again_sends_one_mail(mailing: Served, mails: MailServer) -> None:
    owner = await register(mailing)
    both = owner, await mailing.visitor(owner.token)
    asked = {"id": "same", "address": ADDRESS, "password": PASSWORD}
    answers = await asyncio.gather(*(each.ask("set_email", **asked) for each in both))
    assert [answer["type"] for answer in answers] == ["done", "done"]
    assert (await mails.mails.get()).to == ADDRESS
    assert await owner.ask("set_email", **asked) == answers[0]
    await with_address(mailing, mails, "Another", "another@example.org")
    assert mails.mails.empty()


@pytest.mark.parametrize(
    ("type_", "fields"),
    [("change_password", {"new_password": NEW_PASSWORD}), ("set_email", {"address": ""}), ("delete_account", {})],
)
async def test_a_waiting_code_is_withdrawn(
    mailing: Served, mails: MailServer, clock: SteppedClock, type_: str, fields: Frame
) -> None:
    owner = await register(mailing)
    mails.answers = ["451 busy"]
    await owner.ask("set_email", address=ADDRESS, password=PASSWORD)
    await until(lambda: mails.attempts == 1)
    assert (await owner.ask(type_, password=PASSWORD, **fields))["type"] == "done"
    clock.now_ms += LEAST_PAUSE_MS
    await with_address(mailing, mails, "Another", "another@example.org")
    assert mails.mails.empty()
