"""A session: one connection, from `Hello` to its end.

It answers hello and pings, enforces the message limit, sends frames, and hands every other message to its route.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import msgspec
import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from .. import metrics
from ..accounts.cookies import read_connection_info
from ..identity.caller import Authentication, ConnectionInfo
from ..identity.presence import Credential, Presence
from ..protocol import (
    VERSION,
    ClientMessage,
    Code,
    CommandId,
    Hello,
    IdentityId,
    MalformedError,
    MatchId,
    Message,
    Ping,
    Player,
    Pong,
    Refused,
    Welcome,
    parse_client_message,
)
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from ..routing.feature import Feature
from ..routing.routes import Routes, require_access
from ..system_clock import NowMs
from .game_list import GAME_INFOS
from .message_limit import MALFORMED_COST, MessageLimit
from .pings import ping_as_player, ping_as_spectator

log = structlog.get_logger()

OUTBOX_BYTES = 1024 * 1024
"""Maximum bytes that wait for a client that does not read; beyond it the connection is cut. 4,000 plies fit."""
CLOSE_POLICY = 1008
CLOSED_IN_ORDER = (1000, 1001)
"""Close codes of a client that leaves, and of a browser whose page is closed or left."""


@dataclass(frozen=True, slots=True)
class SessionServices:
    """What every session uses."""

    authenticate: Callable[[str, ConnectionInfo], Awaitable[Authentication]]
    """Returns who says `Hello` with a token. Raises: Refusal."""
    features: Sequence[Feature]
    routes: Routes
    presence: Presence
    now_ms: NowMs
    message_rate: int
    """Messages per second that a connection may send."""
    is_behind_proxy: bool


class _Envelope(msgspec.Struct):
    """The part of a malformed message that its refusal names."""

    id: CommandId | None = None
    match: MatchId | None = None


class Session:
    """One connection."""

    def __init__(self, connection: ServerConnection, services: SessionServices) -> None:
        self._connection = connection
        self._services = services
        self._authentication: Authentication | None = None
        self._closing: asyncio.Task[None] | None = None
        self.connection_info = _connection_info_of(connection, is_behind_proxy=services.is_behind_proxy)
        """Where the connection comes from."""
        self._message_limit = MessageLimit(services.message_rate, services.now_ms)
        self._outbox: list[bytes] = []

    @property
    def identity(self) -> IdentityId:
        """The player's identity, after `Hello`."""
        return self.authentication.player.id

    @property
    def player(self) -> Player:
        """The player as others see it, after `Hello`."""
        return self.authentication.player

    @property
    def authentication(self) -> Authentication:
        """Who the connection is and what it may do, after `Hello`."""
        assert self._authentication is not None
        return self._authentication

    @property
    def credential(self) -> Credential | None:
        """The credential of the connection; None for a guest."""
        return self.authentication.credential

    @property
    def is_api(self) -> bool:
        """Whether the connection uses an API token."""
        return self.authentication.is_api

    def authenticate_as(self, authentication: Authentication) -> None:
        """Replace the authentication; the identity stays the same."""
        assert authentication.player.id == self.identity
        self._authentication = authentication

    def update_player(self, player: Player) -> None:
        """Replace the player as others see it; the identity stays the same."""
        self.authenticate_as(replace(self.authentication, player=player))

    @property
    def round_trip_ms(self) -> int:
        """The round trip that the server measured by its latest ping; 0 before the first answer."""
        return int(self._connection.latency * 1000)

    @property
    def has_left(self) -> bool:
        """Whether the connection was closed in good order, as by leaving the page, rather than lost."""
        return self._connection.close_code in CLOSED_IN_ORDER

    def expect_moves(self) -> None:
        """Ping this connection often from now on: its player's clock may run."""
        ping_as_player(self._connection)

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in order without waiting; a client that does not read them is cut off.

        Like `websockets.broadcast`, but a frame is encoded once for all recipients, and all frames of one turn of the
        event loop are sent in one write.
        """
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox += frames

    def deliver_now(self, frames: Sequence[WireFrame]) -> None:
        """Send frames at once, after those that wait."""
        self._outbox += frames
        self._flush()

    def _flush(self) -> None:
        if not self._outbox:
            return
        outbox, self._outbox = self._outbox, []
        transport = self._connection.transport
        if self._connection.protocol.state is not State.OPEN or transport.is_closing():
            return
        transport.writelines(outbox)
        if transport.get_write_buffer_size() > OUTBOX_BYTES:
            metrics.DISCONNECTIONS.labels("slow").inc()
            log.info("connection cut because it does not read", peer=self._connection.remote_address)
            transport.abort()

    async def run(self) -> None:
        """Serve the connection until it ends."""
        metrics.CONNECTIONS.inc()
        try:
            async for frame in self._connection:
                if self._closing is not None:
                    return
                refusal = self._message_limit.spend(1)
                if refusal is not None:
                    await self._close(refusal.code, refusal.message)
                    return
                await self._receive(frame)
        except ConnectionClosed:
            pass
        finally:
            metrics.CONNECTIONS.dec()
            if self._authentication is not None:
                self._leave()

    def _leave(self) -> None:
        self._services.presence.remove(self)
        for feature in self._services.features:
            feature.disconnect(self)

    async def _receive(self, frame: str | bytes) -> None:
        try:
            message = parse_client_message(frame)
        except MalformedError as error:
            self._message_limit.spend(MALFORMED_COST)
            self._refuse(Refusal(Code.MALFORMED, str(error)), _envelope_of(frame))
            return
        try:
            await self._handle(message)
        except Refusal as refusal:
            self._refuse(refusal, _Envelope(getattr(message, "id", None), getattr(message, "match", None)))

    async def _handle(self, message: ClientMessage) -> None:
        if isinstance(message, Hello):
            await self._greet(message)
            return
        if self._authentication is None:
            raise Refusal(Code.HELLO_FIRST, "The first message of a connection must be hello.")
        if isinstance(message, Ping):
            self.send(Pong(message.nonce, self._services.now_ms()))
            return
        route = self._services.routes[type(message)]
        require_access(route.access, self._authentication)
        self._message_limit.spend(route.cost - 1)
        await route.handle(message, self)

    async def _greet(self, hello: Hello) -> None:
        if hello.version != VERSION:
            await self._close(Code.UNSUPPORTED_VERSION, f"This server speaks version {VERSION} of the protocol.")
            return
        if self._authentication is not None:
            raise Refusal(Code.HELLO_FIRST, "This connection has said hello already.")
        connection_info = replace(self.connection_info, cookie="") if hello.anonymous else self.connection_info
        authentication = self._authentication = await self._services.authenticate(hello.token, connection_info)
        ping_as_spectator(self._connection)
        self._services.presence.add(self)
        self.send(Welcome(VERSION, authentication.player, authentication.token, GAME_INFOS, self._services.now_ms()))
        for feature in self._services.features:
            self.deliver(feature.greet(self))

    def send(self, message: Message) -> None:
        """Send a message, without waiting."""
        self.deliver((frame_of(message),))

    def _refuse(self, refusal: Refusal, envelope: _Envelope) -> None:
        metrics.REFUSALS.labels(refusal.code.value).inc()
        self.send(Refused(refusal.code, refusal.message, envelope.id, envelope.match))

    def disconnect(self, code: Code, words: str) -> None:
        """Send the reason and start closing the connection."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(code, words))

    async def _close(self, code: Code, words: str) -> None:
        """Send a refusal for programs, and close with a reason for people."""
        metrics.DISCONNECTIONS.labels(code.value).inc()
        self._refuse(Refusal(code, words), _Envelope())
        self._flush()
        await self._connection.close(CLOSE_POLICY, words)


def _connection_info_of(connection: ServerConnection, *, is_behind_proxy: bool) -> ConnectionInfo:
    address = connection.remote_address
    headers = connection.request.headers if connection.request is not None else {}
    return read_connection_info(headers, str(address[0]) if address else "", is_behind_proxy=is_behind_proxy)


def _envelope_of(frame: str | bytes) -> _Envelope:
    try:
        return msgspec.json.decode(frame, type=_Envelope)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _Envelope()
