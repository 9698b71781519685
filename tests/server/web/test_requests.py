"""Requests of every kind get one answer, and the connection ends, whatever the method, the version and what follows."""

import asyncio
import socket
from contextlib import suppress
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.datastructures import Headers
from websockets.http11 import Request

from millrace.server.web import connection
from millrace.server.web.requests import (
    MAX_HEAD_BYTES,
    BadRequestError,
    CheckedRequest,
    RequestReader,
    check_request,
    require_answerable,
)
from tests.server.in_process_server import PATIENCE_SECONDS, Serve, Served
from tests.server.web.get_requests import HOST, raw


async def exchange(served: Served, sent: bytes, *, ends: bool = False) -> tuple[int, dict[str, str], bytes]:
    """Send bytes, and end the client's side if it `ends`; return status, headers and body of the only answer."""
    reader, writer = await asyncio.open_connection("localhost", served.port)
    writer.write(sent)
    if ends:
        writer.write_eof()
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    return int(status.split()[1]), dict(field.split(": ", 1) for field in fields), body


UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {'A' * 22}==")
CHUNKED = "Transfer-Encoding: chunked"
ABC = "Content-Length: 3"

ANSWERS = {
    "a form": (raw("POST / HTTP/1.1", HOST, ABC, body=b"abc"), 405),
    "an upload in chunks": (
        raw("PUT /x HTTP/1.1", HOST, CHUNKED, body=b"3\r\nabc\r\n0\r\n\r\n"),
        405,
    ),
    "a GET with a body": (raw("GET / HTTP/1.1", HOST, ABC, body=b"abc"), 413),
    "a GET in chunks": (raw("GET / HTTP/1.1", HOST, CHUNKED, body=b"0\r\n\r\n"), 413),
    "a GET with an empty body": (raw("GET /health HTTP/1.1", HOST, "Content-Length: 0"), 200),
    "a body that waits for 100": (raw("POST / HTTP/1.1", HOST, "Content-Length: 9", "Expect: 100-continue"), 405),
    "a body in a socket's request": (
        raw("GET /socket HTTP/1.1", HOST, *UPGRADE, ABC, body=b"abc"),
        413,
    ),
    "a preflight": (raw("OPTIONS / HTTP/1.1", HOST, "Origin: http://other"), 405),
    "a method of nobody": (raw("BREW /pot HTTP/1.1", HOST), 405),
    "a tunnel": (raw("CONNECT localhost:443 HTTP/1.1", HOST), 405),
    "an address with its host": (raw("GET http://localhost/health HTTP/1.1", HOST), 200),
    "another server's address": (raw("GET http://elsewhere.example/ HTTP/1.1", HOST), 421),
    "an old check": (raw("GET /health HTTP/1.0"), 200),
    "HAProxy's check": (raw("OPTIONS / HTTP/1.0"), 200),
    "an old page": (raw("GET / HTTP/1.0", HOST), 200),
    "no host": (raw("GET / HTTP/1.1"), 400),
    "no host, old": (raw("GET / HTTP/1.0"), 400),
    "two hosts": (raw("GET / HTTP/1.1", HOST, "Host: elsewhere"), 400),
    "a later version": (raw("GET / HTTP/3.0", HOST), 505),
    "a later minor version": (raw("GET /health HTTP/1.2", HOST), 200),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    "two lengths": (raw("GET / HTTP/1.1", HOST, "Content-Length: 1", "Content-Length: 2"), 400),
    "another coding": (raw("POST / HTTP/1.1", HOST, "Transfer-Encoding: gzip"), 501),
    "a long line": (raw(f"GET /{'a' * 2 * MAX_HEAD_BYTES} HTTP/1.1", HOST), 431),
    "many headers": (raw("GET / HTTP/1.1", HOST, *("X: y" for _ in range(MAX_HEAD_BYTES // 4))), 431),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100), 400),
    "another protocol": (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", 400),
    "two requests": (raw("GET /health HTTP/1.1", HOST) + raw("GET /health HTTP/1.1", HOST), 200),
    "line feeds alone": (b"GET /health HTTP/1.1\nHost: localhost\n\n", 200),
    "h2c": (raw("GET /health HTTP/1.1", HOST, "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings"), 200),
    "a socket without an upgrade": (raw("GET /socket HTTP/1.1", HOST), 426),
    "an upgrade of a page": (raw("GET /health HTTP/1.1", HOST, *UPGRADE, body=b"z" * 5_000), 200),
    "an upgrade before a request": (raw("GET /health HTTP/1.1", HOST, *UPGRADE) + raw("GET / HTTP/1.1", HOST), 200),
    "an upgrade to something else": (raw("GET /socket HTTP/1.1", HOST, "Upgrade: h2c", body=b"z" * 200), 426),
    "empty lines first": (b"\r\n\r\n" + raw("GET /health HTTP/1.1", HOST), 200),
    "a folded header": (raw("GET /health HTTP/1.1", HOST, "X: y", "\tz"), 200),
    "an empty host": (raw("GET /health HTTP/1.1", "Host:"), 421),
    "a line without a version": (raw("GET /health"), 400),
}


@pytest.mark.parametrize("ends", [False, True], ids=["", "ending its side"])
@pytest.mark.parametrize("case", ANSWERS)
async def test_a_request_gets_one_answer(
    served: Served, case: str, ends: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    sent, expected = ANSWERS[case]
    status, headers, body = await exchange(served, sent, ends=ends)
    assert status == expected
    assert headers["Connection"] == "close" or status == HTTPStatus.UPGRADE_REQUIRED
    assert len(body) == int(headers["Content-Length"])
    assert "".join(capsys.readouterr()).count("refused") == (status not in (200, 426))
    assert ("Allow" in headers) == (status == HTTPStatus.METHOD_NOT_ALLOWED)


SPELLINGS = {
    "in one piece": raw("GET /socket HTTP/1.1", HOST, *UPGRADE),
    "after empty lines": b"\r\n\r\n" + raw("GET /socket HTTP/1.1", HOST, *UPGRADE),
    "with a folded header": raw("GET /socket HTTP/1.1", HOST, *UPGRADE, "X: y", " z"),
    "with line feeds alone": raw("GET /socket HTTP/1.1", HOST, *UPGRADE).replace(b"\r\n", b"\n"),
    "with a long header": raw("GET /socket HTTP/1.1", HOST, *UPGRADE, f"X: {'y' * 10_000}"),
    "with many headers": raw("GET /socket HTTP/1.1", HOST, *UPGRADE, *("X: y" for _ in range(200))),
}
PING, PONG = b"\x89\x80mask", b"\x8a\x00"


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_socket_opens_however_its_request_is_spelled(served: Served, spelling: str) -> None:
    reader, writer = await asyncio.open_connection("localhost", served.port)
    writer.write(SPELLINGS[spelling] + PING)  # the first frame may arrive together with the request
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    assert await reader.readexactly(len(PONG)) == PONG
    writer.close()


@pytest.mark.parametrize("half", [b"GET /\r\n", b"GET / HTTP/1.1\r\nHos", b"SSH-2.0-OpenSSH_9.2\r\n", b"\r\n"])
async def test_half_a_request_is_answered(served: Served, half: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    status, _, body = await exchange(served, half, ends=True)
    assert (status, body) == (400, b"The request ended before its headers were complete.\n")
    monkeypatch.setattr(connection, "OPEN_SECONDS", 0.1)
    status, _, body = await exchange(served, half)
    assert (status, body) == (408, b"The request did not arrive completely within 0 seconds.\n")


async def test_a_connection_without_a_request_ends_without_an_answer(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "OPEN_SECONDS", 0.1)
    reader, writer = await asyncio.open_connection("localhost", served.port)
    with suppress(ConnectionResetError):
        assert await reader.read() == b""
    writer.close()


@pytest.mark.parametrize(
    "lines",
    [
        ("HEAD /socket HTTP/1.1", HOST),
        ("HEAD /socket HTTP/1.1", HOST, *UPGRADE),
        ("HEAD / HTTP/1.1", HOST, HOST),
        ("HEAD / HTTP/1.1", HOST, ABC),
        ("HEAD / HTTP/3.0", HOST),
        ("HEAD / HTTP/1.1", "no header"),
        ("HEAD / HTTP/1.1", f"X: {'y' * MAX_HEAD_BYTES}"),
    ],
)
async def test_a_refused_head_has_no_body(served: Served, lines: tuple[str, ...]) -> None:
    status, headers, body = await exchange(served, raw(*lines))
    assert (status >= 400, int(headers["Content-Length"]) > 0, body) == (True, True, b"")


@pytest.mark.parametrize(
    "path", ["/", "/health", "/protocol.schema.json", "/archive.txt", "/nothing", "/static/x", "/sign-in", "/sign-out"]
)
async def test_head_has_the_headers_of_get_and_no_body(served: Served, path: str) -> None:
    asked = await exchange(served, raw(f"GET {path} HTTP/1.1", HOST))
    status, headers, body = await exchange(served, raw(f"HEAD {path} HTTP/1.1", HOST))
    assert (status, headers, body) == (*asked[:2], b"")


async def test_a_long_body_is_dropped_and_its_sender_gets_the_answer(served: Served) -> None:
    sent = raw("POST / HTTP/1.1", HOST, "Content-Length: 8000000", body=bytes(8_000_000))
    status, _, body = await exchange(served, sent)
    assert (status, body) == (405, b"Only GET and HEAD are answered here; commands go over the socket.\n")
    assert (await exchange(served, raw("GET /health HTTP/1.1", HOST)))[0] == 200


async def test_a_request_may_arrive_byte_by_byte(served: Served) -> None:
    reader, writer = await asyncio.open_connection("localhost", served.port)
    for byte in raw("GET /health HTTP/1.1", HOST):
        writer.write(bytes([byte]))
        await writer.drain()
    assert b"200 OK" in await reader.read()
    writer.close()


@pytest.mark.parametrize(
    ("known", "is_known"),
    [('W/"a"', True), ('"a"', True), ('"b", W/"a"', True), ("*", True), ('W/"b"', False), ('"a', False), ("", False)],
)
def test_a_version_is_known_by_any_of_a_list_of_tags(known: str, is_known: bool) -> None:
    request = CheckedRequest("GET", "/", "/", Headers({"If-None-Match": known}))
    assert request.has('W/"a"') == is_known


_text = st.text(st.characters(max_codepoint=255, blacklist_characters="\r\n"), max_size=12)
_names = st.sampled_from(["Host", "Content-Length", "Transfer-Encoding", "Upgrade", "Expect", "Origin", "X"])
_value = st.one_of(_text, st.sampled_from(["localhost", "0", "3", "chunked", "websocket", "100-continue", "close"]))
_headers = st.one_of(
    st.builds("{}: {}".format, _names, _value),
    st.builds("X: {}\r\n {}".format, _value, _value),
    st.sampled_from([HOST, *UPGRADE]),
)
_targets = st.one_of(_text, st.sampled_from(["/", "*", "/health", "http://localhost/", "http://[", "/socket"]))
_versions = st.sampled_from(["HTTP/1.1", "HTTP/1.0", "HTTP/1.9", "HTTP/2.0", "HTTP/x", ""])
_methods = st.one_of(_text, st.sampled_from(["GET", "HEAD", "POST", "OPTIONS", "get"]))
_first_lines = st.one_of(
    st.builds("{} {} {}".format, _methods, _targets, _versions),
    st.sampled_from(["GET /health HTTP/1.1", "GET /socket HTTP/1.1", "HEAD /socket HTTP/1.1"]),
)
_rest = st.one_of(st.binary(max_size=20), st.sampled_from([b"z" * 5_000, raw("GET / HTTP/1.1", HOST), PING]))


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Requests of every kind, with whatever may come before and after them."""
    wanted = draw(st.sampled_from([(), (HOST,), (HOST, *UPGRADE)]))
    sent = raw(draw(_first_lines), *wanted, *draw(st.lists(_headers, max_size=5)))
    if draw(st.booleans()):
        sent = sent.replace(b"\r\n", b"\n")
    return b"\r\n" * draw(st.integers(0, 2)) + sent + draw(_rest)


@given(requests())
def test_any_request_is_read_or_refused_with_a_reason(sent: bytes) -> None:
    whole, in_parts = RequestReader(), RequestReader()
    answer = _judge(whole, [sent])
    assert _judge(in_parts, [sent[at : at + 1] for at in range(len(sent))]) == answer
    assert "bytearray" not in str(answer)


def _judge(reader: RequestReader, parts: list[bytes]) -> Request | tuple[HTTPStatus, str]:
    """Return a request that may be answered, or why it is refused."""
    try:
        for part in parts:
            request = reader.receive(part)
            if request is not None:
                require_answerable(check_request(request))
                return request
    except BadRequestError as error:
        return error.status, str(error)
    raise AssertionError("The request has ended, and is neither read nor refused.")


async def test_any_request_gets_exactly_one_answer(serve: Serve) -> None:
    served = await serve(limits={"requests.address": 1_000_000})
    errors: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, error: errors.append(error))

    @given(requests())
    def ask(sent: bytes) -> None:
        with socket.create_connection(("localhost", served.port), PATIENCE_SECONDS) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: client.recv(65_536), b""))
        head, _, body = answer.partition(b"\r\n\r\n")
        assert (head.count(b"HTTP/1.1 "), b"HTTP/1.1 " in body, errors) == (1, False, [])
        if sent.lstrip().startswith(b"HEAD "):
            assert body == b""

    await asyncio.to_thread(ask)
