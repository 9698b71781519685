"""Unsent data for clients that do not read is bounded in total, and the slowest are disconnected first."""

from millrace.server.web.outboxes import Outboxes
from tests.server.callers.users import LimitsOnClock


class Slow:
    """A client that does not read."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        self.address = address
        self.unsent_bytes = 0
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True
        self.unsent_bytes = 0


class Table:
    """Outboxes with bounds of 10 KiB for a connection, 30 for an address and 50 in total."""

    def __init__(self) -> None:
        settings = {"outbox_kib.connection": 10.0, "outbox_kib.address": 30.0, "outbox_kib.everyone": 50.0}
        self.outboxes = Outboxes(LimitsOnClock(settings=settings).limits)

    def send(self, slow: Slow, kib: int) -> None:
        if not slow.is_cut:
            slow.unsent_bytes += 1024 * kib
            self.outboxes.check(slow)

    def slow(self, *addresses: str) -> list[Slow]:
        made = [Slow(address) for address in addresses]
        for each in made:
            self.outboxes.begin(each)
        return made


def test_a_connection_beyond_its_own_bound_is_cut() -> None:
    table = Table()
    one, other = table.slow("a", "b")
    table.send(one, 10)
    table.send(other, 5)
    assert not one.is_cut
    table.send(one, 1)
    assert (one.is_cut, other.is_cut) == (True, False)
    assert table.outboxes.total_bytes == 5 * 1024


def test_the_slowest_of_an_address_are_cut_until_it_is_well_within_its_bound() -> None:
    table = Table()
    made = table.slow("a", "b", *"aaaa")
    for each in made:
        table.send(each, 6)
    assert [each.is_cut for each in made] == [False] * 6
    table.send(made[-1], 3)
    assert [each.is_cut for each in made] == [True, False, False, False, False, False]


def test_the_slowest_of_all_are_cut_when_the_total_is_too_large() -> None:
    table = Table()
    made = table.slow(*"abcdefg")
    for each in made:
        table.send(each, 8)
    assert [each.is_cut for each in made] == [True, True, False, False, False, False, False]
    assert table.outboxes.total_bytes <= 50 * 1024


def test_a_client_that_has_read_meanwhile_no_longer_counts() -> None:
    table = Table()
    made = table.slow(*"abcdefg")
    for each in made:
        table.send(each, 7)
        each.unsent_bytes = 100
    table.send(made[0], 5)
    assert not any(each.is_cut for each in made)


def test_nothing_is_left_of_clients_that_are_fast_again_or_gone() -> None:
    table = Table()
    one, other = table.slow("a", "b")
    table.send(one, 4)
    table.send(other, 4)
    table.outboxes.end(one)
    table.outboxes.end(other)
    table.outboxes.end(other)
    table.send(one, 4)
    assert table.outboxes.total_bytes == 0
