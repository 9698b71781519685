"""GET requests to a test server."""

import asyncio

from tests.server.conftest import Served


async def get(served: Served, path: str, *headers: str) -> tuple[int, dict[str, str], bytes]:
    reader, writer = await asyncio.open_connection("localhost", served.port)
    lines = (f"GET {path} HTTP/1.1", f"Host: localhost:{served.port}", *headers, "", "")
    writer.write("\r\n".join(lines).encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *fields = head.decode().split("\r\n")
    return int(status.split()[1]), dict(field.split(": ", 1) for field in fields), body
