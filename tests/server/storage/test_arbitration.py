"""When the writer of an SQLite file reads a match again."""

import pytest

from millrace.protocol import MatchId
from millrace.server.storage import arbitration
from millrace.server.storage.appends import Append
from millrace.server.storage.arbitration import Arbiter, StoredMatch

MATCH = MatchId("match")


class Stored:
    """A match in a database, which notes how often it is read."""

    def __init__(self, last_seq: int) -> None:
        self.last_seq = last_seq
        self.reads: list[MatchId] = []

    def read(self, match: MatchId) -> StoredMatch:
        self.reads.append(match)
        return StoredMatch(self.last_seq, set())


def append(expected_seq: int, match: MatchId = MATCH, *, ends: bool = False) -> Append:
    return Append(match, expected_seq, events=[()], ends=ends)


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
