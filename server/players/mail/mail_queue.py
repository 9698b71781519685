"""The queue of mails: stored until they are sent, beside play. Failed mails are retried for two hours.

A mail is written when its turn comes, so that requesting one takes the same time whether or not it is sent, and no code
is stored. Of several nodes, one sends each: an attempt begins by putting off the next one, which one node can do.

While the mail server is away or refuses this server, such as after its password there has changed, the log says so once
and players are not promised mails.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import NamedTuple, TypeAlias

import structlog
from aiosmtplib import SMTP, SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPResponseException

from ...runtime import metrics
from ...runtime.system_clock import NowMs
from ...runtime.tls import client_tls
from ...storage.errors import StorageError
from .mail_store import MailStore, StoredMail
from .smtp_settings import SmtpSettings

log = structlog.get_logger()

AT_ONCE = 4
TIMEOUT_SECONDS = 20.0
"""Time limit of an attempt."""
KEPT_MS = 2 * 3_600_000
"""Age at which a mail is given up."""
LEAST_PAUSE_MS, MOST_PAUSE_MS = 30_000, 1_800_000
"""The time before the second attempt, longer than an attempt takes; it doubles with each, up to a maximum."""
POLL_SECONDS = 10.0
"""Interval at which mails are looked for that are due again, or that another node has left."""
_PERMANENT = 500
"""Answers from this code on are permanent failures (RFC 5321, 4.2.1)."""


class Mail(NamedTuple):
    """A mail to one recipient."""

    to: str
    subject: str
    text: str


MailWriter: TypeAlias = Callable[[StoredMail], Awaitable[Mail | None]]
"""Returns the mail to send; None if it is no longer wanted. Raises: StorageError."""


class MailQueue:
    """Sends the stored mails, if there is a mail server."""

    def __init__(self, store: MailStore, settings: SmtpSettings | None, now_ms: NowMs) -> None:
        self._store = store
        self._settings = settings
        self._now_ms = now_ms
        self._has_news = asyncio.Event()
        self._is_failing = False

    @property
    def is_open(self) -> bool:
        """Whether mails are sent."""
        return self._settings is not None

    async def works(self) -> bool:
        """Return whether mails can be sent now; if the latest attempt has failed, ask the mail server."""
        if self._settings is None or not self._is_failing:
            return self.is_open
        try:
            async with _client(self._settings):
                self._note_state(None)
        except (SMTPException, OSError) as error:
            self._note_state(error)
        return not self._is_failing

    def wake(self) -> None:
        """Look for new mails soon, without waiting."""
        self._has_news.set()

    async def run(self, write: MailWriter) -> None:
        """Send mails as they are due, until cancelled."""
        while self._settings is not None:
            self._has_news.clear()
            try:
                await self._send_due(write, self._settings)
            except StorageError as error:
                log.warning("mails not read", error=str(error))
            except Exception:
                # The task's boundary: other mails must be sent after one fails.
                log.exception("mails not sent")
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._has_news.wait()

    async def _send_due(self, write: MailWriter, settings: SmtpSettings) -> None:
        """Raises: StorageError."""
        while due := await self._store.due(self._now_ms(), AT_ONCE):
            await asyncio.gather(*(self._deliver(mail, write, settings) for mail in due))

    async def _deliver(self, stored: StoredMail, write: MailWriter, settings: SmtpSettings) -> None:
        """Try to send a mail, unless another node does. Raises: StorageError."""
        now_ms = self._now_ms()
        next_ms = now_ms + min(max(now_ms - stored.created_ms, LEAST_PAUSE_MS), MOST_PAUSE_MS)
        if not await self._store.claim(stored, next_ms):
            return
        is_last = next_ms > stored.created_ms + KEPT_MS
        mail = None if now_ms > stored.created_ms + KEPT_MS else await write(stored)
        outcome = None if mail is None else await self._try_to_send(mail, settings, is_last=is_last)
        if outcome is not None:
            metrics.MAILS.labels(outcome).inc()
        if mail is None or outcome is not None:
            await self._store.remove(stored)

    async def _try_to_send(self, mail: Mail, settings: SmtpSettings, *, is_last: bool) -> str | None:
        """Send a mail; return the outcome, or None if it is to be tried again."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await send_mail(mail, settings)
        except (SMTPRecipientsRefused, SMTPDataError) as error:
            self._note_state(None)
            is_failed = is_last or _is_permanent(error)
            log.warning("mail not sent", error=_reason_of(error), retried=not is_failed)
            return "failed" if is_failed else None
        except (SMTPException, OSError) as error:
            self._note_state(error)
            return "failed" if is_last else None
        self._note_state(None)
        return "sent"

    def _note_state(self, error: Exception | None) -> None:
        """Log that the mail server fails, or works again, when that changes."""
        metrics.MAIL_SERVER_FAILS.set(error is not None)
        if error is not None and not self._is_failing:
            log.error("the mail server is away or refuses this server; mails wait", error=_reason_of(error))
        elif error is None and self._is_failing:
            log.info("the mail server accepts mails again")
        self._is_failing = error is not None


async def send_mail(mail: Mail, settings: SmtpSettings) -> None:
    """Send a mail, once. Raises: SMTPException, OSError."""
    host = settings.sender.rpartition("@")[2]
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.sender, mail.to, mail.subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=host)
    # Nobody reads automatic answers, such as "out of office" (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text)
    async with _client(settings) as client:
        await client.send_message(message)


def _client(settings: SmtpSettings) -> SMTP:
    """Return a client that connects and signs in when it is entered."""
    return SMTP(
        hostname=settings.host,
        port=settings.port,
        username=settings.username or None,
        password=settings.password or None,
        local_hostname=settings.sender.rpartition("@")[2],
        timeout=TIMEOUT_SECONDS,
        use_tls=settings.is_tls,
        start_tls=settings.must_upgrade,
        tls_context=client_tls() if settings.is_tls or settings.must_upgrade else None,
    )


def _is_permanent(error: Exception) -> bool:
    if isinstance(error, SMTPRecipientsRefused):
        return all(_is_permanent(each) for each in error.recipients)
    return isinstance(error, SMTPResponseException) and error.code >= _PERMANENT


def _reason_of(error: Exception) -> str:
    """Return an error without the recipient's address, which must not be logged."""
    if isinstance(error, SMTPResponseException):
        return f"{type(error).__name__} {error.code}"
    return type(error).__name__
