"""One connection to Redis, for sending and receiving. It detects within 1.5 s that Redis is gone, and then ends.

`server.cluster.redis_bus` reconnects: redis-py's own reconnection is switched off, because it would hide missed events
and might send events twice.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError

from .outgoing import Outgoing
from .redis_address import RedisAddress
from .redis_channels import RedisChannels

OPEN_SECONDS = 2.0
"""Maximum time to connect and to subscribe."""
CLOSE_SECONDS = 0.5
TICK_SECONDS = 0.1
MAX_SILENT_TICKS = 10
"""Ticks without an answer after which Redis counts as gone. Unlike time, ticks stop when this process is suspended."""
ECHO_SECONDS = 0.4
"""Interval of messages to this node itself, which show that Redis delivers messages."""
ECHO = b""
"""The content of such a message."""


class ConnectionLostError(Exception):
    """Redis cannot be reached, stopped answering or refused something; the text says what."""


class RedisConnection:
    """A connection from `run` to the error that ends it; then it is closed."""

    def __init__(self, address: RedisAddress, own_channel: str, outgoing: Outgoing) -> None:
        self._own_channel = own_channel
        self._outgoing = outgoing
        self._redis = Redis.from_url(
            address.url,
            protocol=2,  # sufficient here, and supported by every version of Redis and Valkey
            retry=Retry(NoBackoff(), 0, supported_errors=()),
            socket_connect_timeout=OPEN_SECONDS,
            socket_timeout=None,
        )
        self._pubsub = self._redis.pubsub()
        self.channels = RedisChannels(self._pubsub)
        self._silent_ticks = 0
        self._sending_ticks = 0
        """Ticks since the current batch was started, or 0."""
        self._unconfirmed_ticks = 0
        """Ticks since all channels were confirmed."""
        self._is_sending = False

    async def run(self, receive: Callable[[bytes], None], opened: Callable[[], None]) -> None:
        """Connect, subscribe, call `opened`, then send and receive. Raises: ConnectionLostError."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async with asyncio.timeout(OPEN_SECONDS):
                    await self._redis.ping()
                    self.channels.want([self._own_channel])
                    tasks.create_task(self.channels.change())
                    tasks.create_task(self.channels.receive(lambda payload: self._received(payload, receive)))
                    await self.channels.wait_for_all()
                opened()
                for task in (self._send(), self._echo(), self._watch()):
                    tasks.create_task(task)
        except ExceptionGroup as group:
            failures, faults = group.split((RedisError, OSError, TimeoutError, ConnectionLostError))
            if faults is not None:
                raise
            assert failures is not None
            raise ConnectionLostError(_in_words(failures.exceptions[0])) from group

    async def close(self) -> None:
        """Disconnect, without waiting for Redis."""
        self.channels.close()
        with suppress(RedisError, OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._pubsub.aclose()  # type: ignore[no-untyped-call]
                await self._redis.aclose()

    def _received(self, payload: bytes, receive: Callable[[bytes], None]) -> None:
        self._silent_ticks = 0
        if payload != ECHO:
            receive(payload)

    async def _send(self) -> None:
        # A pipeline without its overhead: half the processor time for a single event.
        connection = await self._redis.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        while True:
            batch = await self._outgoing.take()
            self._is_sending = True
            await connection.send_packed_command(connection.pack_commands(("PUBLISH", *each) for each in batch))
            for _ in batch:
                await connection.read_response()
            self._outgoing.confirm()
            self._is_sending, self._sending_ticks = False, 0

    async def _echo(self) -> None:
        while True:
            await self._redis.publish(self._own_channel, ECHO)
            await asyncio.sleep(ECHO_SECONDS)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self._silent_ticks += 1
            self._sending_ticks += self._is_sending
            self._unconfirmed_ticks = self._unconfirmed_ticks + 1 if self.channels.is_unconfirmed else 0
            if max(self._silent_ticks, self._sending_ticks, self._unconfirmed_ticks) > MAX_SILENT_TICKS:
                raise ConnectionLostError("it does not answer")


def _in_words(error: Exception) -> str:
    match error:
        case AuthenticationError():
            return f"it refuses the user or the password ({error})"
        case TimeoutError():
            return "it does not answer"
        case RedisConnectionError() | OSError():
            return f"it cannot be reached ({error})"
        case _:
            return str(error)
