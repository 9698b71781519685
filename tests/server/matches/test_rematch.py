"""Rematches: who is asked, who declines, and what follows."""

from millrace.protocol import (
    CommandId,
    Created,
    DeclineRematch,
    Rematch,
    RematchDeclined,
    RematchOffered,
    Seated,
    SeatPlan,
    Started,
)
from millrace.server.matches.creation import open_rematch
from millrace.server.matches.rematch import is_rematch_agreed, rematch_waits_for
from tests.server.matches.offering import accept, morris, offer, sheep
from tests.server.tables import ID, MATCH, PEOPLE, Table


def over(seats: int = 2, has_departure: bool = False) -> Table:
    """A match that is over; of three seats, the last may have been left before the others agreed on a draw."""
    if seats == 2:
        table = morris("d6", "f4")
        table.resign(0)
        return table
    table = sheep("a1-d1:8", "a2-d2:8", "a3-d3:8")
    if has_departure:
        table.resign(2)
    offer(table, 0, "draw")
    for seat in (1,) if has_departure else (1, 2):
        accept(table, seat, "draw")
    return table


def test_with_two_seats_declining_ends_a_rematch_offer() -> None:
    table = over()
    table.obey(Rematch(ID, MATCH, 0), PEOPLE[0])
    assert rematch_waits_for(table.match) == {1}
    assert table.obey(DeclineRematch(ID, MATCH, 1), PEOPLE[1]) == [RematchDeclined(1)]
    assert rematch_waits_for(table.match) == frozenset()
    table.obey(Rematch(CommandId("again"), MATCH, 1), PEOPLE[1])
    assert not is_rematch_agreed(table.match)
    table.obey(Rematch(CommandId("again"), MATCH, 0), PEOPLE[0])
    assert is_rematch_agreed(table.match)


def test_with_three_seats_declining_leaves_an_open_seat() -> None:
    table = over(3)
    for seat in (0, 2):
        table.obey(Rematch(ID, MATCH, seat), PEOPLE[seat])
    assert not is_rematch_agreed(table.match)
    table.obey(DeclineRematch(ID, MATCH, 1), PEOPLE[1])
    assert is_rematch_agreed(table.match)
    created, *seated = open_rematch(table.match, 0)
    assert isinstance(created, Created)
    assert created.seats[2] == SeatPlan("open")
    assert seated == [Seated(0, PEOPLE[2]), Seated(1, PEOPLE[0])]


def test_a_rematch_does_not_wait_for_departed_players() -> None:
    table = over(3, has_departure=True)
    for seat in (0, 1):
        assert table.obey(Rematch(ID, MATCH, seat), PEOPLE[seat]) == [RematchOffered(seat)]
    assert is_rematch_agreed(table.match)


def test_a_departed_player_can_join_the_rematch() -> None:
    table = over(3, has_departure=True)
    for seat in (2, 0, 1):
        table.obey(Rematch(ID, MATCH, seat), PEOPLE[seat])
    assert Started() in open_rematch(table.match, 0)


def test_one_remaining_player_of_three_has_no_rematch() -> None:
    table = over(3)
    table.obey(Rematch(ID, MATCH, 0), PEOPLE[0])
    for seat in (1, 2):
        table.obey(DeclineRematch(ID, MATCH, seat), PEOPLE[seat])
    assert not is_rematch_agreed(table.match)
