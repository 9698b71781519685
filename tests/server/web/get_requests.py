"""GET requests to a server inside the test's process."""

import asyncio
import urllib.request
from urllib.error import HTTPError

from tests.server.in_process_server import Served

HOST = "Host: localhost"


def raw(*lines: str, body: bytes = b"") -> bytes:
    """Return a request as it is sent."""
    return "\r\n".join((*lines, "", "")).encode("latin-1") + body


async def get(served: Served, path: str, *headers: str, version: str = "HTTP/1.1") -> tuple[int, dict[str, str], bytes]:
    reader, writer = await asyncio.open_connection("localhost", served.port)
    lines = (f"GET {path} {version}", f"Host: localhost:{served.port}", *headers, "", "")
    writer.write("\r\n".join(lines).encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *fields = head.decode().split("\r\n")
    return int(status.split()[1]), dict(field.split(": ", 1) for field in fields), body


async def fetch(served: Served, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of a GET."""

    def get() -> tuple[int, dict[str, str], str]:
        request = urllib.request.Request(f"http://localhost:{served.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except HTTPError as error:
            return error.code, dict(error.headers), error.read().decode()

    return await asyncio.to_thread(get)
