"""Matches exported by GET: one or many, in every form, without the latest plies of a match in progress."""

import asyncio
import gzip
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest

from millrace.server.archive import exports as exporting
from millrace.server.archive.archive_store import ArchiveStore
from millrace.server.archive.downloads import EXPORTS, WRITERS
from millrace.server.archive.record_reader import read_matches
from millrace.server.storage.errors import StorageError
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import register
from tests.server.ratings.rated_play import MOVES, play
from tests.server.web.get_requests import fetch, get


async def test_a_finished_match_is_exported_as_text_and_json(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    match = await play([ann, ben], rated=False)
    status, headers, text = await fetch(served, f"/match/{match}.txt")
    assert status == 200
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert headers["Content-Disposition"] == f'attachment; filename="millrace-{match}.txt"'
    assert headers["Cache-Control"] == "public, max-age=3600"
    assert f'[Site "http://localhost:{served.port}/match/{match}"]' in text
    assert '[White "Anna"]' in text
    assert text.endswith("1. a7 g1 2. d7 g4 0-1\n\n")
    _, headers, body = await fetch(served, f"/match/{match}.json")
    assert headers["Content-Type"] == "application/json"
    record = json.loads(body)
    assert (record["id"], record["ranks"]) == (match, [2, 1])
    assert [ply["move"] for ply in record["plies"]] == [*MOVES]
    (reading,) = read_matches(text)
    assert reading.record.id == match


async def test_an_unchanged_export_is_not_sent_again(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    _, headers, _ = await fetch(served, f"/match/{match}.txt")
    status, _, body = await fetch(served, f"/match/{match}.txt", **{"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, "")


async def test_a_match_in_progress_withholds_its_latest_plies(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False, is_resigned=False)
    _, headers, text = await fetch(served, f"/match/{match}.txt")
    assert text.endswith("1. a7 *\n\n")
    assert headers["Cache-Control"] == "no-store"
    assert len(json.loads((await fetch(served, f"/match/{match}.json"))[2])["plies"]) == 1


async def test_many_matches_are_exported_by_the_archives_queries(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    first, second, third = [await play(pair, rated=False) for pair in ([ann, ben], [ben, ann], [ann, ben])]
    _, headers, body = await fetch(served, "/archive.json?player=anna&limit=2")
    assert headers["Content-Type"] == "application/x-ndjson"
    assert [json.loads(line)["id"] for line in body.splitlines()] == [third, second]
    _, _, body = await fetch(served, "/archive.json?player=anna")
    assert [json.loads(line)["id"] for line in body.splitlines()] == [third, second, first]
    _, _, text = await fetch(served, "/archive.txt?player=anna&result=won")
    assert [reading.record.id for reading in read_matches(text)] == [second]
    assert (await fetch(served, "/archive.txt?from=2020-01-01&to=2020-12-31"))[2] == ""


async def test_all_pages_of_an_export_are_in_one_answer(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "PAGE", 2)
    pair = [await register(served, "Anna"), await register(served, "Benno")]
    matches = [await play(pair, rated=False) for _ in range(5)]
    for limit, most in (("", 5), ("&limit=3", 3), ("&limit=4", 4)):
        _, headers, body = await fetch(served, f"/archive.json?player=anna{limit}")
        assert [json.loads(line)["id"] for line in body.splitlines()] == matches[::-1][:most]
        assert headers["Transfer-Encoding"] == "chunked"


async def test_an_export_is_compressed_for_clients_that_accept_it(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    status, headers, body = await get(served, "/archive.json", "Accept-Encoding: gzip")
    assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, "gzip", "Accept-Encoding")
    assert match in gzip.decompress(unchunked(body)).decode()


async def test_an_old_client_gets_an_export_without_chunks(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    status, headers, body = await get(served, "/archive.json", version="HTTP/1.0")
    assert (status, json.loads(body)["id"]) == (200, match)
    assert headers.keys().isdisjoint({"Transfer-Encoding", "Content-Length"})
    _, _, packed = await get(served, "/archive.json", "Accept-Encoding: gzip", version="HTTP/1.0")
    assert gzip.decompress(packed) == body


async def test_each_form_can_be_imported_again(served: Served) -> None:
    match = await play([await register(served, "Anna"), await register(served, "Benno")], rated=False)
    for form, kind in (("sgf", "application/x-go-sgf"), ("playok", "text/plain"), ("txt", "text/plain")):
        for path in (f"/match/{match}.{form}", f"/archive.{form}?player=anna"):
            status, headers, text = await fetch(served, path)
            assert (status, headers["Content-Type"].partition(";")[0]) == (200, kind)
            (reading,) = read_matches(text)
            assert [ply.move for ply in reading.record.plies] == ["a7", "g1", "d7", "g4"]
            assert ([seat.name for seat in reading.record.seats], reading.record.ranks) == (["Anna", "Benno"], (2, 1))


async def test_inexpressible_matches_are_refused_alone_and_omitted_among_others(served: Served) -> None:
    players = [await served.visitor(), await served.visitor()]
    match = await play(players, ("d1-d4",), game="mingmang", rated=False)
    for form, words in (("sgf", "SGF has no number for Ming Mang."), ("playok", "PlayOK has no list")):
        status, _, text = await fetch(served, f"/match/{match}.{form}")
        assert (status, words in text) == (409, True)
        assert (await fetch(served, f"/archive.{form}?game=mingmang"))[2] == ""


async def test_an_export_waits_for_its_reader_and_ends_when_the_reader_leaves(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader accepts nothing at first: the server makes no more parts than fit between them."""
    made = 0

    async def parts(*_: object) -> AsyncGenerator[bytes, None]:
        nonlocal made
        while True:
            made += 1
            yield random.randbytes(100_000)

    monkeypatch.setattr(exporting.ExportHandler, "_parts", parts)
    for _ in range(2 + int(EXPORTS.address or 0)):
        before = made
        reader, writer = await asyncio.open_connection("localhost", served.port, limit=1_000)
        writer.write(f"GET /archive.json HTTP/1.1\r\nHost: localhost:{served.port}\r\n\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        latest = -1
        while made != latest:
            latest = made
            await asyncio.sleep(0.2)
        assert made - before < 200
        await reader.readexactly(5_000_000)
        assert made - before > 45
        writer.transport.abort()


async def test_slow_readers_delay_no_other_address(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = exporting.ExportHandler._parts

    async def parts(handler: Any, *arguments: Any) -> AsyncGenerator[bytes, None]:
        if arguments[-1].query.get("slow"):
            while True:
                yield random.randbytes(100_000)
        async for part in honest(handler, *arguments):
            yield part

    monkeypatch.setattr(exporting.ExportHandler, "_parts", parts)
    readers, most = [], int(EXPORTS.guests or 0)
    for number in range(3 * most):
        source = (f"127.0.0.{2 + number // most}", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port, limit=1_000, local_addr=source)
        writer.write(f"GET /archive.json?slow=1 HTTP/1.1\r\nHost: localhost:{served.port}\r\n\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        readers.append(writer)
    # The slow address can download nothing more; all others can.
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port, local_addr=("127.0.0.2", 0))
    writer.write(f"GET /archive.json HTTP/1.1\r\nHost: localhost:{served.port}\r\n\r\n".encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 429")
    assert (await fetch(served, "/archive.json"))[0] == 200
    for each in (*readers, writer):
        each.transport.abort()


async def test_downloads_read_the_archive_in_turns(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise many of them keep everybody else from the database."""
    await play([await served.visitor(), await served.visitor()], rated=False)
    reading, numbers = set[object](), list[int]()

    def counted(read: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        async def read_slowly(*given: object) -> object:
            reading.add(this := object())
            numbers.append(len(reading))
            await asyncio.sleep(0.01)
            reading.remove(this)
            return await read(*given)

        return read_slowly

    for name in ("search", "record"):
        monkeypatch.setattr(ArchiveStore, name, counted(getattr(ArchiveStore, name)))
    answers = await asyncio.gather(*(get(served, "/archive.json") for _ in range(3)))
    assert [status for status, _, _ in answers] == [200] * 3
    assert max(numbers) == WRITERS


async def test_an_export_that_breaks_off_has_no_last_chunk(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def parts(*_: object) -> AsyncGenerator[bytes, None]:
        yield b"a beginning"
        raise StorageError("gone")

    monkeypatch.setattr(exporting.ExportHandler, "_parts", parts)
    _, _, body = await get(served, "/archive.txt")
    assert b"a beginning" in body
    assert not body.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/match/nowhere.txt", 404),
        ("/archive.txt?player=Nobodyhere", 404),
        ("/archive.txt?result=maybe", 400),
        ("/archive.txt?rated=1", 400),
        ("/archive.json?from=yesterday", 400),
        ("/archive.json?limit=0", 400),
        ("/archive.json?cursor=x", 400),
        ("/archive.pdf", 404),
    ],
)
async def test_invalid_queries_are_refused_with_a_reason(served: Served, path: str, status: int) -> None:
    answered, _, words = await fetch(served, path)
    assert answered == status
    assert words.strip()


def unchunked(body: bytes) -> bytes:
    """Return the contents of chunks, which must end properly."""
    content = b""
    while True:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        content, body = content + body[:length], body[length + 2 :]
        if length == 0:
            assert body == b""
            return content


async def test_days_of_another_time_zone_are_given_as_times(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    record = json.loads((await fetch(served, f"/match/{match}.json"))[2])
    ended_ms = record["ended_ms"]
    for since_ms, until_ms, is_found in (
        (ended_ms, ended_ms + 1, True),
        (ended_ms + 1, ended_ms + 2, False),
        (0, ended_ms, False),
    ):
        status, _, text = await fetch(served, f"/archive.json?since_ms={since_ms}&until_ms={until_ms}")
        assert status == 200
        assert (match in text) is is_found
    status, _, text = await fetch(served, "/archive.json?since_ms=soon")
    assert (status, text) == (400, "since_ms and until_ms must be times in milliseconds since 1970.\n")


async def test_own_and_imported_matches_are_exported_for_their_owner_only(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    own = await play([ann, ben], rated=False)
    others = await play([ben, await served.visitor()], rated=False)
    text = '[Game "morris"]\n[White "Old"]\n[Black "Older"]\n\n1. a7 g1 *\n'
    await ann.say("import_matches", id="i", upload="u", part=0, parts=1, text=text)
    imported = (await ann.hear_until("matches_imported"))["matches"][0]["match"]
    authorized = {"Authorization": f"Bearer {ann.token}"}
    for query, found in (("mine=1", own), ("imported=1", imported)):
        status, headers, text = await fetch(served, f"/archive.json?{query}", **authorized)
        assert status == 200
        assert [json.loads(line)["id"] for line in text.splitlines()] == [found]
        assert headers["Cache-Control"] == "private, no-store"
        assert "Access-Control-Allow-Origin" not in headers
        status, _, text = await fetch(served, f"/archive.json?{query}")
        assert (status, text) == (403, "Sign in to download your own matches.\n")
    assert others != own
