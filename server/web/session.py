"""A session: one connection, from `Hello` to its end.

It answers hello and pings, enforces the message limit, sends frames, and hands every other message to its route.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace

import structlog

from millrace.protocol import (
    MAX_FRAME_BYTES,
    VERSION,
    ClientMessage,
    Code,
    Hello,
    IdentityId,
    MalformedError,
    Message,
    Ping,
    Player,
    Pong,
    Refused,
    Register,
    Welcome,
    parse_client_message,
)
from millrace.protocol.frames import WireFrame, frame_of
from millrace.protocol.refusal import Refusal, require_short

from ..callers.caller import Authentication
from ..callers.feature import require_access
from ..callers.presence import Credential
from ..players.accounts.cookies import read_connection_info
from ..runtime import metrics
from .close_codes import CLOSE_INTERNAL_ERROR, CLOSE_POLICY, CLOSE_RESTART
from .connection import Connection
from .failures import Envelope, envelope_in, envelope_of, refusal_of_failure
from .game_list import GAME_INFOS
from .message_limit import MALFORMED_COST, MessageLimit
from .open_connections import COST_OF_FLOOD, REQUESTS
from .pings import PLAYER_PING_SECONDS, spectator_ping_seconds
from .session_services import SessionServices
from .timed import timed

log = structlog.get_logger()

HELLO_SECONDS = 10.0
"""Maximum time from opening a connection to its hello."""
INBOX_FRAMES = 32
"""Maximum number of waiting frames of a connection; beyond it, its socket is not read."""
SURELY_SHORT = MAX_FRAME_BYTES // 4
"""Length up to which a text is not too long, whatever its characters are."""
CLOSED_IN_ORDER = (1000, 1001)
"""Close codes of a client that leaves, and of a browser whose page is closed or left."""


class Session:
    """One connection.

    It handles messages directly when they arrive. While one is being answered, later ones wait in the inbox.
    """

    __slots__ = (
        "__weakref__",
        "_answering",
        "_authentication",
        "_connection",
        "_ending",
        "_has_ended",
        "_hello_timer",
        "_inbox",
        "_is_closing",
        "_message_limit",
        "_outbox",
        "_pending",
        "_services",
        "connection_info",
        "opened_s",
    )

    def __init__(self, connection: Connection, headers: Mapping[str, str], services: SessionServices) -> None:
        self._connection = connection
        self._services = services
        self._authentication: Authentication | None = None
        self._is_closing = False
        self._has_ended = False
        self.opened_s = connection.loop.time()
        """When the connection was opened, by the event loop's clock."""
        self.connection_info = read_connection_info(headers, connection.peer, is_behind_proxy=services.is_behind_proxy)
        """Where the connection comes from."""
        self._message_limit = MessageLimit(
            services.limits, self.connection_info.address, services.now_ms, connection.intake
        )
        self._inbox: deque[str | bytes] | None = None
        self._answering: ClientMessage | None = None
        """The message being answered."""
        self._pending: asyncio.Future[Message | None] | None = None
        """Done when the message has been answered."""
        self._ending: Refusal | None = None
        """Why to close the connection once the message has been answered."""
        self._outbox: list[WireFrame] = []
        self._hello_timer = connection.loop.call_later(HELLO_SECONDS, self._miss_hello)
        metrics.CONNECTIONS.inc()

    @property
    def identity(self) -> IdentityId:
        """The player's identity, after `Hello`."""
        assert self._authentication is not None
        return self._authentication.player.id

    @property
    def player(self) -> Player:
        """The player as others see it, after `Hello`."""
        assert self._authentication is not None
        return self._authentication.player

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
    def address(self) -> str:
        """The network of the client, for limits."""
        return self.connection_info.address

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
        """The round trip of the server's latest ping; 0 before the first answer."""
        return int(self._connection.pings.latency_s * 1000)

    @property
    def has_left(self) -> bool:
        """Whether the client closed the connection properly, as by leaving the page, rather than lost it."""
        return self._connection.close_code in CLOSED_IN_ORDER

    def expect_moves(self) -> None:
        """Ping this connection often from now on: its player's clock may run."""
        self._connection.pings.interval_seconds = PLAYER_PING_SECONDS

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in order without waiting; a client that does not read them is disconnected.

        Like `websockets.broadcast`, but a frame is encoded once for all recipients, and all frames of one turn of the
        event loop are sent in one write.
        """
        if not self._outbox:
            self._connection.loop.call_soon(self._flush)
        self._outbox += frames

    def deliver_now(self, frames: Sequence[WireFrame]) -> None:
        """Send frames at once, after waiting ones."""
        self._outbox += frames
        self._flush()

    def _flush(self) -> None:
        if not self._outbox:
            return
        outbox, self._outbox = self._outbox, []
        self._connection.send(outbox)

    def receive(self, frame: str | bytes) -> None:
        """Handle a frame, now or after earlier ones have been answered."""
        if self._is_closing:
            return
        refusal = self._message_limit.spend(1)
        if refusal is not None:
            self._close(refusal.code, refusal.message)
        elif self._inbox is None and self._pending is None and (self._message_limit.prepaid >= 0 or self._may_go_on()):
            self._handle(frame)
        else:
            self._queue(frame)

    def charge(self) -> None:
        """Count a frame that is not a message, such as a ping."""
        if self._is_closing:
            return
        refusal = self._message_limit.spend(1)
        if refusal is not None:
            self._close(refusal.code, refusal.message)
        else:
            # Pauses the connection if its address has used up its budget.
            self._may_go_on()

    def end(self) -> None:
        """Leave, after finishing the current answer."""
        self._has_ended = self._is_closing = True
        self._hello_timer.cancel()
        metrics.CONNECTIONS.dec()
        if self._pending is None:
            self._leave()

    def _queue(self, frame: str | bytes) -> None:
        if self._inbox is None:
            self._inbox = deque()
        self._inbox.append(frame)
        if len(self._inbox) >= INBOX_FRAMES:
            self._connection.intake.hold()

    def _leave(self) -> None:
        if self._authentication is not None:
            self._services.presence.remove(self)
            for feature in self._services.features:
                feature.disconnect(self)

    def _handle(self, frame: str | bytes) -> None:
        try:
            if len(frame) > SURELY_SHORT:
                require_short(frame)
            message = parse_client_message(frame)
        except MalformedError as error:
            self._refuse_frame(frame, Refusal(Code.MALFORMED, str(error)))
            return
        except Refusal as refusal:
            self._refuse_frame(frame, refusal)
            return
        try:
            answer = self._dispatch(message)
        except Refusal as refusal:
            self._refuse(refusal, envelope_of(message))
            return
        except Exception as error:
            self._refuse_failed(message, error)
            return
        if answer is not None:
            self._answering = message
            is_free = isinstance(answer, asyncio.Future) or type(message) not in self._services.answered
            self._services.answered.add(type(message))
            timed_answer = answer if is_free else timed(answer, self._message_limit.charge)
            self._pending = asyncio.ensure_future(timed_answer)
            self._pending.add_done_callback(self._answered)

    def _answered(self, answer: "asyncio.Future[Message | None]") -> None:
        """Send an answer, and handle waiting frames."""
        message, self._answering, self._pending = self._answering, None, None
        assert message is not None
        error = None if answer.cancelled() else answer.exception()
        if error is not None:
            self._refuse_failed(message, error)
        elif not answer.cancelled() and (reply := answer.result()) is not None:
            self.send(reply)
        if self._ending is not None:
            self.disconnect(self._ending.code, self._ending.message)
        if self._has_ended:
            self._leave()
        elif self._inbox is not None:
            if self._connection.intake.is_busy:
                self._connection.intake.backlog.add(self.connection_info.address, self.go_on)
            else:
                self._handle_inbox(self._inbox)

    def _refuse_failed(self, message: ClientMessage, error: BaseException) -> None:
        """Refuse a message whose answer failed; close the connection if no refusal could put it right.

        That is so after a fault of the server if the client does not learn from the refusal what was refused, or if the
        connection's player may be half changed.
        """
        ids = {} if self._authentication is None else {"player": self.identity}
        refusal, envelope = refusal_of_failure(message, error, ids), envelope_of(message)
        if refusal.code is Code.INTERNAL_ERROR:
            self._message_limit.spend(MALFORMED_COST)
            if isinstance(message, Hello | Register) or not envelope.names_anything:
                self._is_closing = True
                self._connection.close(CLOSE_INTERNAL_ERROR, refusal.message)
                return
        self._refuse(refusal, envelope)

    def _may_go_on(self) -> bool:
        """Return whether the address may have another message handled; if not, pause this connection."""
        return self._message_limit.prepaid >= 0 or self._message_limit.prepay()

    def go_on(self) -> None:
        """Handle messages that waited during a pause."""
        if self._inbox is not None and self._pending is None:
            self._handle_inbox(self._inbox)

    def _handle_inbox(self, inbox: deque[str | bytes]) -> None:
        while inbox and self._pending is None and not self._is_closing and self._may_go_on():
            self._handle(inbox.popleft())
        if not inbox:
            self._inbox = None
            self._connection.intake.resume()

    def _dispatch(self, message: ClientMessage) -> Awaitable[Message | None] | None:
        """Start to answer a message; None if it has been answered. Raises: Refusal."""
        if isinstance(message, Hello):
            return self._greet(message)
        if self._authentication is None:
            raise Refusal(Code.HELLO_FIRST, "The first message of a connection must be hello.")
        if isinstance(message, Ping):
            self.send(Pong(message.nonce, self._services.now_ms()))
            return None
        route = self._services.routes[type(message)]
        if route.feature is not None:
            self._services.site_rules.require_on(route.feature, self._authentication.player)
        if self._authentication.is_api:
            require_access(route.access, self._authentication)
        if route.cost != 1:
            self._message_limit.spend(route.cost - 1)
        return route.handle(message, self)

    async def _greet(self, hello: Hello) -> None:
        if hello.version != VERSION:
            self._close(Code.UNSUPPORTED_VERSION, f"This server speaks version {VERSION} of the protocol.")
            return
        if self._authentication is not None:
            raise Refusal(Code.HELLO_FIRST, "This connection has said hello already.")
        connection_info = replace(self.connection_info, cookie="") if hello.anonymous else self.connection_info
        with self._services.presence.arriving() as ended:
            authentication = self._authentication = await self._services.authenticate(hello.token, connection_info)
        self._hello_timer.cancel()
        try:
            self._services.site_rules.require_unblocked(self.address)
            self._connection.note_hello()
        except Refusal as refusal:
            self._close(refusal.code, refusal.message)
            return
        self._connection.pings.interval_seconds = spectator_ping_seconds()
        for each in ended:
            if each.identity == self.identity and each.sessions.is_met(self):
                self.disconnect(each.code, each.explanation)
                return
        self._services.presence.add(self)
        self.send(Welcome(VERSION, authentication.player, authentication.token, GAME_INFOS, self._services.now_ms()))
        for feature in self._services.features:
            self.deliver(feature.greet(self))

    def send(self, message: Message) -> None:
        """Send a message, without waiting."""
        self.deliver((frame_of(message),))

    def _refuse_frame(self, frame: str | bytes, refusal: Refusal) -> None:
        self._message_limit.spend(MALFORMED_COST)
        self._refuse(refusal, envelope_in(frame))

    def _refuse(self, refusal: Refusal, envelope: Envelope) -> None:
        metrics.REFUSALS.labels(refusal.code.value).inc()
        is_plain = len(refusal.wording) == 1 and not refusal.wording[0].values
        wording = () if is_plain else refusal.wording
        self.send(Refused(refusal.code, refusal.message, envelope.id, envelope.match, wording))

    def _miss_hello(self) -> None:
        """Close a connection without a hello; if a hello is being answered, allow more time."""
        if self._pending is not None:
            self._hello_timer = self._connection.loop.call_later(HELLO_SECONDS, self._miss_hello)
        elif self._authentication is None:
            self.disconnect(Code.HELLO_FIRST, f"Say hello within {HELLO_SECONDS:g} s of connecting.")

    def disconnect(self, code: Code, words: str) -> None:
        """Send the reason and start closing the connection; after the answer, if the message being answered does so."""
        if self._pending is not None and self._pending is asyncio.current_task():
            self._ending = Refusal(code, words)
        elif not self._is_closing:
            self._close(code, words)

    def send_elsewhere(self) -> bool:
        """Close the connection so that the client opens another one, perhaps to another node, unless a message is
        being answered; return whether it is closed."""
        if self._is_closing or self._pending is not None:
            return False
        self._is_closing = True
        self._flush()
        self._connection.close(CLOSE_RESTART, "You are moved to another server; your match is safe.")
        return True

    def _close(self, code: Code, words: str) -> None:
        """Send a refusal for programs, and close with a reason for people."""
        self._is_closing = True
        is_flood = code is Code.TOO_FAST
        if is_flood:
            self._services.limits.use_at(REQUESTS, self.connection_info.address, COST_OF_FLOOD)
        metrics.DISCONNECTIONS.labels(code.value).inc()
        self._refuse(Refusal(code, words), Envelope())
        self._flush()
        (self._connection.cut_off if is_flood else self._connection.close)(CLOSE_POLICY, words)
