"""The queue of mails: bounded, in memory, beside play. Failed mails are retried for two hours.

A mail is written when its turn comes, so that requesting one takes the same time whether or not it is sent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import NamedTuple, TypeAlias

import structlog
from aiosmtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException, send

from ...runtime import metrics
from ...runtime.cancellation import cancel_and_wait
from ...runtime.tls import client_tls
from .smtp_settings import SmtpSettings

log = structlog.get_logger()

MOST_WAITING = 500
"""Maximum number of mails being sent or waiting; further ones are dropped."""
AT_ONCE = 4
TIMEOUT_SECONDS = 20.0
RETRY_SECONDS = (10.0, 60.0, 600.0, 1_800.0, 3_600.0)
"""The time before each further attempt."""
_PERMANENT = 500
"""Answers from this code on are permanent failures (RFC 5321, 4.2.1)."""


class Mail(NamedTuple):
    """A mail to one recipient."""

    to: str
    subject: str
    text: str


MailWriter: TypeAlias = Callable[[], Awaitable[Mail | None]]
"""Returns the mail to send, or None."""


class MailQueue:
    """Sends mails, if there is a mail server."""

    def __init__(self, settings: SmtpSettings | None) -> None:
        self._settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(AT_ONCE)

    @property
    def is_open(self) -> bool:
        """Whether mails are sent."""
        return self._settings is not None

    def put(self, write: MailWriter) -> None:
        """Queue a mail without waiting."""
        if self._settings is None:
            return
        if len(self._tasks) >= MOST_WAITING:
            metrics.MAILS.labels("dropped").inc()
            log.warning("mail dropped: too many wait", waiting=len(self._tasks))
            return
        sending = asyncio.create_task(self._deliver(write, self._settings))
        self._tasks.add(sending)
        sending.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop sending."""
        await cancel_and_wait(self._tasks)

    async def _deliver(self, write: MailWriter, settings: SmtpSettings) -> None:
        try:
            mail = await write()
        except Exception:
            log.exception("mail not written")
            return
        if mail is not None:
            metrics.MAILS.labels(await self._send(mail, settings)).inc()

    async def _send(self, mail: Mail, settings: SmtpSettings) -> str:
        """Send a mail, with retries if needed; return the outcome."""
        for pause_s in (*RETRY_SECONDS, None):
            try:
                async with self._slots:
                    await send_mail(mail, settings)
                return "sent"
            except (SMTPException, OSError) as error:
                log.warning("mail not sent", error=_reason_of(error), retried=pause_s is not None)
                if pause_s is None or _is_permanent(error):
                    return "failed"
            await asyncio.sleep(pause_s)
        raise AssertionError


async def send_mail(mail: Mail, settings: SmtpSettings) -> None:
    """Send a mail, once. Raises: SMTPException, OSError."""
    host = settings.sender.rpartition("@")[2]
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.sender, mail.to, mail.subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=host)
    # Nobody reads automatic answers, such as "out of office" (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text)
    await send(
        message,
        hostname=settings.host,
        port=settings.port,
        username=settings.username or None,
        password=settings.password or None,
        local_hostname=host,
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
