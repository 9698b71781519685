"""A mail server within the test, which stores its mails."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from email import message_from_bytes
from email.policy import default
from typing import Any, NamedTuple, cast

from aiosmtpd.smtp import SMTP, AuthResult, Envelope

CODE = re.compile(r"^ {4}(\w{4}(?:-\w{4}){3})$", re.MULTILINE)


class Received(NamedTuple):
    """A mail that has arrived."""

    to: str
    subject: str
    text: str

    @property
    def code(self) -> str:
        """The code in the mail."""
        found = CODE.search(self.text)
        assert found is not None, self.text
        return found[1]


class MailServer:
    """A mail server at a port of this machine."""

    def __init__(self) -> None:
        self.mails: asyncio.Queue[Received] = asyncio.Queue()
        self.answers: list[str] = []
        """Its answers to the next mails, instead of accepting them."""
        self.attempts = 0
        self.password = b"secret"
        self.port = 0

    @property
    def address(self) -> str:
        """The address for `--smtp`."""
        return f"smtp://millrace:secret@127.0.0.1:{self.port}"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802
        """Take a mail, or refuse it."""
        self.attempts += 1
        assert session.authenticated
        if self.answers:
            return self.answers.pop(0)
        content = cast(bytes, envelope.content)
        message = message_from_bytes(content, policy=default)
        assert message["From"] == "play@example.org"
        assert envelope.rcpt_tos == [message["To"]]
        self.mails.put_nowait(Received(message["To"], message["Subject"], message.get_content().replace("\r\n", "\n")))
        return "250 OK"


@asynccontextmanager
async def mail_server() -> AsyncIterator[MailServer]:
    """Run a mail server."""
    running = MailServer()

    def authenticate(*given: Any) -> AuthResult:
        login = given[-1]
        is_right = (login.login, login.password) == (b"millrace", running.password)
        return AuthResult(success=is_right, handled=False)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(running, authenticator=authenticate, auth_require_tls=False, loop=loop),
        "127.0.0.1",
        0,
    )
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()


@contextmanager
def mail_server_in_a_thread() -> Iterator[MailServer]:
    """Run a mail server in another thread."""
    is_ready, loop = threading.Event(), asyncio.new_event_loop()
    stop, servers = asyncio.Event(), []

    async def run() -> None:
        async with mail_server() as running:
            servers.append(running)
            is_ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    is_ready.wait()
    yield servers[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()
