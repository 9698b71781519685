"""A server's connection to a cluster's scheduler: it sends requests and receives answers and the status.

It ends when the scheduler dies, is silent for `SILENCE_SECONDS`, or receives nothing for as long.
`server.bots.dask.cluster_bots` then opens another one.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Self

from distributed.batched import BatchedSend
from distributed.comm import Comm, CommClosedError, connect
from distributed.security import Security

from ..requests import BotRequest
from ..worker_process import Answer, RequestMethod
from .messages import (
    VERSION,
    Answered,
    Ask,
    Failed,
    FromScheduler,
    FromServer,
    Refused,
    Status,
    Withdraw,
    decode_answer,
    decode_from_scheduler,
    encode,
    error_of,
)

CONNECT_SECONDS = 3
"""Time to connect."""

SILENCE_SECONDS = 3
"""Silence after which the scheduler counts as dead. It sends its status twice a second."""


class LinkLostError(Exception):
    """There is no connection to the scheduler, or it has ended. The message is for the operator."""


class SchedulerLink:
    """A connection to the scheduler."""

    def __init__(self, comm: Comm) -> None:
        self._comm = comm
        self._requests = BatchedSend(interval="1ms")
        self._requests.start(comm)
        self._numbers = count()
        self._answers: dict[int, asyncio.Future[Answered | Failed]] = {}
        self._sent = 0
        self._received = 0
        """How many of the sent messages have arrived."""
        self._received_at_s = 0.0
        """When the last one arrived, or none was on its way."""

    @classmethod
    async def open(cls, address: str) -> Self:
        """Connect to a scheduler. Raises: LinkLostError."""
        try:
            arguments = Security().get_connection_args("client")
            comm = await connect(address, timeout=CONNECT_SECONDS, deserialize=False, **arguments)
            await comm.write({"op": "millrace_bots", "version": VERSION, "reply": False})
        except (OSError, TypeError, ValueError) as error:
            raise LinkLostError(f"There is no Dask scheduler at {address}: {error}") from error
        return cls(comm)

    async def listen(self, note_status: Callable[[Status], None]) -> None:
        """Handle the scheduler's messages until the connection ends. Raises: LinkLostError, always."""
        try:
            while True:
                # Not `wait_for`, which may swallow the cancellation of this task when a message has just come.
                async with asyncio.timeout(SILENCE_SECONDS):
                    messages = await self._comm.read()
                for message in messages:
                    self._take(decode_from_scheduler(message), note_status)
        except TimeoutError as error:
            raise LinkLostError(f"The scheduler has been silent for {SILENCE_SECONDS} s.") from error
        except OSError as error:
            raise LinkLostError(f"The connection to the scheduler has ended: {error}") from error

    async def ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return the answer to a request. Raises: LinkLostError if the connection ends first; the search's error.

        Cancelling this task withdraws the request.
        """
        number = next(self._numbers)
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            self._send(Ask(number, method.__name__, request))
            reply = await future
        except asyncio.CancelledError:
            with suppress(LinkLostError):
                self._send(Withdraw(number))
            raise
        finally:
            del self._answers[number]
        if isinstance(reply, Failed):
            raise error_of(reply.error, reply.words)
        answer: Answer = decode_answer(method.__name__, reply.answer)
        return answer

    def close(self) -> None:
        """End the connection. Unanswered requests raise LinkLostError."""
        self._requests.abort()
        self.give_up()

    def give_up(self) -> None:
        """Let all pending requests raise LinkLostError, and withdraw them."""
        for number, future in self._answers.items():
            if not future.done():
                with suppress(LinkLostError):
                    self._send(Withdraw(number))
                future.set_exception(LinkLostError("The request was given up."))

    def _send(self, message: FromServer) -> None:
        try:
            self._requests.send(encode(message))
            self._sent += 1
        except CommClosedError as error:
            raise LinkLostError("The connection to the scheduler has ended.") from error

    def _require_received(self, status: Status) -> None:
        """Raises: LinkLostError if what is sent has not arrived for a while, although the scheduler's messages do."""
        now_s = asyncio.get_running_loop().time()
        if status.received is None or status.received == self._sent or status.received > self._received:
            self._received, self._received_at_s = status.received or 0, now_s
        elif now_s - self._received_at_s > SILENCE_SECONDS:
            raise LinkLostError(f"The scheduler has received nothing for {SILENCE_SECONDS} s.")

    def _take(self, message: FromScheduler, note_status: Callable[[Status], None]) -> None:
        """Handle a message. Raises: LinkLostError if the scheduler refuses this server."""
        match message:
            case Status():
                self._require_received(message)
                note_status(message)
            case Refused(words):
                raise LinkLostError(words)
            case _ if (future := self._answers.get(message.number)) is not None and not future.done():
                future.set_result(message)
