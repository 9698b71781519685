"""The line to a server: one WebSocket after the other, greeted, read, written and opened again when it breaks.

It knows frames and greetings, not matches; what is to be said again on a new socket its `Listener` knows.
"""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from millrace.server.protocol import (
    SOCKET_PATH,
    VERSION,
    Code,
    Hello,
    MalformedError,
    Refused,
    ServerMessage,
    Welcome,
    encode,
    parse_server_message,
)

from .errors import (
    AddressError,
    ClientError,
    ConnectionLostError,
    DismissedError,
    HungUpError,
    ProtocolError,
    RefusedError,
    UnreachableError,
)

OPENING_TIMEOUT_S = 60.0
"""A server that starts greets when its rules are compiled."""
PING_INTERVAL_S = 10.0
MAX_SERVER_FRAME_BYTES = 1 << 24
"""A long match sent as a whole stays far below this."""

LASTING_CLOSE_CODES = frozenset({1002, 1003, 1007, 1008, 1009})
"""The server would not bear what this program sent (RFC 6455, section 7.4.1), and would not the next time either."""

_TEMPORARY_REFUSALS = frozenset({Code.UNAVAILABLE, Code.TOO_MANY})


class Listener(Protocol):
    """Who uses a line."""

    def opened(self) -> None:
        """There is a new socket: say again what must have been heard."""

    def received(self, message: ServerMessage) -> None:
        """The server has sent a message. Raises: ProtocolError."""

    def ended(self, error: ClientError) -> None:
        """The line is dead, and why."""


def backoff_delays_s(first_s: float = 0.1, most_s: float = 10.0) -> Iterator[float]:
    """Yield, without end, how long to wait before each attempt to connect: twice as long each time, less up to half.

    What is taken off at random keeps the clients of a server that restarts from all coming back at one moment.
    """
    delay_s = first_s
    while True:
        yield delay_s * random.uniform(0.5, 1.0)
        delay_s = min(2 * delay_s, most_s)


def socket_url(address: str) -> str:
    """Return the URL of the socket of the server at an address.

    >>> socket_url("localhost:8000"), socket_url("https://millrace.example/")
    ('ws://localhost:8000/socket', 'wss://millrace.example/socket')

    Raises: AddressError.
    """
    url = urlsplit(address if "://" in address else f"http://{address}")
    scheme = {"http": "ws", "ws": "ws", "https": "wss", "wss": "wss"}.get(url.scheme)
    if scheme is None or not url.hostname or url.path not in ("", "/", SOCKET_PATH):
        raise AddressError(f"{address!r} is not a server's address, such as localhost:8000 or https://host.")
    return f"{scheme}://{url.netloc}{SOCKET_PATH}"


def site_url(url: str) -> str:
    """Return where the pages are of the server whose socket is at a URL.

    >>> site_url("wss://millrace.example/socket")
    'https://millrace.example'
    """
    return f"http{url.removeprefix('ws').removesuffix(SOCKET_PATH)}"


class Line:
    """A line to a server, from `open` to `close` or until it is given up, which the listener is told."""

    def __init__(
        self, url: str, token: str, program: str, delays_s: Callable[[], Iterable[float]], listener: Listener
    ) -> None:
        self.token = token
        """The player's secret, once the server has told it."""
        self.welcome: Welcome | None = None
        """The latest greeting of the server; None before the first."""
        self._url = url
        self._program = program
        self._delays_s = delays_s
        self._listener = listener
        self._socket: ClientConnection | None = None
        self._outbox: asyncio.Queue[bytes] | None = None
        self._last_refusal: Refused | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a socket just now."""
        return self._outbox is not None

    def post(self, frame: bytes) -> None:
        """Send a frame if there is a socket just now."""
        if self._outbox is not None:
            self._outbox.put_nowait(frame)

    async def open(self) -> None:
        """Connect for the first time. Raises: UnreachableError, RefusedError, ProtocolError."""
        socket = await self._open_socket()
        self._keeper = asyncio.create_task(self._keep(socket, self._fill_outbox()))

    async def close(self) -> None:
        """Close the socket and open no other."""
        if self._keeper is not None and self._socket is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
            await self._socket.close()
        self._listener.ended(HungUpError("This connection has been closed."))

    def _fill_outbox(self) -> asyncio.Queue[bytes]:
        """Begin a new outbox with what the listener has to say on a new socket."""
        self._outbox = asyncio.Queue()
        self._listener.opened()
        return self._outbox

    async def _keep(self, socket: ClientConnection, outbox: asyncio.Queue[bytes]) -> None:
        """Serve one socket after the other until the line is given up; the boundary of the background task."""
        try:
            while True:
                await self._serve(socket, outbox)
                loss = _loss_of(socket, self._last_refusal)
                if isinstance(loss, DismissedError):
                    raise loss
                socket = await self._reopen(loss)
                outbox = self._fill_outbox()
        except ClientError as error:
            self._listener.ended(error)
        except Exception as error:
            self._listener.ended(ConnectionLostError(f"The client library failed: {error!r}"))
            raise

    async def _serve(self, socket: ClientConnection, outbox: asyncio.Queue[bytes]) -> None:
        """Send and receive until the socket is closed."""
        sender = asyncio.create_task(_send_all(socket, outbox))
        try:
            while True:
                message = _parse(await socket.recv(decode=False))
                if isinstance(message, Refused) and message.id is None:
                    self._last_refusal = message
                self._listener.received(message)
        except ConnectionClosed:
            return
        finally:
            self._outbox = None
            sender.cancel()
            await socket.close()

    async def _reopen(self, loss: ConnectionLostError) -> ClientConnection:
        for delay_s in self._delays_s():
            await asyncio.sleep(delay_s)
            try:
                return await self._open_socket()
            except UnreachableError as error:
                loss = error
            except RefusedError as refusal:
                if refusal.code not in _TEMPORARY_REFUSALS:
                    raise
        raise loss

    async def _open_socket(self) -> ClientConnection:
        """Open a socket and exchange greetings. Raises: UnreachableError, RefusedError, ProtocolError."""
        self._last_refusal = None
        try:
            async with asyncio.timeout(OPENING_TIMEOUT_S):
                socket = await open_socket(
                    self._url,
                    compression=None,
                    max_size=MAX_SERVER_FRAME_BYTES,
                    open_timeout=None,
                    ping_interval=PING_INTERVAL_S,
                    ping_timeout=PING_INTERVAL_S,
                )
                try:
                    await self._greet(socket)
                except BaseException:
                    socket.transport.abort()
                    raise
                self._socket = socket
                return socket
        except (OSError, InvalidHandshake, ConnectionClosed) as error:
            raise UnreachableError(f"No connection to {self._url}: {error or 'it did not answer'}") from error

    async def _greet(self, socket: ClientConnection) -> None:
        await socket.send(encode(Hello(VERSION, self.token, self._program)), text=True)
        match _parse(await socket.recv(decode=False)):
            case Welcome() as welcome:
                self.welcome, self.token = welcome, welcome.token
            case Refused() as refused:
                raise RefusedError(refused.code, refused.message)
            case other:
                raise ProtocolError(f"The server answered Hello by {type(other).__name__}.")


async def _send_all(socket: ClientConnection, outbox: asyncio.Queue[bytes]) -> None:
    try:
        while True:
            await socket.send(await outbox.get(), text=True)
    except ConnectionClosed:
        return


def _loss_of(socket: ClientConnection, refusal: Refused | None) -> ConnectionLostError:
    """Return why a closed socket was closed, as an error; `refusal` is the last one that answered no command."""
    close_code, reason = socket.close_code, socket.close_reason or ""
    words = f"The connection was closed ({close_code}): {reason or 'no reason was given'}"
    if close_code in LASTING_CLOSE_CODES:
        return DismissedError(words, close_code, reason, None if refusal is None else refusal.code)
    return ConnectionLostError(words, close_code, reason)


def _parse(frame: bytes) -> ServerMessage:
    try:
        return parse_server_message(frame)
    except MalformedError as error:
        raise ProtocolError(f"The server sent what is no message of version {VERSION}: {error}") from None
