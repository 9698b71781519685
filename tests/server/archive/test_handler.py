"""The archive over real sockets: finished matches are found, page by page, and compared."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from millrace.server.archive.archive_handler import READERS, SHOWN_MATCHES
from millrace.server.archive.archive_store import ArchivedMatch, ArchiveStore
from tests.server.archive.searches import ids, search
from tests.server.in_process_server import Frame, Served
from tests.server.players.accounts.registered_players import register
from tests.server.ratings.rated_play import play
from tests.server.web.get_requests import fetch


async def test_a_finished_match_is_found_at_once_by_everyone(served: Served) -> None:
    ann, ben, guest = await register(served, "Anna"), await register(served, "Benno"), await served.visitor()
    lost = await play([ann, ben], rated=False)
    won = await play([ben, ann], rated=False)
    found = await search(guest, player="anna")
    assert ids(found) == [won, lost]
    line = found["matches"][0]
    assert [player["name"] for player in line["players"]] == ["Benno", "Anna"]
    assert (line["ranks"], line["plies"], line["reason"], line["imported"]) == ([2, 1], 4, "resignation", False)
    assert ids(await search(guest, player="anna", result="lost")) == [lost]
    assert ids(await search(guest, player="Anna", opponent="Benno", rated=True)) == []
    assert ids(await search(ann, mine=True, player="Benno", result="won")) == [won]
    assert ids(await search(guest, game="mingmang")) == []


async def test_only_its_players_find_a_match_by_link(served: Served) -> None:
    ann, ben, guest = await register(served, "Anna"), await register(served, "Benno"), await served.visitor()
    match = await play([ann, ben], rated=False, listed=False)
    assert ids(await search(ben, player="anna")) == [match]
    assert ids(await search(guest, player="anna")) == []
    assert (await fetch(served, "/archive.json"))[2] == ""


async def test_searches_read_the_archive_in_turns(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise many of them keep everybody else from the database."""
    visitors, read = [await served.visitor() for _ in range(4)], ArchiveStore.search
    reading, numbers = set[object](), list[int]()

    async def read_slowly(*given: Any) -> Sequence[ArchivedMatch]:
        reading.add(this := object())
        numbers.append(len(reading))
        await asyncio.sleep(0.01)
        reading.remove(this)
        return await read(*given)

    monkeypatch.setattr(ArchiveStore, "search", read_slowly)
    await asyncio.gather(*(search(visitor) for visitor in visitors))
    assert (len(numbers), max(numbers)) == (4, READERS)


async def test_guests_find_their_own_matches_too(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await play([ann, ben], rated=False)
    assert ids(await search(ann, mine=True)) == [match]
    assert ids(await search(await served.visitor(), mine=True)) == []


async def test_a_long_list_comes_in_pages(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    played = [await play([ann, ben], moves=("a7",), rated=False) for _ in range(SHOWN_MATCHES + 2)]
    first = await search(ann, mine=True)
    second = await search(ann, mine=True, cursor=first["next"])
    assert len(first["matches"]) == SHOWN_MATCHES
    assert second["next"] == ""
    assert sorted(ids(first) + ids(second)) == sorted(played)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"player": "Nobodyhere"}, "unknown_player"),
        ({"result": "won"}, "unknown_player"),
        ({"cursor": "nonsense"}, "malformed"),
        ({"since_ms": -1}, "malformed"),
    ],
)
async def test_invalid_searches_are_refused(served: Served, fields: Frame, code: str) -> None:
    assert (await search(await served.visitor(), **fields))["code"] == code


async def test_a_guest_learns_how_they_fared_against_each_bot(served: Served) -> None:
    guest = await served.visitor()
    seats = [{"occupant": "me"}, {"occupant": "bot", "level": 2}]
    match = (await guest.ask("create", game="morris", seats=seats, setup="", clock=None))["match"]
    assert (await guest.ask("play", match=match, seat=0, move="a7"))["type"] == "accepted"
    assert (await guest.ask("resign", match=match, seat=0))["type"] == "accepted"
    records = (await guest.ask("get_bot_records", game="morris"))["records"]
    assert records == [{"bot": "bot-2", "won": 0, "drawn": 0, "lost": 1}]
    assert (await guest.ask("get_bot_records", game="mingmang"))["records"] == []
    assert (await guest.ask("get_bot_records", game="chess"))["code"] == "unknown_game"


async def test_two_players_are_compared_by_game(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    first = await play([ann, ben], rated=False)
    second = await play([ann, ben], rated=False)
    await ann.say("get_crosstable", id="x", player=None, opponent="Benno")
    table = await ann.hear_until("crosstable")
    assert [player["name"] for player in table["players"]] == ["Anna", "Benno"]
    assert table["scores"] == [{"game": "morris", "won": 0, "drawn": 0, "lost": 2}]
    assert ids(table) == [second, first]
    await ben.say("get_crosstable", id="y", player="Benno", opponent="bot-3")
    assert (await ben.hear_until("crosstable"))["scores"] == []
