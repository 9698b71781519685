"""A connection: one client's socket, as an asyncio protocol around websockets' sans-I/O core.

It handles requests, frames, pings and closing, not messages. It passes each frame on directly, without a task or a
queue per connection: that takes a third of the processor time and memory (`python -m benchmarks.server --baseline`).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache, partial
from http import HTTPStatus
from typing import cast

from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from millrace.protocol import MOST_READ_BYTES
from millrace.protocol.frames import WireFrame

from .backlog import Backlog
from .close_codes import CLOSE_INTERNAL_ERROR, CLOSE_INVALID_TEXT, CLOSE_TOO_BIG
from .connection_users import Host, Receiver
from .exchange import Exchange
from .fragments import Fragments, TooManyFragmentsError
from .intake import SLICE_BYTES, Intake
from .outboxes import Outboxes
from .pings import PONG_SECONDS, Pings
from .requests import BadRequestError

OPEN_SECONDS = 10.0
"""Maximum time for a client to send its request."""
CLOSE_SECONDS = 2.0
"""Maximum time for a client to close its side; then the connection is cut."""

UNKNOWN_ADDRESS = "unknown address"
"""Of a client that is gone before it could be asked for."""


class Connection(asyncio.Protocol):
    """One client's socket."""

    __slots__ = (
        "_backlog",
        "_core",
        "_exchange",
        "_fragments",
        "_host",
        "_is_ending",
        "_outboxes",
        "_receiver",
        "_timer",
        "_transport",
        "_waiting",
        "address",
        "intake",
        "is_flooding",
        "is_slow",
        "loop",
        "peer",
        "pings",
    )

    def __init__(self, host: Host, outboxes: Outboxes, backlog: Backlog) -> None:
        self._host = host
        self._outboxes = outboxes
        self._backlog = backlog
        self._core: ServerProtocol | None = None
        """Reads and writes frames; None until the socket is open."""
        self.loop = asyncio.get_running_loop()
        """Asking for it costs a system call before Python 3.12, too much for each frame."""
        self._transport: asyncio.Transport
        self._exchange = Exchange()
        """The request and its answer, unless it opens a socket."""
        self._receiver: Receiver | None = None
        self._waiting: list[str | bytes] | None = None
        """Messages that arrived before there was a receiver."""
        self._fragments: Fragments | None = None
        """Those of an unfinished message."""
        self._timer: asyncio.TimerHandle | None = None
        """The deadline for the request, the next ping, the deadline for its answer, or that for closing."""
        self._is_ending = False
        """Whether the timer is the deadline for closing, which no arriving data postpones."""
        self.intake: Intake
        """Arrived data, and whether more is read."""
        self.pings = Pings()
        self.peer = ""
        """The address of the other end."""
        self.address = ""
        """The client's network, for limits: behind a proxy it is known once the request has arrived."""
        self.is_flooding = False
        """Whether its address was beyond the limit on requests when it connected."""
        self.is_slow = False
        """Whether much data waits because the client does not read fast enough."""

    @property
    def is_open(self) -> bool:
        """Whether frames can be sent."""
        return self._core is not None and self._core.state is State.OPEN and not self._transport.is_closing()

    @property
    def is_head(self) -> bool:
        """Whether only the headers of the answer are sent."""
        return self._exchange.is_head

    @property
    def close_code(self) -> int | None:
        """The client's close code; None while the connection is open."""
        return self._core.close_code if self._core is not None else None

    @property
    def unsent_bytes(self) -> int:
        """The amount of data waiting for a client that does not read."""
        return self._transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the request."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport is not one of asyncio's classes
        self.intake = Intake(self, self._transport, self.loop, self._backlog)
        address = transport.get_extra_info("peername")
        self.peer = str(address[0]) if address else UNKNOWN_ADDRESS
        self._set_timer(OPEN_SECONDS, self._time_out)
        self._host.begin(self)

    def pause_writing(self) -> None:
        """Note that more data waits than the system accepts at once."""
        self.is_slow = True
        self._outboxes.begin(self)

    def resume_writing(self) -> None:
        """Note that almost all waiting data is sent."""
        self.is_slow = False
        self._outboxes.end(self)
        self._exchange.go_on()

    def data_received(self, data: bytes) -> None:
        """Handle arrived data, in slices if it is much, so that no client delays the others."""
        intake = self.intake
        if intake.rest or intake.is_busy or intake.is_throttled or len(data) > SLICE_BYTES:
            intake.keep(data)
        else:
            self.take(data)

    def take(self, data: bytes) -> None:
        """Handle a slice of arrived data."""
        if self._core is None:
            self._read_request(data)
        else:
            self._core.receive_data(data)
            self._advance(self._core)

    def end_pause(self) -> None:
        """Let the receiver handle messages that waited during a pause."""
        if self._receiver is not None:
            self._receiver.go_on()

    def eof_received(self) -> bool:
        """Handle the end of arriving data; return whether an answer is being sent and the transport stays open."""
        self.intake.drop()
        if self._core is not None:
            self._core.receive_eof()
            self._advance(self._core)
            return False
        if not self._exchange.is_read:
            self._break_off(BadRequestError("The request ended before its headers were complete."))
        # A client may end its side as soon as it has asked.
        return self._exchange.is_open

    def connection_lost(self, _: Exception | None) -> None:
        """End the connection."""
        if self._core is not None:
            self._core.receive_eof()
        self._cancel_timer()
        self._outboxes.end(self)
        self.intake.close()
        self._exchange.go_on()
        self._host.remove(self)
        if self._receiver is not None:
            self._receiver.end()
            self._receiver = None

    def accept(self, request: Request) -> bool:
        """Upgrade to a WebSocket, or answer with the reason; return whether the request allows it."""
        if self._transport.is_closing():
            return False
        core = ServerProtocol(state=State.OPEN, max_size=MOST_READ_BYTES, logger=_quiet_logger())
        response = core.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self.respond(response)
            return False
        self._core = core
        self._transport.write(response.serialize())
        self._set_timer(self.pings.interval_seconds, partial(self._send_ping, core))
        return True

    def respond(self, response: Response) -> None:
        """Answer a request, and close the connection."""
        if self._exchange.answer(self._transport, response):
            self._end_after_answer()

    async def respond_in_parts(self, head: Response, parts: AsyncIterator[bytes]) -> None:
        """Answer a request with a body that is sent as fast as the client reads, and close the connection.

        If the parts raise an error, the connection is cut.
        """
        try:
            if await self._exchange.answer_in_parts(self._transport, head, parts, lambda: self.is_slow):
                self._end_after_answer()
        except BaseException:
            self.abort()
            raise

    def open(self, receiver: Receiver) -> None:
        """Pass frames to a receiver, beginning with those that have waited."""
        self._receiver = receiver
        waiting, self._waiting = self._waiting, None
        for message in waiting or ():
            receiver.receive(message)
        self.intake.resume()

    def note_hello(self) -> None:
        """Note that the player has said hello."""
        self._host.note_hello(self)

    def send(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in one write; do nothing if the connection is not open."""
        if self.is_open:
            self._transport.writelines(frames)
            if self.is_slow:
                self._outboxes.check(self)

    def close(self, code: int, reason: str) -> None:
        """Close the connection with a reason; cut it if the client does not answer."""
        if self._core is not None and self._core.state is State.OPEN:
            self._core.send_close(code, reason)
            self._send(self._core)
        elif self._core is None and self._timer is not None:
            self.abort()  # It has not sent its request yet.
        else:
            self._end_soon()

    def cut_off(self, code: int, reason: str) -> None:
        """Close the connection of a client that floods, and handle nothing more of what it sends."""
        self.close(code, reason)
        self.intake.drop()
        self.intake.hold()
        self._end_soon()

    def abort(self) -> None:
        """Cut the connection."""
        self._transport.abort()

    def _read_request(self, data: bytes) -> None:
        """Have the request answered as soon as its headers have arrived."""
        try:
            request = self._exchange.read(data)
        except BadRequestError as error:
            self._refuse(error)
            return
        if request is None:
            return
        self._cancel_timer()
        self._host.answer(self, request)
        if self._core is not None and self._exchange.rest:
            self._core.receive_data(self._exchange.rest)
            self._advance(self._core)

    def _refuse(self, error: BadRequestError) -> None:
        self._cancel_timer()
        self._host.refuse(self, error)

    def _time_out(self) -> None:
        text = f"The request did not arrive completely within {OPEN_SECONDS:.0f} seconds."
        self._break_off(BadRequestError(text, HTTPStatus.REQUEST_TIMEOUT))

    def _break_off(self, error: BadRequestError) -> None:
        """Refuse a request of which only a part has arrived; cut the connection if nothing has."""
        if self._exchange.stop():
            self._refuse(error)
        else:
            self.abort()

    def _advance(self, core: ServerProtocol) -> None:
        """Handle what the core has parsed, and send its answers."""
        for event in core.events_received():
            if isinstance(event, Frame):
                self._receive(core, event)
        self._send(core)

    def _receive(self, core: ServerProtocol, frame: Frame) -> None:
        if frame.opcode in DATA_OPCODES:
            self._receive_data(core, frame)
        elif frame.opcode is Opcode.PONG and self.pings.is_answer(frame.data):
            self._set_timer(self.pings.note_answer(self.loop.time()), partial(self._send_ping, core))
        elif self._receiver is not None and frame.opcode is not Opcode.CLOSE:
            self._receiver.charge()

    def _receive_data(self, core: ServerProtocol, frame: Frame) -> None:
        if core.state is not State.OPEN:
            return
        if not frame.fin or frame.opcode is Opcode.CONT:
            whole = self._join(core, frame)
            if whole is None:
                return
            frame = whole
        data = bytes(frame.data)
        try:
            message = data.decode() if frame.opcode is Opcode.TEXT else data
        except UnicodeDecodeError as error:
            core.fail(CLOSE_INVALID_TEXT, f"{error.reason} at position {error.start}")
            return
        if self._receiver is not None:
            self._receiver.receive(message)
        else:
            self._waiting = [*(self._waiting or ()), message]
            self.intake.hold()

    def _join(self, core: ServerProtocol, frame: Frame) -> Frame | None:
        """Add a fragment of a message; return the message once it is complete."""
        if self._fragments is None:
            self._fragments = Fragments()
        try:
            whole = self._fragments.join(frame)
        except TooManyFragmentsError as error:
            core.fail(CLOSE_TOO_BIG, str(error))
            return None
        if whole is not None:
            self._fragments = None
        elif self._receiver is not None:
            self._receiver.charge()
        return whole

    def _send(self, core: ServerProtocol) -> None:
        """Send the core's output; its end closes this side."""
        for data in core.data_to_send():
            if self._transport.is_closing():
                break
            if data:
                self._transport.write(data)
            else:
                self._transport.write_eof()
                self.intake.resume()  # to see the other side close
        if core.close_expected():
            self._end_soon()

    def _send_ping(self, core: ServerProtocol) -> None:
        if not self.is_open:
            return
        core.send_ping(self.pings.begin(self.loop.time()))
        self._set_timer(PONG_SECONDS, partial(self._give_up, core))
        self._send(core)

    def _give_up(self, core: ServerProtocol) -> None:
        """Close the connection of a client that does not answer pings, unless nothing is read from it at present."""
        if self.intake.is_paused:
            self._set_timer(PONG_SECONDS, partial(self._give_up, core))
            return
        core.fail(CLOSE_INTERNAL_ERROR, "keepalive ping timeout")
        self._send(core)

    def _end_after_answer(self) -> None:
        self.intake.resume()  # to see the other side close
        self._end_soon()

    def _end_soon(self) -> None:
        """Cut the connection unless the client closes its side in time."""
        self._set_timer(CLOSE_SECONDS, self.abort)
        self._is_ending = True

    def _set_timer(self, seconds: float, call: Callable[[], None]) -> None:
        if self._is_ending:
            return
        self._cancel_timer()
        self._timer = self.loop.call_later(seconds, call)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


@cache
def _quiet_logger() -> logging.Logger:
    """Return the logger for websockets without tracebacks of failed handshakes, which any stranger can cause."""
    logger = logging.getLogger("millrace.websockets")
    logger.setLevel(logging.CRITICAL)
    return logger
