"""The queue of mails on a database: each mail is sent once, by one of several nodes, also after a restart."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from aiosmtplib import SMTPConnectError, SMTPServerDisconnected

from millrace.protocol import IdentityId
from millrace.server.app.stores import Stores
from millrace.server.players.mail import mail_queue
from millrace.server.players.mail.mail_queue import (
    KEPT_MS,
    LEAST_PAUSE_MS,
    MOST_PAUSE_MS,
    TIMEOUT_SECONDS,
    Mail,
    MailQueue,
)
from millrace.server.players.mail.mail_store import MailKind, StoredMail, mailing_step
from millrace.server.players.mail.smtp_settings import parse_smtp
from millrace.server.runtime import cancellation
from millrace.server.runtime.cancellation import cancel_and_wait
from tests.server.in_process_server import SteppedClock
from tests.waiting import until

SETTINGS = parse_smtp("smtp://localhost", sender="play@example.org")


@pytest.fixture(autouse=True)
def polled_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_queue, "POLL_SECONDS", 0.01)


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


async def write(stored: StoredMail) -> Mail:
    return Mail(stored.address, "Hello", "Text")


async def store_mail(stores: Stores, clock: SteppedClock, address: str = "beatrix@example.org") -> None:
    step = mailing_step(MailKind.CHANGED, IdentityId("guest-1"), address, clock())
    assert await stores.accounts.carry_out(step)


async def waiting(stores: Stores) -> int:
    """Return how many mails are still to be sent."""
    return len(await stores.mails.due(2**62, 1_000))


@asynccontextmanager
async def nodes(stores: Stores, clock: SteppedClock, number: int = 1) -> AsyncIterator[None]:
    """Send mails on some nodes meanwhile."""
    running = [asyncio.create_task(MailQueue(stores.mails, SETTINGS, clock).run(write)) for _ in range(number)]
    yield
    await cancel_and_wait(running)


async def test_each_mail_is_sent_by_one_of_several_nodes(
    stores: Stores, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, sending, sent, attempts = random.Random(1), Counter[str](), Counter[str](), Counter[str]()

    async def send(mail: Mail, _: object) -> None:
        attempts[mail.to] += 1
        sending[mail.to] += 1
        assert sending[mail.to] == 1, "another node sends it at the same time"
        await asyncio.sleep(chance.random() / 100)
        sending[mail.to] -= 1
        if chance.random() < 0.3:
            raise SMTPServerDisconnected("busy")
        sent[mail.to] += 1

    monkeypatch.setattr(mail_queue, "send_mail", send)
    addresses = {f"player{number}@example.org" for number in range(30)}
    for address in addresses:
        await store_mail(stores, clock, address)
    async with nodes(stores, clock, 3):
        while await waiting(stores):
            clock.now_ms += LEAST_PAUSE_MS
            await asyncio.sleep(0.05)
    assert sent == Counter(addresses)
    assert attempts.total() > len(addresses)


async def test_a_mail_waits_for_the_next_start_and_is_tried_for_two_hours(
    stores: Stores, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried_ms: list[int] = []

    async def fail(*_: object) -> None:
        tried_ms.append(clock.now_ms)
        raise SMTPServerDisconnected("away")

    monkeypatch.setattr(mail_queue, "send_mail", fail)
    await store_mail(stores, clock)
    start_ms = clock.now_ms
    while next_ms := [mail.next_ms for mail in await stores.mails.due(start_ms + KEPT_MS, 1)]:
        (clock.now_ms,), before = next_ms, len(tried_ms)
        async with nodes(stores, clock):
            await until(lambda before=before: len(tried_ms) > before)  # type: ignore[misc]
    pauses = [after - before for before, after in pairwise(tried_ms)]
    assert pauses == sorted(pauses)
    assert LEAST_PAUSE_MS == pauses[0] > 1000 * TIMEOUT_SECONDS, "an attempt has ended when the next one begins"
    assert KEPT_MS - MOST_PAUSE_MS < tried_ms[-1] - start_ms <= KEPT_MS


async def test_a_mail_that_nobody_could_send_in_time_is_dropped(
    stores: Stores, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(mail_queue, "send_mail", send)
    await store_mail(stores, clock)
    clock.now_ms += KEPT_MS + 1
    async with asyncio.timeout(5), nodes(stores, clock):
        while await waiting(stores):  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(0.01)


async def test_other_mails_are_sent_after_one_that_cannot_be_written(
    stores: Stores, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []

    async def send(mail: Mail, _: object) -> None:
        if mail.to == "bad":
            raise ValueError
        sent.append(mail.to)

    monkeypatch.setattr(mail_queue, "send_mail", send)
    for address in ["bad", *"abcdefgh"]:
        await store_mail(stores, clock, address)
    async with nodes(stores, clock):
        await until(lambda: len(sent) == 8)


async def test_the_queue_closes_although_sending_loses_a_cancellation(
    stores: Stores, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_sending = asyncio.Event()

    async def refused(*_: object) -> None:
        """Fail in the moment in which it is cancelled."""
        is_sending.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise SMTPConnectError("refused") from None

    monkeypatch.setattr(cancellation, "AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(mail_queue, "send_mail", refused)
    await store_mail(stores, clock)
    async with asyncio.timeout(5), nodes(stores, clock):
        await is_sending.wait()
    assert await waiting(stores) == 1
