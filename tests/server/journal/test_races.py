"""Appends at once: within a server they are answered as if in turn, and of two servers exactly one gets each number."""

import asyncio
import random
import uuid
from collections import defaultdict
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millrace.protocol import CommandId, MatchId
from millrace.server.app.stores import open_journal
from millrace.server.journal.entries import Entry, Origin
from millrace.server.journal.journal_store import Journal
from tests.server.journal.entries import CREATED, create, move, moves_of


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
