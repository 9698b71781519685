"""Admission: requests by host, sender and number, and connections until their players say hello."""

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

import pytest
from websockets.exceptions import InvalidStatus

from millrace.protocol import VERSION, Code
from millrace.server.web import backlog, connection, fragments, intake, session, web_server
from tests.server.in_process_server import Serve, Served
from tests.server.web.get_requests import HOST, get, raw


async def answer_to(served: Served, headers: str) -> str:
    """Return the answer to a GET with exactly these headers."""
    reader, writer = await asyncio.open_connection("localhost", served.port)
    writer.write(f"GET / HTTP/1.1\r\n{headers}\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer


async def test_a_request_to_another_name_is_refused_with_advice(served: Served) -> None:
    answer = await answer_to(served, "Host: evil.example:8000\r\n")
    assert "421" in answer.splitlines()[0]
    assert "does not answer to evil.example. Its operator can allow it with --allowed-host." in answer
    with pytest.raises(InvalidStatus):
        await served.socket(additional_headers={"Host": "evil.example"})


async def test_a_request_without_a_host_is_refused(served: Served) -> None:
    assert "Missing mandatory Host" in await answer_to(served, "")
    for host in ("", ":8000", "."):
        assert (await answer_to(served, f"Host: {host}\r\n")).endswith("\nThe request names no host.\n")


async def test_metrics_are_for_this_machine_only_unless_they_are_opened(serve: Serve) -> None:
    served = await serve()
    assert (await get(served, "/metrics"))[0] == 200
    status, _, body = await get(served, "/metrics", "X-Forwarded-For: 127.0.0.1")
    assert (status, b"--open-metrics" in body) == (403, True)
    opened = await serve(are_metrics_open=True)
    assert (await get(opened, "/metrics", "X-Forwarded-For: 192.0.2.1"))[0] == 200


async def test_behind_a_proxy_each_sender_has_a_separate_limit(serve: Serve) -> None:
    served = await serve(is_behind_proxy=True, limits={"requests.address": 10})
    statuses = [(await get(served, "/", "X-Forwarded-For: 10.9.9.9, 192.0.2.1"))[0] for _ in range(15)]
    assert (statuses[0], statuses[-1], set(statuses)) == (200, 429, {200, 429})
    _, headers, _ = await get(served, "/", "X-Forwarded-For: 192.0.2.1")
    assert int(headers["Retry-After"]) >= 1
    assert (await get(served, "/", "X-Forwarded-For: 192.0.2.1, 192.0.2.2"))[0] == 200


async def test_answers_to_clients_that_ask_and_leave_do_not_pile_up(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, may_answer = await serve(is_behind_proxy=True, limits={"connections.address": 3}), asyncio.Event()
    monkeypatch.setattr(backlog.Backlog, "turn", lambda *_: may_answer.wait())
    for _ in range(3):
        _, writer = await asyncio.open_connection("localhost", served.port)
        writer.write(raw("GET / HTTP/1.1", HOST, "X-Forwarded-For: 192.0.2.1"))
        writer.close()
        await writer.wait_closed()
    async with asyncio.timeout(10):
        status, headers, _ = await get(served, "/", "X-Forwarded-For: 192.0.2.1")
    assert (status, headers["Retry-After"]) == (429, "3")
    other = asyncio.create_task(get(served, "/", "X-Forwarded-For: 192.0.2.2"))
    may_answer.set()
    assert (await other)[0] == 200
    assert (await get(served, "/", "X-Forwarded-For: 192.0.2.1"))[0] == 200


async def test_a_flooding_address_waits_for_each_answer(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "FLOODER_WAITS_SECONDS", 0.3)
    served = await serve(limits={"requests.address": 1})
    loop, seconds = asyncio.get_running_loop(), []
    for _ in range(9):
        began = loop.time()
        await get(served, "/")
        seconds.append(loop.time() - began)
    assert median(seconds) >= 0.3


async def test_a_silent_connection_is_closed_with_the_reason(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HELLO_SECONDS", 0.05)
    silent = await served.socket()
    assert (await silent.hear())["code"] == Code.HELLO_FIRST
    assert (await silent.closed())[0] == 1008
    wrong = await served.socket()
    await wrong.say("hello", version=VERSION, token="guest_nonsense")
    assert [(await wrong.hear())["code"] for _ in range(2)] == [Code.BAD_TOKEN, Code.HELLO_FIRST]


async def test_a_player_may_be_silent_after_hello(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HELLO_SECONDS", 0.05)
    ann, silent = await served.visitor(), await served.socket()
    await silent.closed()
    await ann.ping()


async def test_idle_connections_do_not_keep_newcomers_out(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "most_connections", lambda: 20)
    monkeypatch.setattr(connection, "OPEN_SECONDS", 3600.0)
    served = await serve()
    ann = await served.visitor()
    silent = [await asyncio.open_connection("localhost", served.port) for _ in range(60)]
    newcomers = [await served.visitor() for _ in range(3)]
    assert (await get(served, "/health"))[0] == 200
    for player in (ann, *newcomers):
        await player.ping()
    for _, writer in silent:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def test_a_server_full_of_players_answers_requests(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_server, "most_connections", lambda: 20)
    served = await serve()
    codes = []
    for number in range(40):
        source = (f"127.0.0.{number % 4 + 1}", 0)
        visitor = await served.socket(host="127.0.0.1", local_addr=source)
        await visitor.say("hello", version=VERSION)
        codes.append((await visitor.hear()).get("code", "welcome"))
    assert codes.count("welcome") == 20
    assert codes.count(Code.UNAVAILABLE) == 20
    for _ in range(30):
        assert (await get(served, "/health"))[0] == 200


async def test_pings_and_parts_of_messages_count_as_messages(serve: Serve) -> None:
    served = await serve(limits={"messages.connection": 20})
    for frame in (b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 30):
        visitor = await served.visitor()
        visitor.connection.transport.write(frame * 30 if len(frame) == 6 else frame)
        assert (await visitor.hear_until("refused"))["code"] == Code.TOO_FAST


async def test_pings_use_the_budget_of_their_address(serve: Serve) -> None:
    served = await serve(limits={"messages.address": 400, "messages.connection": 5_000})
    visitor = await served.visitor()
    began_s = time.monotonic()
    visitor.connection.transport.write(b"\x89\x80\0\0\0\0" * 700)
    await visitor.say("ping", nonce=1)
    await visitor.hear_until("pong", nonce=1)
    assert time.monotonic() - began_s > 1, "the address is read more slowly"


async def test_what_a_flooding_connection_goes_on_to_send_is_not_parsed(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = 0

    def count(self: connection.Connection, data: bytes) -> None:
        nonlocal parsed
        parsed += len(data)
        take(self, data)

    take = connection.Connection.take
    monkeypatch.setattr(connection.Connection, "take", count)
    served = await serve(limits={"messages.connection": 20})
    visitor = await served.visitor()
    visitor.connection.transport.write(b"\x89\x80\0\0\0\0" * 100_000)
    assert (await visitor.hear_until("refused"))["code"] == Code.TOO_FAST
    await visitor.closed()
    assert parsed <= 2 * intake.SLICE_BYTES


async def test_a_message_has_a_bounded_number_of_parts(served: Served) -> None:
    visitor = await served.visitor()
    parts = b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * fragments.MAX_FRAGMENTS
    visitor.connection.transport.write(parts)
    assert (await visitor.closed())[0] == 1009


async def test_an_address_that_floods_is_read_more_slowly_and_loses_nothing(serve: Serve) -> None:
    served = await serve(limits={"messages.address": 64, "messages.connection": 1000})
    visitor = await served.visitor()
    for nonce in range(100):
        await visitor.say("ping", nonce=nonce)
    await visitor.hear_until("pong", nonce=99)


async def test_the_security_log_has_refused_hosts_origins_and_requests(serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "security.log"
    served = await serve(security_log=file)
    for header in (
        "Origin: https://evil.example",
        "Origin: http://[::1",
        "Cookie: millrace_session=secret\r\nCookie: b",
    ):
        await get(served, "/socket", header)
    await answer_to(served, "Host: evil.example\r\n")
    text = file.read_text(encoding="utf-8")
    entries = [json.loads(line) for line in text.splitlines()]
    assert [entry["event"] for entry in entries] == ["origin refused", "request refused", "host refused"]
    assert [entry["detail"] for entry in entries if entry["event"] != "request refused"] == [
        "https://evil.example",
        "evil.example",
    ]
    assert "secret" not in text
