"""The archive by the client library: finding, fetching and bringing matches along, and parts that fit a frame."""

import asyncio
import secrets

import pytest

from millrace.client import ME, OPEN, MatchId, RefusedError, connect
from millrace.client.archive import ArchiveClient
from millrace.client.requests import Requests
from millrace.protocol import (
    MAX_FRAME_BYTES,
    Code,
    Done,
    FoundMatches,
    ImportedMatch,
    ImportMatches,
    MatchesImported,
    PastMatch,
    SearchMatches,
    parse_client_message,
)
from tests.client.connecting import refusal_of
from tests.serving import PATIENCE_S, Site


async def test_a_finished_match_is_found_exported_and_imported(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        await ann.account.register(f"Exporter-{secrets.token_hex(4)}", secrets.token_hex(16))
        match = (await ann.create("morris", [ME, OPEN])).match
        await ben.join(match)
        await ann.play(match, 0, "d6")
        await ben.play(match, 1, "f4")
        await ben.resign(match, 1)
        (found,) = [each async for each in ann.archive.search(mine=True)]
        assert (found.match, found.ranks, found.plies) == (match, (1, 2), 2)
        assert [each async for each in ann.archive.search(mine=True, result="lost")] == []
        text = await ann.archive.export(match)
        assert "1. d6" in text
        assert match in await ann.archive.export(match, "json")
        assert ";W[d6]" in await ann.archive.export(match, "sgf")
        whole = "".join([part async for part in ann.archive.export_all("json", mine=True)])
        assert [match in line for line in whole.splitlines()] == [True]
        assert "".join([part async for part in ann.archive.export_all(mine=True, result="lost")]) == ""
        with pytest.raises(RefusedError, match="There is no player"):
            await anext(ann.archive.export_all(player="Nobodyhere"))
        with pytest.raises(RefusedError, match=f"^{Code.MALFORMED}: limit must be"):
            await anext(ann.archive.export_all(limit=0))
        (brought,) = await ben.archive.import_text(text)
        assert (brought.game, brought.plies) == ("morris", 2)
        assert [each.match async for each in ben.archive.search(imported=True)] == [brought.match]


async def test_bots_have_crosstables_like_people(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        table = await ann.archive.crosstable("bot-1", "bot-2")
        assert [player.id for player in table.players] == ["bot-2", "bot-1"]


async def test_an_unknown_match_and_an_unreadable_text_are_refused(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert await refusal_of(ann.archive.export(MatchId("nowhere"))) is Code.UNKNOWN_MATCH
        assert await refusal_of(ann.archive.import_text("1. d6 z9", "morris")) is Code.BAD_RECORD


class Archive:
    """A server that has three pages of one match each, and takes in whatever comes."""

    def __init__(self) -> None:
        self.requests = Requests(self.receive)
        self.texts: list[str] = []
        self.frames: list[bytes] = []
        self.pages = 0
        self.breaks_at_part: int | None = None

    def receive(self, frame: bytes) -> None:
        self.frames.append(frame)
        command = parse_client_message(frame)
        if isinstance(command, ImportMatches):
            if command.part == self.breaks_at_part:
                self.breaks_at_part = None
                asyncio.get_running_loop().call_soon(self.requests.resume)
                return
            self.texts = [*self.texts, command.text] if command.part else [command.text]
            is_last = command.part == command.parts - 1
            match = ImportedMatch(MatchId("m"), "toy", ("A", "B"), 1)
            self.requests.answer(command.id, MatchesImported(command.id, (match,)) if is_last else Done(command.id))
        else:
            assert isinstance(command, SearchMatches)
            self.pages += 1
            page = int(command.cursor or "0")
            found = PastMatch(MatchId(f"m{page}"), 0, "toy", None, False, (), None, ())
            following = str(page + 1) if page < 2 else ""
            self.requests.answer(command.id, FoundMatches(command.id, (found,), following))


async def test_further_pages_are_requested_while_reading() -> None:
    server = Archive()
    matches = ArchiveClient(server.requests, "").search()
    assert (await anext(matches)).match == "m0"
    assert server.pages == 1
    assert [each.match async for each in matches] == ["m1", "m2"]


@pytest.mark.parametrize("text", ["", "1. d6\n" * 5_000, "\N{SHEEP}\n" * 9_000, "\x01" * 20_000])
async def test_a_text_is_cut_into_parts_that_fit_their_frames(text: str) -> None:
    server = Archive()
    assert len(await ArchiveClient(server.requests, "").import_text(text)) == 1
    assert "".join(server.texts) == text
    assert max(map(len, server.frames)) <= MAX_FRAME_BYTES


async def test_an_interrupted_import_is_repeated_as_the_same_import() -> None:
    server = Archive()
    server.breaks_at_part = 1
    await ArchiveClient(server.requests, "").import_text("1. d6\n" * 5_000)
    assert "".join(server.texts) == "1. d6\n" * 5_000
    uploads = {
        command.upload for frame in server.frames if isinstance(command := parse_client_message(frame), ImportMatches)
    }
    assert len(uploads) == 1
