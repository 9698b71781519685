"""The journal's contract, on every database that the server knows."""

import asyncio

import pytest

from millrace.protocol import (
    CommandId,
    Event,
    IdentityId,
    MatchId,
    Moved,
    Player,
    RematchOffered,
    RematchStarted,
    Resumed,
    Seated,
    Started,
)
from millrace.server.app.stores import open_journal
from millrace.server.journal.entries import Entry, Origin, Recorded
from millrace.server.journal.journal_store import Journal
from millrace.server.storage.errors import StorageError
from tests.server.journal.entries import CREATED, ENDED, MATCH, ORIGIN, create, move, moves_of


async def test_what_was_appended_is_loaded_as_it_was(journal: Journal) -> None:
    events: list[Event] = [
        CREATED,
        Seated(0, Player(IdentityId("anna"), "Änna \N{GRINNING FACE} \0")),
        Started(),
        Moved(0, "a4-a7xd6", (299_000, 300_000)),
        Resumed((299_000, 300_000), 20_000),
        ENDED,
        RematchOffered(0),
        RematchStarted(MatchId("next")),
    ]
    entries = [Entry(event, 1_800_000_000_000 + n, 0, CommandId(f"c{n}")) for n, event in enumerate(events[:-1])]
    entries.append(Entry(events[-1], 2**53 - 1))
    assert await journal.append(MATCH, 0, entries, ORIGIN)
    assert await journal.load(MATCH) == tuple(Recorded(seq, entry) for seq, entry in enumerate(entries, 1))


async def test_a_match_that_does_not_exist_has_no_events(journal: Journal) -> None:
    assert await journal.load(MATCH) == ()


async def test_the_number_of_an_event_is_taken_once(journal: Journal) -> None:
    assert await create(journal)
    first, second = await asyncio.gather(*(journal.append(MATCH, 1, [move(text)]) for text in ("a1", "d1")))
    assert first
    assert not second
    assert not await journal.append(MATCH, 1, [move("g1")])
    assert moves_of(await journal.load(MATCH)) == ["a1"]


async def test_an_append_behind_another_of_the_same_batch_is_stored(journal: Journal) -> None:
    assert await create(journal)
    appends = [journal.append(MATCH, seq, [move(f"{seq}")]) for seq in range(1, 20)]
    assert all(await asyncio.gather(*appends))
    assert moves_of(await journal.load(MATCH)) == [f"{seq}" for seq in range(1, 20)]


async def test_an_append_that_would_leave_a_gap_is_refused(journal: Journal) -> None:
    assert await create(journal)
    assert not await journal.append(MATCH, 2, [move("a1")])
    assert not await journal.append(MatchId("unknown"), 1, [move("a1")])
    assert len(await journal.load(MATCH)) == 1
    assert await journal.load(MatchId("unknown")) == ()


async def test_a_command_is_remembered_for_the_life_of_its_match(journal: Journal) -> None:
    assert await create(journal)
    assert await journal.append(MATCH, 1, [move("a1", 0, "once")])
    assert await journal.append(MATCH, 2, [move("d1", 1, "once")]), "another seat's ids are its own"
    assert not await journal.append(MATCH, 3, [move("g1", 0, "once")])
    assert moves_of(await journal.load(MATCH)) == ["a1", "d1"]


async def test_several_events_are_stored_all_or_none(journal: Journal) -> None:
    assert await create(journal)
    assert await journal.append(MATCH, 1, [move("a1", 0, "first"), move("d1"), move("g1")])
    assert not await journal.append(MATCH, 4, [move("a4"), move("d4"), move("g4", 0, "first")])
    assert not await journal.append(MATCH, 4, [move("a4", 0, "twice"), move("d4", 0, "twice")])
    assert not await journal.append(MATCH, 3, [move("a4"), move("d4")])
    assert moves_of(await journal.load(MATCH)) == ["a1", "d1", "g1"]


async def test_no_two_matches_share_an_origin(journal: Journal) -> None:
    first, second = MatchId("first"), MatchId("second")
    assert await asyncio.gather(*(create(journal, match) for match in (first, second))) == [True, False]
    assert await journal.find_created(ORIGIN) == first
    assert await journal.load(second) == ()
    assert not await journal.append(second, 1, [move("a1")])
    assert await journal.unfinished() == (first,)
    assert await journal.find_created(Origin("anna", CommandId("another"))) is None


async def test_the_id_of_a_match_is_taken_once(journal: Journal) -> None:
    assert await create(journal)
    assert not await create(journal, MATCH, Origin("berta", CommandId("create")))
    assert await journal.find_created(Origin("berta", CommandId("create"))) is None
    assert len(await journal.load(MATCH)) == 1


async def test_a_conflict_fails_no_other_append_of_its_batch(journal: Journal) -> None:
    matches = [MatchId(f"match-{number}") for number in range(50)]
    origins = [Origin("anna", CommandId(match)) for match in matches]
    assert all(await asyncio.gather(*map(create, [journal] * 50, matches, origins)))
    appends = [journal.append(match, 1 + number % 2, [move("a1")]) for number, match in enumerate(matches)]
    assert await asyncio.gather(*appends) == [True, False] * 25
    assert [len(await journal.load(match)) for match in matches] == [2, 1] * 25


async def test_what_cannot_be_stored_fails_no_other_append_of_its_batch(journal: Journal) -> None:
    assert await create(journal)
    stored, refused = await asyncio.gather(
        journal.append(MATCH, 1, [move("a1")]),
        journal.append(MatchId("\ud800"), 1, [move("a1")]),
        return_exceptions=True,
    )
    assert stored is True
    assert isinstance(refused, StorageError)
    with pytest.raises(StorageError):
        await journal.load(MatchId("\ud800"))


async def test_a_match_is_unfinished_until_it_has_ended(journal: Journal) -> None:
    first, second = MatchId("first"), MatchId("second")
    later = Entry(CREATED, 1_800_000_000_001)
    assert await journal.append(second, 0, [later], Origin("berta", CommandId("create")))
    assert await create(journal, first)
    assert await journal.unfinished() == (first, second)
    assert not await journal.append(first, 2, [Entry(ENDED, 1)])
    assert await journal.unfinished() == (first, second)
    assert await journal.append(first, 1, [Entry(ENDED, 1)])
    assert await journal.append(first, 2, [Entry(RematchOffered(0), 2)])
    assert await journal.unfinished() == (second,)


async def test_the_last_beat_is_that_of_the_node_which_beat_last(journal: Journal) -> None:
    assert await journal.last_beat_ms() is None
    await journal.beat("north", 1_800_000_000_000)
    await journal.beat("south", 1_800_000_000_500)
    await journal.beat("north", 1_800_000_000_400)
    assert await journal.last_beat_ms() == 1_800_000_000_500


async def test_the_matches_of_a_player_are_found_by_their_seats(journal: Journal) -> None:
    ann, ben = (Player(IdentityId(name), name.title()) for name in ("ann", "ben"))
    for number, players in enumerate([(ann, ben), (ben, ann), (ben, ben)]):
        match = MatchId(f"match-{number}")
        seated = [Entry(Seated(seat, player), number) for seat, player in enumerate(players)]
        origin = Origin("anna", CommandId(match))
        assert await journal.append(match, 0, [Entry(CREATED, number), *seated], origin)
    assert await journal.append(MatchId("match-0"), 3, [Entry(ENDED, 9)])
    assert await journal.matches_of(ann.id) == ("match-1", "match-0")
    assert await journal.matches_of(ben.id, unfinished=True) == ("match-2", "match-1")
    assert await journal.matches_of(IdentityId("eve")) == ()


async def test_what_was_stored_is_there_when_the_journal_is_opened_again(url: str) -> None:
    journal = await open_journal(url)
    assert await create(journal)
    pending = [asyncio.ensure_future(journal.append(MATCH, seq, [move(f"{seq}")])) for seq in range(1, 100)]
    await asyncio.wait(pending[:1])
    await journal.close()
    assert all(await asyncio.gather(*pending)), "close writes what is pending"
    journal = await open_journal(url)
    assert len(await journal.load(MATCH)) == 100
    await journal.close()


async def test_a_closed_journal_takes_no_more(url: str) -> None:
    journal = await open_journal(url)
    await journal.close()
    with pytest.raises(StorageError, match="closed"):
        await create(journal)


async def test_a_rematch_that_was_answered_is_found_until_it_starts(journal: Journal) -> None:
    first, second = MatchId("m1"), MatchId("m2")
    for match in (first, second):
        assert await journal.append(match, 0, [Entry(CREATED, 0)], Origin("anna", CommandId(match)))
        assert await journal.append(match, 1, [Entry(RematchOffered(0), 1_000)])
        assert await journal.append(match, 2, [Entry(RematchOffered(1), 5_000)])
    assert set(await journal.rematches_answered_since(5_000)) == {first, second}
    assert await journal.append(first, 3, [Entry(RematchStarted(MatchId("m3")), 6_000)])
    assert await journal.rematches_answered_since(5_000) == (second,)
    assert await journal.rematches_answered_since(5_001) == ()
    assert await journal.rematches_answered_since(0) == ()
