"""What GET answers."""

import asyncio
import json

from engine.games import GAMES
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


async def test_the_page_is_served_at_the_root_and_at_every_match(served: Served) -> None:
    status, headers, body = await get(served, "/")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert body == (await get(served, "/match/m1?ply=3"))[2]


async def test_scripts_have_a_type_that_browsers_run(served: Served) -> None:
    status, headers, body = await get(served, "/static/main.js")
    assert status == 200
    assert headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert body


async def test_an_unchanged_file_is_not_sent_again(served: Served) -> None:
    _, headers, _ = await get(served, "/")
    status, _, body = await get(served, "/", f"If-None-Match: {headers['ETag']}")
    assert (status, body) == (304, b"")


async def test_what_is_not_there_is_not_found(served: Served) -> None:
    for path in ("/nothing", "/static/../app.py", "/static/", "/main.js", "/static/%2e%2e/web.py"):
        assert (await get(served, path))[0] == 404


async def test_health_and_metrics_answer(served: Served) -> None:
    status, _, body = await get(served, "/health")
    health = json.loads(body)
    assert (status, health["status"], health["bots"]) == (200, "ok", "ready")
    assert set(health["games"]) <= set(GAMES)
    status, _, body = await get(served, "/metrics")
    assert status == 200
    assert b"millrace_connections" in body


async def test_the_socket_answers_a_plain_get_with_words(served: Served) -> None:
    status, _, body = await get(served, "/socket")
    assert status == 426
    assert body
