"""What the memory of an SQLite file's writer admits, and when it reads a match anew."""

import pytest

from millrace.protocol import CommandId, MatchId
from millrace.server.storage import arbitration
from millrace.server.storage.arbitration import Arbiter, StoredMatch
from millrace.server.storage.batches import Append, Command

MATCH = MatchId("match")


class Stored:
    """A match in a database, which notes how often it is read."""

    def __init__(self, last_seq: int, *commands: Command) -> None:
        self.last_seq, self.commands = last_seq, commands
        self.reads: list[MatchId] = []

    def read(self, match: MatchId) -> StoredMatch:
        self.reads.append(match)
        return StoredMatch(self.last_seq, set(self.commands))


def append(expected_seq: int, *commands: str, match: MatchId = MATCH, ends: bool = False) -> Append:
    ids = [(0, CommandId(command)) for command in commands]
    return Append(match, expected_seq, events=[()], commands=ids, ends=ends)


def test_a_match_that_was_appended_to_is_not_read_again() -> None:
    stored = Stored(5)
    arbiter = Arbiter(stored.read)
    assert arbiter.admit([append(5), append(6)]) == [True, True]
    assert arbiter.admit([append(7)]) == [True]
    assert stored.reads == [MATCH]


def test_a_match_that_begins_is_not_read() -> None:
    stored = Stored(0)
    assert Arbiter(stored.read).admit([append(0), append(1)]) == [True, True]
    assert stored.reads == []


def test_nothing_is_refused_because_of_what_another_process_has_changed() -> None:
    stored = Stored(5)
    arbiter = Arbiter(stored.read)
    assert arbiter.admit([append(5)]) == [True]
    stored.last_seq = 8
    assert arbiter.admit([append(8), append(8), append(9)]) == [True, False, True]
    assert stored.reads == [MATCH, MATCH]


def test_a_command_is_admitted_once_whether_it_was_read_or_remembered() -> None:
    arbiter = Arbiter(Stored(5, (0, CommandId("read"))).read)
    answers = arbiter.admit([append(5, "read"), append(5, "new"), append(6, "new"), append(6, "a", "a")])
    assert answers == [False, True, False, False]


def test_what_was_not_stored_after_all_is_forgotten() -> None:
    stored = Stored(5)
    arbiter = Arbiter(stored.read)
    assert arbiter.admit([append(5, "once")]) == [True]
    arbiter.forget([MATCH])
    assert arbiter.admit([append(5, "once")]) == [True]


def test_matches_that_are_over_and_the_oldest_of_too_many_are_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arbitration, "REMEMBERED_MATCHES", 2)
    stored = Stored(5)
    arbiter = Arbiter(stored.read)
    first, second, third = (MatchId(name) for name in ("first", "second", "third"))
    arbiter.admit([append(5, match=match) for match in (first, second, first, third)])
    stored.last_seq = 6
    arbiter.admit([append(6, match=match, ends=True) for match in (third, first)])
    arbiter.admit([append(6, match=match) for match in (third, second)])
    assert stored.reads == [first, second, third, third, second]
