"""A connection: one client's socket, as an asyncio protocol around websockets' sans-I/O core.

It handles requests, frames, pings and closing, not messages. It passes each frame on directly, without a task or a
queue per connection: that takes a third of the processor time and memory (`python -m benchmarks.server --baseline`).
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Protocol, cast

from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from millrace.protocol import MAX_FRAME_BYTES
from millrace.protocol.frames import WireFrame

from .chunked_body import ChunkedBody
from .intake import SLICE_BYTES, Intake
from .outboxes import Outboxes
from .pings import PLAYER_PING_SECONDS, PONG_SECONDS
from .requests import BadRequestError, RequestReader, opens_socket

OPEN_SECONDS = 10.0
"""Maximum time for a client to send its request."""
CLOSE_SECONDS = 2.0
"""Maximum time for a client to close its side; then the connection is cut."""
CLOSE_INVALID_TEXT = 1007
CLOSE_TOO_BIG = 1009
CLOSE_INTERNAL_ERROR = 1011
MAX_FRAGMENTS = 128
"""Maximum frames of a message; or empty fragments could pile up forever."""


class Receiver(Protocol):
    """Receives the frames of an open connection."""

    def receive(self, frame: str | bytes) -> None:
        """Handle a text or binary message."""

    def go_on(self) -> None:
        """Handle messages that waited during a pause."""

    def charge(self) -> None:
        """Count a frame that is not a message: a ping, or a part of a message."""

    def end(self) -> None:
        """Note that the connection has ended."""


class Host(Protocol):
    """The web server that a connection belongs to."""

    def begin(self, connection: "Connection") -> None:
        """Admit a new connection, or cut it."""

    def answer(self, connection: "Connection", request: Request) -> None:
        """Answer a request with `accept` or `respond`, now or later."""

    def refuse(self, connection: "Connection", error: BadRequestError) -> None:
        """Answer a request that cannot be read."""

    def note_hello(self, connection: "Connection") -> None:
        """Note that the player has said hello."""

    def remove(self, connection: "Connection") -> None:
        """Forget a connection that has ended."""


class Connection(asyncio.Protocol):
    """One client's socket."""

    __slots__ = (
        "_body",
        "_core",
        "_fragments",
        "_host",
        "_is_answered",
        "_is_ending",
        "_outboxes",
        "_ping",
        "_pinged_at",
        "_reader",
        "_receiver",
        "_timer",
        "_transport",
        "_waiting",
        "address",
        "intake",
        "is_flooding",
        "is_head",
        "is_slow",
        "latency_s",
        "loop",
        "peer",
        "ping_seconds",
    )

    def __init__(self, host: Host, outboxes: Outboxes) -> None:
        self._host = host
        self._outboxes = outboxes
        self._core = ServerProtocol(max_size=MAX_FRAME_BYTES, logger=_quiet_logger())
        self.loop = asyncio.get_running_loop()
        """Asking for it costs a system call before Python 3.12, too much for each frame."""
        self._transport: asyncio.Transport
        self._reader: RequestReader | None = RequestReader()
        """Reads the request; None once it has opened a socket. All that follows another request is dropped."""
        self._receiver: Receiver | None = None
        self._waiting: list[str | bytes] | None = None
        """Messages that arrived before there was a receiver."""
        self._fragments: list[Frame] | None = None
        """The frames of an unfinished message."""
        self._timer: asyncio.TimerHandle | None = None
        """The deadline for the request, the next ping, the deadline for its answer, or that for closing."""
        self._is_answered = False
        self._is_ending = False
        """Whether the timer is the deadline for closing, which no arriving data postpones."""
        self._body: ChunkedBody | None = None
        """The body of an answer that is being sent in chunks."""
        self.intake: Intake
        """Arrived data, and whether more is read."""
        self._ping = b""
        self._pinged_at = 0.0
        self.ping_seconds = PLAYER_PING_SECONDS
        """The interval of pings, from the next one on."""
        self.latency_s = 0.0
        """The round trip of the latest ping; 0 before the first answer."""
        self.peer = ""
        """The address of the other end."""
        self.address = ""
        """The client's network, for limits: behind a proxy it is known once the request has arrived."""
        self.is_flooding = False
        """Whether its address was beyond the limit on requests when it connected."""
        self.is_head = False
        """Whether only the headers of the answer are sent."""
        self.is_slow = False
        """Whether much data waits because the client does not read fast enough."""

    @property
    def is_open(self) -> bool:
        """Whether frames can be sent."""
        return self._core.state is State.OPEN and not self._transport.is_closing()

    @property
    def close_code(self) -> int | None:
        """The client's close code; None while the connection is open."""
        return self._core.close_code

    @property
    def unsent_bytes(self) -> int:
        """The amount of data waiting for a client that does not read."""
        return self._transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the request."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport is not one of asyncio's classes
        self.intake = Intake(self, self._transport, self.loop)
        address = transport.get_extra_info("peername")
        self.peer = str(address[0]) if address else ""
        self._set_timer(OPEN_SECONDS, self.abort)
        self._host.begin(self)

    def pause_writing(self) -> None:
        """Note that more data waits than the system accepts at once."""
        self.is_slow = True
        self._outboxes.begin(self)

    def resume_writing(self) -> None:
        """Note that almost all waiting data is sent."""
        self.is_slow = False
        self._outboxes.end(self)
        if self._body is not None:
            self._body.go_on()

    def data_received(self, data: bytes) -> None:
        """Handle arrived data, in slices if it is much, so that no client delays the others."""
        intake = self.intake
        if intake.rest or intake.is_throttled or len(data) > SLICE_BYTES:
            intake.keep(data)
        elif self._reader is None:
            self._core.receive_data(data)
            self._advance()
        else:
            self._read_request(self._reader, data)

    def take(self, data: bytes) -> None:
        """Handle a slice of arrived data."""
        if self._reader is None:
            self._core.receive_data(data)
            self._advance()
        else:
            self._read_request(self._reader, data)

    def end_pause(self) -> None:
        """Let the receiver handle messages that waited during a pause."""
        if self._receiver is not None:
            self._receiver.go_on()

    def eof_received(self) -> bool:
        """Handle the end of arriving data; return whether an answer is being sent and the transport stays open."""
        self.intake.drop()
        if self._reader is not None:
            # A client may end its side as soon as it has asked.
            return self._reader.is_done and (self._body is not None or not self._is_answered)
        self._core.receive_eof()
        self._advance()
        return False

    def connection_lost(self, _: Exception | None) -> None:
        """End the connection."""
        self._core.receive_eof()
        self._cancel_timer()
        self._outboxes.end(self)
        self.intake.close()
        if self._body is not None:
            self._body.go_on()
        self._host.remove(self)
        if self._receiver is not None:
            self._receiver.end()
            self._receiver = None

    def accept(self, request: Request) -> bool:
        """Upgrade to a WebSocket, or answer with the reason; return whether the request allows it."""
        if self._core.state is not State.CONNECTING or self._transport.is_closing():
            return False
        response = self._core.accept(request)
        self._core.send_response(response)
        is_accepted = response.status_code == 101
        if is_accepted:
            self._set_timer(self.ping_seconds, self._send_ping)
        self._send()
        return is_accepted

    def respond(self, response: Response) -> None:
        """Answer a request, and close the connection."""
        self._is_answered = True
        if self._core.state is State.CONNECTING and not self._transport.is_closing():
            self._core.send_response(replace(response, body=b"") if self.is_head else response)
            self._send()

    async def respond_in_chunks(self, head: Response, parts: AsyncIterator[bytes]) -> None:
        """Answer a request with a body in chunks (RFC 9112, 7.1), as fast as the client reads, and close the
        connection. If the parts raise an error, the body ends without its last chunk."""
        self._is_answered = True
        if self._core.state is not State.CONNECTING or self._transport.is_closing():
            return
        self._core.send_response(head)
        self._body = ChunkedBody(self._transport, lambda: self.is_slow)
        self._transport.write(b"".join(self._core.data_to_send()))  # the end follows the last chunk
        try:
            if await self._body.send(parts):
                self.intake.resume()  # to see the other side close
                self._end_soon()
        except BaseException:
            self.abort()
            raise
        finally:
            self._body = None

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
        if self._core.state is State.OPEN:
            self._core.send_close(code, reason)
            self._send()
        elif self._core.state is State.CONNECTING and self._timer is not None:
            self.abort()  # It has not sent its request yet.
        else:
            self._end_soon()

    def abort(self) -> None:
        """Cut the connection."""
        self._transport.abort()

    def _read_request(self, reader: RequestReader, data: bytes) -> None:
        """Have the request answered as soon as its headers have arrived."""
        try:
            request = reader.receive(data)
        except BadRequestError as error:
            self._cancel_timer()
            self._host.refuse(self, error)
            return
        if request is None:
            return
        if opens_socket(request):
            self._reader = None
            self._core.receive_data(reader.arrived)
            self._advance()
        else:
            self._cancel_timer()
            self._host.answer(self, request)

    def _advance(self) -> None:
        """Handle what the core has parsed, and send its answers."""
        for event in self._core.events_received():
            if isinstance(event, Frame):
                self._receive(event)
            elif isinstance(event, Request):
                self._cancel_timer()
                self._host.answer(self, event)
        self._send()

    def _receive(self, frame: Frame) -> None:
        if frame.opcode in DATA_OPCODES:
            self._receive_data(frame)
        elif frame.opcode is Opcode.PONG and frame.data == self._ping and self._ping:
            self._ping = b""
            self.latency_s = self.loop.time() - self._pinged_at
            self._set_timer(max(0.0, self.ping_seconds - self.latency_s), self._send_ping)
        elif self._receiver is not None and frame.opcode is not Opcode.CLOSE:
            self._receiver.charge()

    def _receive_data(self, frame: Frame) -> None:
        if self._core.state is not State.OPEN:
            return
        data, opcode = bytes(frame.data), frame.opcode
        if not frame.fin or opcode is Opcode.CONT:
            self._fragments = [*(self._fragments or ()), frame]
            if len(self._fragments) > MAX_FRAGMENTS:
                self._core.fail(CLOSE_TOO_BIG, f"a message has at most {MAX_FRAGMENTS} parts")
                return
            if not frame.fin:
                if self._receiver is not None:
                    self._receiver.charge()
                return
            data, opcode = b"".join(each.data for each in self._fragments), self._fragments[0].opcode
            self._fragments = None
        try:
            message = data.decode() if opcode is Opcode.TEXT else data
        except UnicodeDecodeError as error:
            self._core.fail(CLOSE_INVALID_TEXT, f"{error.reason} at position {error.start}")
            return
        if self._receiver is not None:
            self._receiver.receive(message)
        else:
            self._waiting = [*(self._waiting or ()), message]
            self.intake.hold()

    def _send(self) -> None:
        """Send the core's output; its end closes this side."""
        for data in self._core.data_to_send():
            if self._transport.is_closing():
                break
            if data:
                self._transport.write(data)
            else:
                self._transport.write_eof()
                self.intake.resume()  # to see the other side close
        if self._core.close_expected() and self._body is None:
            self._end_soon()

    def _send_ping(self) -> None:
        if not self.is_open:
            return
        self._ping, self._pinged_at = random.randbytes(4), self.loop.time()
        self._core.send_ping(self._ping)
        self._set_timer(PONG_SECONDS, self._give_up)
        self._send()

    def _give_up(self) -> None:
        """Close the connection of a client that does not answer pings."""
        self._core.fail(CLOSE_INTERNAL_ERROR, "keepalive ping timeout")
        self._send()

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


def _quiet_logger() -> logging.Logger:
    """Return a logger for websockets without tracebacks of failed handshakes, which any stranger can cause."""
    logger = logging.getLogger("millrace.websockets")
    logger.setLevel(logging.CRITICAL)
    return logger
