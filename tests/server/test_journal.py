"""The journal's contract, on every database that the server knows."""

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import uuid
from asyncio.subprocess import Process
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.journal import NO_SEAT, Entry, Journal, Origin, Recorded, StorageError
from server.protocol import (
    ClockSettings,
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    Moved,
    Player,
    RematchOffered,
    RematchStarted,
    Resumed,
    Seated,
    SeatPlan,
    Started,
)
from server.storage import open_journal
from server.storage import sqlite as sqlite_storage
from server.storage.statements import Row
from server.storage.writer import Append, Outcome, Writer
from tests.server.databases import fresh_postgres, run_sql

CREATED = Created("morris", "", (SeatPlan("me"), SeatPlan("bot", 3)), ClockSettings(300_000, 2_000))
ENDED = Ended((1, 2), "resignation", "White has given up.", 1)
MATCH = MatchId("match")
ORIGIN = Origin("anna", CommandId("create"))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with fresh_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.db'}"
    address: str = request.getfixturevalue("postgres_url")
    run_sql(address, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return address


@pytest.fixture
async def journal(url: str) -> AsyncIterator[Journal]:
    opened = await open_journal(url)
    yield opened
    await opened.close()


def move(text: str, seat: int = 0, command: str | None = None) -> Entry:
    command_id = None if command is None else CommandId(command)
    return Entry(Moved(seat, text, None), 1_800_000_000_000, seat if command else NO_SEAT, command_id)


def moves_of(recorded: Sequence[Recorded]) -> list[str]:
    assert [record.seq for record in recorded] == list(range(1, len(recorded) + 1))
    return [event.move for _, (event, *_) in recorded if isinstance(event, Moved)]


async def create(journal: Journal, match: MatchId = MATCH, origin: Origin = ORIGIN) -> bool:
    return await journal.append(match, 0, [Entry(CREATED, 1_800_000_000_000, 0, origin.command_id)], origin)


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


async def test_somebodys_matches_are_found_by_who_sits_in_them(journal: Journal) -> None:
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


class Attempt(NamedTuple):
    """An append of random size at a random distance from the match's end, with ids that are likely to repeat."""

    match: int
    ahead: int
    commands: tuple[tuple[int, int] | None, ...]
    origin: int


_commands = st.none() | st.tuples(st.integers(0, 1), st.integers(0, 9))
_attempts = st.builds(
    Attempt,
    match=st.integers(0, 3),
    ahead=st.sampled_from([0, 0, 0, 0, -1, 1]),
    commands=st.lists(_commands, min_size=1, max_size=4).map(tuple),
    origin=st.integers(0, 5),
)


class Model:
    """What the journal must answer, for appends one after another."""

    def __init__(self, run: str):
        self.run = run
        self.lengths: dict[MatchId, int] = defaultdict(int)
        self.commands: dict[MatchId, set[tuple[int, str]]] = defaultdict(set)
        self.origins: dict[Origin, MatchId] = {}

    def prepare(self, attempt: Attempt) -> tuple[MatchId, int, list[Entry], Origin | None]:
        match = MatchId(f"{self.run}-{attempt.match}")
        seq = max(0, self.lengths[match] + attempt.ahead)
        entries = [
            move(f"{seq}", *(() if command is None else (command[0], f"{command[1]}"))) for command in attempt.commands
        ]
        if seq:
            return match, seq, entries, None
        return (
            match,
            0,
            [entries[0]._replace(event=CREATED), *entries[1:]],
            Origin(self.run, CommandId(f"{attempt.origin}")),
        )

    def append(self, match: MatchId, seq: int, entries: list[Entry], origin: Origin | None) -> bool:
        commands = [(entry.seat, entry.command_id) for entry in entries if entry.command_id is not None]
        taken = self.commands[match].intersection(commands)
        if seq != self.lengths[match] or len(set(commands)) < len(commands) or taken or origin in self.origins:
            return False
        self.lengths[match] += len(entries)
        self.commands[match].update(commands)
        if origin is not None:
            self.origins[origin] = match
        return True


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(_attempts, min_size=1, max_size=8), max_size=6))
async def test_appends_made_at_once_are_answered_as_if_made_in_turn(
    journal: Journal, batches: list[list[Attempt]]
) -> None:
    model = Model(uuid.uuid4().hex)
    for batch in batches:
        calls, answers = [], []
        for attempt in batch:
            call = model.prepare(attempt)
            calls.append(call)
            answers.append(model.append(*call))
        assert await asyncio.gather(*(journal.append(*call) for call in calls)) == answers
    for match, length in model.lengths.items():
        recorded = await journal.load(match)
        assert [record.seq for record in recorded] == list(range(1, length + 1))
        commands = [(entry.seat, entry.command_id) for _, entry in recorded if entry.command_id is not None]
        assert len(commands) == len(set(commands))
        assert set(commands) == model.commands[match]
    for origin, match in model.origins.items():
        assert await journal.find_created(origin) == match


async def test_of_two_servers_that_race_exactly_one_gets_each_number(url: str) -> None:
    journals = [await open_journal(url) for _ in range(2)]
    matches = [MatchId(f"match-{number}") for number in range(4)]
    wins: dict[tuple[MatchId, int], list[str]] = defaultdict(list)

    async def play(journal: Journal, name: str, match: MatchId) -> None:
        await create(journal, match, Origin("anna", CommandId(match)))
        while (length := len(await journal.load(match))) < 30:
            size = random.randint(1, 3)
            if await journal.append(match, length, [move(name)] * size):
                for seq in range(length + 1, length + size + 1):
                    wins[match, seq].append(name)

    await asyncio.gather(
        *(play(journal, f"{n}-{i}", match) for n, journal in enumerate(journals) for i in (0, 1) for match in matches)
    )
    for match in matches:
        recorded = await journals[0].load(match)
        assert [[name] for name in moves_of(recorded)] == [wins[match, seq] for seq in range(2, len(recorded) + 1)]
    for journal in journals:
        await journal.close()


async def test_of_two_servers_that_are_sent_the_same_commands_one_obeys_each(url: str) -> None:
    journals = [await open_journal(url) for _ in range(2)]
    matches = [MatchId(f"match-{number}") for number in range(8)]
    origins = [Origin("anna", CommandId(f"{number // 2}")) for number in range(8)]
    made = await asyncio.gather(*(create(j, m, o) for j in journals for m, o in zip(matches, origins, strict=True)))
    assert sum(made) == 4
    created = [await journals[0].find_created(origin) for origin in origins[::2]]
    assert sorted(filter(None, created)) == sorted(await journals[1].unfinished())

    async def obey(journal: Journal, match: MatchId, command: str) -> bool:
        while True:
            recorded = await journal.load(match)
            if any(entry.command_id == command for _, entry in recorded):
                return False
            if await journal.append(match, len(recorded), [move("a1", 0, command)]):
                return True

    for match in filter(None, created):
        obeyed = await asyncio.gather(*(obey(journal, match, f"move-{n}") for n in range(5) for journal in journals))
        assert sum(obeyed) == 5
        assert len(await journals[0].load(match)) == 6
    for journal in journals:
        await journal.close()


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
async def test_every_acknowledged_event_outlives_a_kill(url: str, kills: int) -> None:
    await (await open_journal(url)).close()
    command = [sys.executable, "-m", "tests.server.appending", url]
    process = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number in range(kills):
        acknowledged = await append_until_killed(process, f"run{number}", random.randint(1, 500))
        journal = await open_journal(url)
        for match, seq in acknowledged.items():
            recorded = await journal.load(match)
            assert len(recorded) >= seq
            assert moves_of(recorded) == [f"{n}" for n in range(2, len(recorded) + 1)]
        await journal.close()
    assert process.stdin is not None
    process.stdin.close()
    assert await process.wait() == 0


async def append_until_killed(process: Process, run: str, acknowledgements: int) -> dict[MatchId, int]:
    """Kill a child of `tests.server.appending` after so many acknowledgements; return the last one of each match."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{run}\n".encode())
    child = int((await process.stdout.readline()).removeprefix(b"began "))
    last: dict[MatchId, int] = {}
    while (line := (await process.stdout.readline()).decode().strip()) != "ended":
        match, seq = line.split()
        last[MatchId(match)] = int(seq)
        acknowledgements -= 1
        if acknowledgements == 0:
            os.kill(child, signal.SIGKILL)
    return last


class ScriptedDatabase:
    """A `Database` that fails when told to, and waits when told to."""

    def __init__(self) -> None:
        self.failures: list[Exception] = []
        self.written: list[Append] = []
        self.begun = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    async def write(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        self.begun.set()
        await self.open.wait()
        if self.failures:
            raise self.failures.pop()
        self.written += appends
        return [True] * len(appends)

    async def fetch(self, statement: str, *parameters: object) -> Sequence[Row]:
        raise NotImplementedError

    async def execute(self, statement: str, *parameters: object) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


@pytest.mark.parametrize("failure", [StorageError("the disk is full"), ZeroDivisionError()])
async def test_a_failed_batch_is_told_to_each_who_waits_and_the_next_is_written(failure: Exception) -> None:
    database = ScriptedDatabase()
    writer = Writer(database)
    database.failures.append(failure)
    first, second, third = (Append(((n,),)) for n in range(3))
    outcomes = await asyncio.gather(writer.append(first), writer.append(second), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StorageError, StorageError]
    assert await writer.append(third)
    assert database.written == [third]
    await writer.close()


async def test_an_append_is_written_though_its_caller_is_cancelled() -> None:
    database = ScriptedDatabase()
    writer = Writer(database)
    database.open.clear()
    first, second, third = (Append(((n,),)) for n in range(3))
    being_written = asyncio.ensure_future(writer.append(first))
    await database.begun.wait()
    pending = [asyncio.ensure_future(writer.append(append)) for append in (second, third)]
    being_written.cancel()
    database.open.set()
    assert all(await asyncio.gather(*pending))
    assert being_written.cancelled()
    assert database.written == [first, second, third]
    await writer.close()


async def test_a_file_that_is_locked_for_too_long_fails_the_append_and_serves_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_storage, "BUSY_SECONDS", 0.0)
    journal = await open_journal(str(tmp_path / "journal.db"))
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="locked"):
        await create(journal)
    other.execute("ROLLBACK")
    other.close()
    assert await create(journal)
    await journal.close()


@pytest.mark.postgres
async def test_a_connection_that_breaks_fails_its_batch_and_the_next_is_written(postgres_url: str) -> None:
    journal = await open_journal(postgres_url)
    match = MatchId(uuid.uuid4().hex)
    await create(journal, match, Origin(match, CommandId("create")))
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("BEGIN; LOCK TABLE events")
    blocked = asyncio.ensure_future(journal.append(match, 1, [move("a1")]))
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    while not await connection.fetchval(f"SELECT count(*) {others} AND wait_event_type = 'Lock'"):
        pass
    await connection.execute(f"SELECT pg_terminate_backend(pid) {others}")
    with pytest.raises(StorageError, match=r"the database postgresql://.*/millrace_"):
        await blocked
    await connection.execute("ROLLBACK")
    await connection.close()
    assert await journal.append(match, 1, [move("d1")])
    assert moves_of(await journal.load(match)) == ["d1"]
    await journal.close()


@pytest.mark.postgres
async def test_a_database_that_does_not_exist_is_named_without_its_password(postgres_url: str) -> None:
    parts = urlsplit(postgres_url)
    missing = f"postgres://{parts.username}:secret@{parts.hostname}:{parts.port or 5432}/millrace_missing"
    with pytest.raises(StorageError, match='"millrace_missing" does not exist') as refusal:
        await open_journal(missing)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "not a file's path"),
        ("sqlite://", "no path"),
        ("sqlite://:memory:", "no path"),
        ("sqlite:///:memory:", "only a file outlives the server"),
        ("mysql://localhost/test", "no database is known by 'mysql://'"),
        ("sqlite+aiosqlite:///journal.db", "no database is known by"),
        ("postgresql://localhost:port/test", "does not parse"),
        ("postgresql://root@127.0.0.1:1/test", "127.0.0.1:1/test: .*refused|Connect call failed"),
        ("{folder}", "is a folder"),
        ("{folder}/missing/journal.db", "there is no folder"),
        ("{folder}/text.db", "file is not a database"),
    ],
)
async def test_an_address_that_is_no_use_is_explained(tmp_path: Path, address: str, words: str) -> None:
    (tmp_path / "text.db").write_text(
        "This file is no database, but a text that is long enough to be told from one.\n" * 9
    )
    with pytest.raises(StorageError, match=words):
        await open_journal(address.format(folder=tmp_path))


async def test_a_bare_path_and_a_url_name_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in ("journal.db", f"{tmp_path}/journal.db", "sqlite:///journal.db", f"sqlite:///{tmp_path}/journal.db"):
        journal = await open_journal(address)
        await create(journal)
        assert await journal.unfinished() == (MATCH,)
        await journal.close()
    assert os.listdir(tmp_path) == ["journal.db"]
