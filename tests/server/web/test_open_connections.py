"""Room for connections: silent ones give way, and no address takes more than half."""

from contextlib import suppress

import pytest

from millrace.protocol.refusal import Refusal
from millrace.server.web.open_connections import OpenConnections
from tests.server.callers.users import LimitsOnClock


class Cut:
    """A connection that remembers whether it was cut."""

    def __init__(self) -> None:
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True


def connections(most: int, of_address: int = 100) -> OpenConnections[Cut]:
    return OpenConnections(LimitsOnClock(settings={"connections.address": of_address}).limits, most)


def test_the_oldest_silent_connection_of_a_full_address_gives_way() -> None:
    table, made = connections(100, of_address=3), [Cut() for _ in range(5)]
    for each in made:
        assert table.admit(each, "192.0.2.1")
    assert [each.is_cut for each in made] == [True, True, False, False, False]
    assert len(table) == 3


def test_players_are_never_cut() -> None:
    table, made, late = connections(100, of_address=3), [Cut() for _ in range(3)], Cut()
    for each in made:
        table.admit(each, "192.0.2.1")
        table.note_hello(each)
    assert table.admit(late, "192.0.2.1"), "it may ask for something"
    with pytest.raises(Refusal, match="too many connections from your address"):
        table.note_hello(late)
    assert table.admit(late, "192.0.2.2"), "others have room"
    table.note_hello(late)
    assert not any(each.is_cut for each in made)
    table.remove(made[0])
    assert table.admit(late, "192.0.2.1"), "it moves to another address, as behind a proxy"
    table.note_hello(late)
    assert len(table) == 3


def test_a_flooding_address_displaces_no_other() -> None:
    table, made = connections(100, of_address=3), [Cut() for _ in range(10)]
    admitted = [table.admit(each, "192.0.2.1", is_flooding=True) for each in made]
    assert admitted == [True] * 6 + [False] * 4
    assert not any(each.is_cut for each in made)


def test_an_address_gets_at_most_half_of_the_server() -> None:
    table, flood = connections(10), [Cut() for _ in range(30)]
    for each in flood:
        assert table.admit(each, "192.0.2.1")
        with suppress(Refusal):
            table.note_hello(each)
    assert len(table) == 6, "five players and one request"
    assert all(table.admit(Cut(), f"192.0.2.{number}") for number in range(10, 15))


def test_on_a_full_server_the_longest_silent_connection_gives_way() -> None:
    table, silent = connections(4), [Cut() for _ in range(2)]
    for number, each in enumerate(silent):
        table.admit(each, f"192.0.2.{number}")
    players = [Cut() for _ in range(4)]
    for number, each in enumerate(players):
        assert table.admit(each, f"198.51.100.{number}")
        table.note_hello(each)
    assert [each.is_cut for each in silent] == [True, True]
    late = [Cut() for _ in range(2)]
    for each in late:
        assert table.admit(each, "203.0.113.1")
        with pytest.raises(Refusal, match="server is full"):
            table.note_hello(each)
    assert [each.is_cut for each in (*late, *players)] == [True] + [False] * 5
    table.remove(late[1])
    for each in players:
        table.remove(each)
    assert len(table) == 0
