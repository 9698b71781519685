"""Delivers one message to one push service (RFC 8030), over its own connection."""

import asyncio
import hashlib
import os
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple
from urllib.parse import urlsplit

import structlog
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

from ...runtime.tls import client_tls
from .encryption import SALT_BYTES, BrowserKeys, encrypt, format_base64
from .endpoints import BadEndpointError, parse_endpoint, resolve
from .server_keys import ServerKey

log = structlog.get_logger()

TIMEOUT_S = 8.0
HEAD_BYTES = 16_384
"""Maximum size of the head of an answer; its body is not read."""
MOST_FAULTS = 1_000
"""Maximum number of push services whose faults are remembered."""
TTL_S = 24 * 3600
"""Time for which a push service keeps a message for a browser that is off."""
_GONE = frozenset({404, 410})
_LATER = frozenset({408, 425, 429})


class Outcome(Enum):
    """The outcome of a message."""

    DELIVERED = "delivered"
    GONE = "gone"
    """The browser is no longer subscribed."""
    REFUSED = "refused"
    """The push service rejects this message; retrying is useless."""
    LATER = "later"
    """The push service is away or busy."""


class Message(NamedTuple):
    """A message to a browser."""

    content: bytes
    topic: str
    """Its subject: it replaces an undelivered one with the same topic."""


class PushDelivery:
    """Delivers messages on behalf of a server."""

    def __init__(self, key: ServerKey, *, is_local_allowed: bool = False) -> None:
        self._key = key
        self._is_local_allowed = is_local_allowed
        self._faults: dict[str, str] = {}
        """The latest fault of each push service that fails."""

    async def deliver(self, address: str, keys: BrowserKeys, message: Message, now_ms: int) -> Outcome:
        """Deliver a message once."""
        body = encrypt(message.content, keys, generate_private_key(SECP256R1()), os.urandom(SALT_BYTES))
        headers = {
            "Authorization": self._key.authorization(address, now_ms // 1000),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL_S),
            "Topic": format_base64(hashlib.sha256(message.topic.encode()).digest())[:32],
            "Urgency": "high",
        }
        try:
            async with asyncio.timeout(TIMEOUT_S):
                status = await self._post(address, headers, body)
        except BadEndpointError:
            return Outcome.GONE
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError) as error:
            self._warn(address, type(error).__name__)
            return Outcome.LATER
        outcome = outcome_of(status)
        if outcome in (Outcome.REFUSED, Outcome.LATER):
            self._warn(address, str(status))
        else:
            self._faults.pop(urlsplit(address).netloc, None)
        return outcome

    def _warn(self, address: str, fault: str) -> None:
        """Log a fault of a push service, once until another follows or a message is accepted."""
        service = urlsplit(address).netloc
        if self._faults.get(service) != fault:
            log.warning("push service refuses or fails", service=service, fault=fault)
        if len(self._faults) < MOST_FAULTS:
            self._faults[service] = fault

    async def _post(self, address: str, headers: Mapping[str, str], body: bytes) -> int:
        """Return the status of the answer.

        Raises: BadEndpointError, OSError, EOFError, LimitOverrunError, ValueError.
        """
        endpoint = parse_endpoint(address, is_local_allowed=self._is_local_allowed)
        place = await resolve(endpoint, is_local_allowed=self._is_local_allowed)
        is_secure = endpoint.scheme == "https"
        reader, writer = await asyncio.open_connection(
            place,
            endpoint.port,
            limit=HEAD_BYTES,
            ssl=client_tls() if is_secure else None,
            server_hostname=endpoint.host if is_secure else None,
        )
        try:
            all_headers = {
                "Host": endpoint.authority,
                "Content-Length": str(len(body)),
                "Connection": "close",
                **headers,
            }
            head = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
            writer.write(f"POST {endpoint.target} HTTP/1.1\r\n{head}\r\n".encode() + body)
            await writer.drain()
            status_line = await reader.readuntil(b"\r\n")
            return int(status_line.split(maxsplit=2)[1])
        except IndexError as error:
            raise ValueError("the answer has no status") from error
        finally:
            writer.close()


def outcome_of(status: int) -> Outcome:
    """Return the outcome for a status.

    >>> outcome_of(201), outcome_of(410), outcome_of(413), outcome_of(503)
    (<Outcome.DELIVERED: 'delivered'>, <Outcome.GONE: 'gone'>, <Outcome.REFUSED: 'refused'>, <Outcome.LATER: 'later'>)
    """
    if 200 <= status < 300:
        return Outcome.DELIVERED
    if status in _GONE:
        return Outcome.GONE
    return Outcome.LATER if status in _LATER or status >= 500 else Outcome.REFUSED
