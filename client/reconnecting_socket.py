"""A WebSocket that reconnects when it breaks. It exchanges `Hello` and `Welcome` on each new connection.

It knows nothing about matches. Its `Listener` repeats on a new connection what the server must know.
"""

import asyncio
import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from millrace.protocol import (
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
"""Long enough for a server that is starting: it answers when its rules are compiled."""
REOPENING_TIMEOUT_S = 10.0
"""For another server of the site may be well if one does not answer."""
STEADY_S = 5.0
"""A connection that breaks sooner counts as another failure: what breaks it may be repeated on the next."""
LONGEST_PAUSE_S = 2.0
"""Maximum pause after such a connection, besides that of a connection that cannot be opened."""
PING_INTERVAL_S = 10.0
MAX_SERVER_FRAME_BYTES = 1 << 24
"""Far above the size of a long match that is sent at once."""

PERMANENT_CLOSE_CODES = frozenset({1002, 1003, 1007, 1008, 1009})
"""Close codes for errors of this program, which would recur after reconnecting (RFC 6455, section 7.4.1)."""

_TEMPORARY_REFUSALS = frozenset({Code.UNAVAILABLE, Code.TOO_MANY})


class Listener(Protocol):
    """The user of a socket."""

    def opened(self) -> None:
        """Called when a new connection is open, to repeat subscriptions and unanswered requests."""

    def received(self, message: ServerMessage) -> None:
        """Called with each message of the server. Raises: ProtocolError."""

    def ended(self, error: ClientError) -> None:
        """Called when the connection is over for good, with the reason."""


def backoff_delays_s(first_s: float = 0.1, most_s: float = 10.0) -> Iterator[float]:
    """Yield the pauses before attempts to reconnect, without end: doubling, and shortened by up to half at random.

    The random part keeps clients from all reconnecting at the same time after a server restarts.
    """
    delay_s = first_s
    while True:
        yield delay_s * random.uniform(0.5, 1.0)
        delay_s = min(2 * delay_s, most_s)


def socket_url(address: str) -> str:
    """Return the WebSocket URL of the server at an address.

    >>> socket_url("localhost:8000"), socket_url("https://millrace.example/"), socket_url("::1:8000")
    ('ws://localhost:8000/socket', 'wss://millrace.example/socket', 'ws://[::1]:8000/socket')

    Raises: AddressError.
    """
    try:
        url = urlsplit(_bracketed(address if "://" in address else f"http://{address}"))
        is_address = bool(url.hostname) and url.path in ("", "/", SOCKET_PATH) and url.port != 0
    except ValueError:  # such as a bracket that is not closed, or a port that is not a number
        is_address = False
    scheme = {"http": "ws", "ws": "ws", "https": "wss", "wss": "wss"}.get(url.scheme) if is_address else None
    if scheme is None:
        raise AddressError(
            f"{address!r} is not the address of a server. Use one such as localhost:8000 or https://host."
        )
    return f"{scheme}://{url.netloc}{SOCKET_PATH}"


def _bracketed(address: str) -> str:
    """Return an address in which a bare IPv6 address with a port has its brackets."""
    return re.sub(r"://([0-9a-fA-F:]*::[0-9a-fA-F:]*):(\d+)(?=/|$)", r"://[\1]:\2", address)


def site_url(url: str) -> str:
    """Return the URL of the web pages of the server with a WebSocket URL.

    >>> site_url("wss://millrace.example/socket")
    'https://millrace.example'
    """
    return f"http{url.removeprefix('ws').removesuffix(SOCKET_PATH)}"


class ReconnectingSocket:
    """A connection to a server that is kept open until `close`, or until reconnecting fails."""

    def __init__(
        self, url: str, token: str, program: str, delays_s: Callable[[], Iterable[float]], listener: Listener
    ) -> None:
        self.token = token
        """The player's token; set by the server if it was empty."""
        self.welcome: Welcome | None = None
        """The latest `Welcome`; None before the first."""
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
        """Whether there is a connection at the moment."""
        return self._outbox is not None

    def post(self, frame: bytes) -> None:
        """Send a frame if there is a connection; otherwise drop it."""
        if self._outbox is not None:
            self._outbox.put_nowait(frame)

    async def open(self) -> None:
        """Connect for the first time. Raises: UnreachableError, RefusedError, ProtocolError."""
        socket = await self._open_socket()
        self._keeper = asyncio.create_task(self._keep(socket, self._fill_outbox()))

    async def close(self) -> None:
        """Close the connection for good."""
        if self._keeper is not None and self._socket is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
            await self._socket.close()
        self._listener.ended(HungUpError("This connection has been closed."))

    def _fill_outbox(self) -> asyncio.Queue[bytes]:
        """Start a new outbox with what the listener sends on a new connection."""
        self._outbox = asyncio.Queue()
        self._listener.opened()
        return self._outbox

    async def _keep(self, socket: ClientConnection, outbox: asyncio.Queue[bytes]) -> None:
        """Serve one socket after the other until reconnecting fails; the boundary of the background task."""
        clock, pauses_s = asyncio.get_running_loop().time, backoff_delays_s(most_s=LONGEST_PAUSE_S)
        try:
            while True:
                opened_s = clock()
                await self._serve(socket, outbox)
                loss = _loss_of(socket, self._last_refusal)
                if isinstance(loss, DismissedError):
                    raise loss
                if clock() - opened_s < STEADY_S:
                    await asyncio.sleep(next(pauses_s))
                else:
                    pauses_s = backoff_delays_s(most_s=LONGEST_PAUSE_S)
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
                return await self._open_socket(REOPENING_TIMEOUT_S)
            except UnreachableError as error:
                loss = error
            except RefusedError as refusal:
                if refusal.code not in _TEMPORARY_REFUSALS:
                    raise
        raise loss

    async def _open_socket(self, timeout_s: float = OPENING_TIMEOUT_S) -> ClientConnection:
        """Open a socket and exchange greetings. Raises: UnreachableError, RefusedError, ProtocolError."""
        self._last_refusal = None
        try:
            async with asyncio.timeout(timeout_s):
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
        except (OSError, UnicodeError, InvalidHandshake, ConnectionClosed) as error:
            message = f"Could not connect to {self._url}: {_reason_of(error)}. Is the server running?"
            raise UnreachableError(message) from error

    async def _greet(self, socket: ClientConnection) -> None:
        await socket.send(encode(Hello(VERSION, self.token, self._program)), text=True)
        match _parse(await socket.recv(decode=False)):
            case Welcome() as welcome:
                self.welcome, self.token = welcome, welcome.token
            case Refused() as refused:
                raise RefusedError(refused.code, refused.message)
            case other:
                raise ProtocolError(f"The server answered Hello with {type(other).__name__}.")


async def _send_all(socket: ClientConnection, outbox: asyncio.Queue[bytes]) -> None:
    try:
        while True:
            await socket.send(await outbox.get(), text=True)
    except ConnectionClosed:
        return


def _loss_of(socket: ClientConnection, refusal: Refused | None) -> ConnectionLostError:
    """Return the error for a closed socket. `refusal` is the last one that answered no command."""
    close_code, reason = socket.close_code, socket.close_reason or ""
    message = f"The connection was closed ({close_code}): {reason or 'no reason was given'}"
    if close_code in PERMANENT_CLOSE_CODES:
        return DismissedError(message, close_code, reason, None if refusal is None else refusal.code)
    return ConnectionLostError(message, close_code, reason)


def _reason_of(error: Exception) -> str:
    """Return why a connection failed, without the system's error numbers."""
    if isinstance(error, ConnectionRefusedError) or "Connect call failed" in str(error):
        return "the connection was refused"
    if isinstance(error, UnicodeError):
        return "no host can have this name"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return re.sub(r"\[Errno -?\d+\] ", "", str(error)) or "no answer"


def _parse(frame: bytes) -> ServerMessage:
    try:
        return parse_server_message(frame)
    except MalformedError as error:
        raise ProtocolError(
            f"The server sent a message that is not in version {VERSION} of the protocol: {error}"
        ) from None
