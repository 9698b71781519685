"""Cancelling tasks reliably."""

import asyncio

import pytest
from aiosmtplib import SMTPConnectError

from millrace.server.players.mail import mail_queue
from millrace.server.players.mail.mail_queue import Mail, MailQueue
from millrace.server.players.mail.smtp_settings import parse_smtp
from millrace.server.runtime import cancellation
from millrace.server.runtime.cancellation import cancel_and_wait


@pytest.fixture(autouse=True)
def again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "AGAIN_SECONDS", 0.01)


async def test_a_task_that_loses_a_cancellation_is_cancelled_again() -> None:
    lost = 0

    async def goes_on() -> None:
        nonlocal lost
        while lost < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost += 1
        await asyncio.Event().wait()

    tasks = [asyncio.create_task(goes_on()), asyncio.create_task(asyncio.Event().wait())]
    await asyncio.sleep(0)
    await cancel_and_wait(tasks)
    assert lost == 3
    assert all(task.cancelled() for task in tasks)


async def test_ended_and_failing_tasks_are_accepted(caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError

    ended, failing = asyncio.create_task(asyncio.sleep(0)), asyncio.create_task(fails())
    await ended
    await cancel_and_wait([ended, failing])
    assert isinstance(failing.exception(), ValueError)
    assert not caplog.records


async def test_the_queue_of_mails_closes_although_sending_loses_a_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    is_sending = asyncio.Event()

    async def refused(*_: object) -> None:
        """Fail in the moment in which it is cancelled."""
        is_sending.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise SMTPConnectError("refused") from None

    async def write() -> Mail:
        return Mail("beatrix@example.org", "Hello", "Text")

    monkeypatch.setattr(mail_queue, "send_mail", refused)
    mails = MailQueue(parse_smtp("smtp://localhost", sender="play@example.org"))
    mails.put(write)
    await is_sending.wait()
    async with asyncio.timeout(5):
        await mails.close()
