"""A push service within the test: accepts messages like browsers' push services, and decrypts them like browsers."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key

from millrace.server.notifications.push.encryption import format_base64, format_point


class Received(NamedTuple):
    """A message that has arrived."""

    headers: dict[str, str]
    content: dict[str, Any]
    """What was decrypted, which is JSON."""


class Browser:
    """A browser that subscribes at the push service."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._private: EllipticCurvePrivateKey = generate_private_key(SECP256R1())
        self._secret = b"0123456789abcdef"

    @property
    def subscription(self) -> dict[str, str]:
        """The fields of `subscribe_to_push`."""
        public = format_base64(format_point(self._private.public_key()))
        return {"endpoint": self.endpoint, "key": public, "secret": format_base64(self._secret)}

    def decrypt(self, body: bytes) -> bytes:
        """Return what was sent to this browser."""
        return bytes(http_ece.decrypt(body, private_key=self._private, auth_secret=self._secret, version="aes128gcm"))


class PushService:
    """A push service at a port of this machine."""

    def __init__(self) -> None:
        self.status = 201
        """The status of its answers."""
        self.received: asyncio.Queue[Received] = asyncio.Queue()
        self.attempts = 0
        self.has_been_tried = asyncio.Event()
        self.port = 0
        self._browsers: dict[str, Browser] = {}

    def browser(self, name: str = "one") -> Browser:
        """Return a new browser with an endpoint of its own."""
        path = f"/push/{name}"
        browser = self._browsers[path] = Browser(f"http://127.0.0.1:{self.port}{path}")
        return browser

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one message."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        request, *lines = head.strip().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        body = await reader.readexactly(int(headers["Content-Length"]))
        self.attempts += 1
        self.has_been_tried.set()
        if self.status < 300:
            browser = self._browsers[request.split()[1]]
            self.received.put_nowait(Received(headers, json.loads(browser.decrypt(body))))
        writer.write(f"HTTP/1.1 {self.status} Something\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """Run a push service."""
    service = PushService()
    server = await asyncio.start_server(service.answer, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    async with server:
        yield service


def read_token(authorization: str) -> tuple[dict[str, Any], bytes, bytes, bytes]:
    """Return the claims of a token, what was signed, the signature, and the public key."""
    parts = dict(part.split("=", 1) for part in authorization.removeprefix("vapid ").split(", "))
    head, claims, signature = parts["t"].split(".")
    return json.loads(decode(claims)), f"{head}.{claims}".encode(), decode(signature), decode(parts["k"])


def decode(text: str) -> bytes:
    """Return bytes that are given in base64 for addresses."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
