"""The fuzz targets: each accepts any bytes, and raises only because of a bug."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from millrace.engine.game import EngineError
from millrace.engine.games import GAMES
from millrace.engine.state import State
from millrace.protocol import (
    MalformedError,
    encode,
    parse_client_message,
    parse_event,
    parse_server_message,
)
from millrace.protocol.refusal import Refusal
from millrace.server.archive.imports import entries_of
from millrace.server.archive.record import RecordError
from millrace.server.archive.record_reader import read_matches
from millrace.server.callers.names import check_name, skeleton_of
from millrace.server.callers.user_text import is_showable, showable_part
from millrace.server.players.accounts.cookies import cookie_of, local_path, read_connection_info
from millrace.server.web.hosts import Hosts, is_from_this_machine
from millrace.server.web.requests import BadRequestError, RequestReader, check_request
from tests.docs.examples import read_examples

STORED = Path(__file__).parents[1] / "server" / "archive" / "stored"


class Target(NamedTuple):
    """A part of the code that reads input from strangers."""

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...]


def decode(data: bytes) -> None:
    """Read messages of clients and servers, and stored events; what is read can be written, and read again."""
    for parse in (parse_client_message, parse_server_message, parse_event):
        try:
            message = parse(data)
        except MalformedError:
            continue
        assert parse(encode(message)) == message


def read_texts(data: bytes) -> None:
    """Read set-ups, positions, moves and names; a position that is read can be written, and read again."""
    text = data.decode(errors="replace")
    name, _, rest = text.partition("\n")
    setup, _, moves = rest.partition("\n")
    if name in GAMES:
        with suppress(EngineError):
            state = State.from_moves(GAMES[name], setup, moves.split())
            assert State.of(GAMES[name], state.position_text).position_text == state.position_text
    with suppress(Refusal):
        check_name(text)
    skeleton_of(text)
    assert is_showable(showable_part(text))


def read_imports(data: bytes) -> None:
    """Read matches like an import, and convert them to stored events."""
    with suppress(RecordError):
        for reading in read_matches(data.decode(errors="replace"), "morris"):
            entries_of(reading, 1_764_000_000_000)


def read_headers(data: bytes) -> None:
    """Read a request like the web server."""
    try:
        request = RequestReader().receive(data + b"\r\n\r\n")
        if request is None:
            return
        checked = check_request(request)
    except BadRequestError:
        return
    for is_behind_proxy in (False, True):
        read_connection_info(checked.headers, "127.0.0.1", is_behind_proxy=is_behind_proxy)
    Hosts(["play.example.org", "*.example.net"]).allow(checked.headers["Host"])
    is_from_this_machine("127.0.0.1", checked.headers)
    cookie_of(checked.headers)
    assert local_path(checked.path).startswith("/")


_HEADERS = b"GET /socket HTTP/1.1\r\nHost: play.example.org\r\n"

TARGETS = {
    "messages": Target(
        decode,
        tuple(example.text.encode() for example in read_examples()),
        (b'"', b"null", b"{}", b"[", b"\\ud800", b"\xff", b'"type":', b'"id":', b"1e400", b'"seats":[]', b'"level":9'),
    ),
    "texts": Target(
        read_texts,
        (
            b"morris\n........................ w 9 9\nd6 f6 d7",
            b"morris\nWWW.....................  b 0 9\n",
            b"morris\n********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1\nd6",
            b"mingmang\nwwwwwwww/w6b/w6b/w6b/w6b/w6b/w6b/bbbbbbbb b 0\na1-a2 pass",
            b"battlesheep\n.,0,0/0,r16,0/0,0,b16 r 2\n",
            b"battlesheep\nseats=3 seed=12\n",
            b"battlesheep\nopening=tiles seats=2\n",
            "Zo\u00eb_\u200d\u0301".encode(),
        ),
        (b"pass", b"w", b" b ", b"/", b"r16", b"seats=4", b"seed=", b"flying=off", b"a7", b"xb4", "\u202e".encode()),
    ),
    "imports": Target(
        read_imports,
        tuple(
            line
            for path in sorted(STORED.iterdir())
            for line in path.read_bytes().split(b"\n\n" if path.suffix == ".txt" else b"\n")[:4]
            if line
        ),
        (
            *(b"[", b"]", b'"', b"{", b"}", b"(", b")", b"$1", b";", b"1.", b"1-0", b"*"),
            *(b'[Game "mingmang"]', b'[Result "'),
        ),
    ),
    "headers": Target(
        read_headers,
        (
            _HEADERS + b"Origin: http://play.example.org\r\nCookie: millrace=abc; a=b",
            _HEADERS + b"X-Forwarded-For: 192.0.2.1, [2001:db8::1]:4711\r\nAuthorization: Bearer abc",
            b"GET /match/abc?next=%2F&x=1#y HTTP/1.1\r\nHost: [::1]:8000\r\nReferer: http://[::1]/",
        ),
        (b"\r\n", b": ", b"[", b"]", b"//", b"::1", b"%", b"\xff", b"Cookie: a", b"Host: b", b"Origin: http://[::1"),
    ),
}
