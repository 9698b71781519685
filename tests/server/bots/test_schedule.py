"""The schedule on simulated workers: its promise for any requests, then each of its rules by example."""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.server.bots.requests import Urgency
from millrace.server.bots.schedule import DELIVERY_SECONDS, LEAST_SCALE, PATIENCE_SECONDS, Begin, End, Ticket
from tests.server.bots.simulation import Simulation, schedule_of, ticket

SLACK_SECONDS = 1e-9
"""For rounding."""


@dataclass
class Person:
    """Somebody who plays a bot of one level, and replies to its moves after a while."""

    level_seconds: float
    comes_at: float
    ponders_seconds: float
    plies: int


people = st.builds(
    Person,
    st.sampled_from([0.001, 0.01, 0.2, 0.3, 1.0]),
    st.floats(0, 5),
    st.floats(0, 2),
    st.integers(1, 5),
)


def can_be_kept(simulation: Simulation, asked: Ticket, processors: int) -> bool:
    """Return whether the promise holds for a request that is made now: what the schedule's page says of it.

    Short searches that long workers help out with stand before long ones too.
    """
    workers = simulation.schedule.workers - processors if asked.is_short else processors
    unanswered = {*simulation.begun, *simulation.needs} - {*simulation.ended_at}
    under_way = {*simulation.begun} & unanswered
    in_the_way = {other for other in unanswered if other.is_short == asked.is_short}
    ahead = sum(other.level_seconds for other in in_the_way | (set() if asked.is_short else under_way))
    longest = max(asked.level_seconds, PATIENCE_SECONDS)
    return LEAST_SCALE * (ahead / workers + asked.level_seconds) <= 2 * longest - DELIVERY_SECONDS


@settings(deadline=None)
@given(st.lists(people, max_size=80), st.integers(1, 9), st.booleans(), st.randoms(use_true_random=False))
def test_every_request_is_answered_within_twice_its_levels_time(
    crowd: list[Person], processors: int, has_exhibitions: bool, chance: Random
) -> None:
    simulation = Simulation(schedule_of(processors))
    promised: list[Ticket] = []

    def play(name: str, person: Person, plies: int) -> None:
        asked = ticket(name, person.level_seconds)
        if can_be_kept(simulation, asked, processors):
            promised.append(asked)
        simulation.needs[asked] = person.level_seconds * chance.choice([0.1, 1, 1])
        if plies > 1:
            simulation.when_ended[asked] = partial(ponder_and_play, name, person, plies - 1)
        simulation.ask(asked)

    def ponder_and_play(name: str, person: Person, plies: int) -> None:
        simulation.at(simulation.now + person.ponders_seconds, partial(play, name, person, plies))

    def exhibit(number: int) -> None:
        simulation.ask(ticket(f"exhibition {number}", urgency=Urgency.EXHIBITION))

    for number, person in enumerate(crowd):
        simulation.at(person.comes_at, partial(play, str(number), person, person.plies))
        if has_exhibitions:
            simulation.at(person.comes_at / 2, partial(exhibit, number))
    simulation.run()
    assert len(promised) >= min(len(crowd), 30)
    for asked in promised:
        assert simulation.ended_at[asked] <= asked.search_due_at + SLACK_SECONDS


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 3), st.sampled_from([0.01, 1.0]), st.sampled_from(Urgency)), max_size=60))
def test_every_request_is_searched_and_no_worker_runs_two_searches(
    asked: list[tuple[float, float, Urgency]],
) -> None:
    simulation = Simulation(schedule_of(2))
    tickets = [ticket(str(number % 7), seconds, urgency) for number, (_, seconds, urgency) in enumerate(asked)]
    for each, (moment, _, _) in zip(tickets, asked, strict=True):
        simulation.at(moment, partial(simulation.ask, each))
    simulation.run()
    assert set(simulation.ended_at) == set(tickets)
    spans: dict[int, list[tuple[float, float]]] = {}
    for each in tickets:
        worker = simulation.begun[each].worker
        spans.setdefault(worker, []).append((simulation.began_at[each], simulation.ended_at[each]))
    for span in spans.values():
        span.sort()
        assert all(before[1] <= after[0] for before, after in pairwise(span))


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 3)), max_size=40))
def test_a_withdrawn_request_delays_nobody(asked: list[tuple[float, float]]) -> None:
    """Requests that are taken back while they wait or are searched, and one that is not, after all of them."""
    simulation = Simulation(schedule_of(1))
    for number, (moment, patience) in enumerate(asked):
        each = ticket(str(number))
        simulation.at(moment, partial(simulation.ask, each))
        simulation.at(moment + patience, partial(simulation.withdraw, each))
    last = ticket("last")
    simulation.at(10.0, partial(simulation.ask, last))
    simulation.run()
    assert simulation.begun[last].seconds == 1.0
    assert simulation.ended_at[last] == 11.0


@pytest.mark.parametrize("alone", [ticket(), ticket("bullet", 0.8, clock_ends_at=6.0, clock_share_seconds=0.2)])
def test_a_single_request_gets_its_levels_full_time_also_with_a_clock(alone: Ticket) -> None:
    simulation = Simulation(schedule_of(2))
    simulation.ask(alone)
    assert simulation.begun[alone].seconds == pytest.approx(alone.level_seconds)


def test_rounding_does_not_make_a_full_search_count_as_cut() -> None:
    for second in range(200):
        simulation = Simulation(schedule_of(2), now=second + 0.7)
        alone = ticket(seconds=0.1)
        simulation.ask(alone)
        assert not simulation.begun[alone].is_cut


def test_a_search_with_less_than_its_levels_time_is_cut() -> None:
    simulation = Simulation(schedule_of(1))
    crowd = [ticket(str(number)) for number in range(4)]
    simulation.ask(*crowd)
    simulation.run()
    assert all(simulation.begun[asked].is_cut for asked in crowd[1:])


@pytest.mark.parametrize("people", [1, 2, 4, 5, 10, 40, 77])
def test_simultaneous_requests_share_twice_the_time_minus_delivery(people: int) -> None:
    simulation = Simulation(schedule_of(2))
    crowd = [ticket(str(number)) for number in range(people)]
    simulation.ask(*crowd)
    simulation.run()
    assert max(simulation.ended_at.values()) <= 2.0 - DELIVERY_SECONDS + SLACK_SECONDS
    thought = sum(simulation.ended_at[asked] - simulation.began_at[asked] for asked in crowd)
    # Less than all, since what stands before a search is reckoned by a bound.
    assert thought >= min(people, 0.8 * 2 * 2.0)


def test_a_running_search_ends_sooner_when_others_arrive() -> None:
    simulation = Simulation(schedule_of(1))
    first, others = ticket("first"), [ticket(str(number)) for number in range(9)]
    simulation.ask(first)
    simulation.at(0.1, partial(simulation.ask, *others))
    simulation.run()
    assert simulation.ended_at[first] < 0.5
    assert all(simulation.ended_at[asked] <= 2.1 + SLACK_SECONDS for asked in others)


def test_a_request_with_little_clock_time_is_answered_before_it_runs_out() -> None:
    simulation = Simulation(schedule_of(1))
    others = [ticket(str(number)) for number in range(3)]
    simulation.ask(*others)
    hurried = ticket("hurried", 0.3, clock_ends_at=0.6)
    simulation.at(0.1, partial(simulation.ask, hurried))
    simulation.run()
    assert simulation.ended_at[hurried] <= 0.6 + SLACK_SECONDS
    assert simulation.ended_at[others[-1]] <= 2.0 + SLACK_SECONDS


def test_waiting_costs_a_clock_no_more_than_thinking() -> None:
    simulation = Simulation(schedule_of(1))
    others = [ticket(str(number)) for number in range(3)]
    simulation.ask(*others)
    bullet = ticket("bullet", 0.8, clock_ends_at=6.0, clock_share_seconds=0.2)
    simulation.at(0.1, partial(simulation.ask, bullet))
    simulation.run()
    assert simulation.began_at[bullet] <= 0.1 + 0.4 + SLACK_SECONDS
    assert all(simulation.ended_at[asked] <= 2.0 + SLACK_SECONDS for asked in others)


@pytest.mark.parametrize(("clock_ends_at", "seconds"), [(5.4, 0.4), (4.0, LEAST_SCALE)])
def test_a_late_search_gets_the_remaining_clock_time_and_never_none(clock_ends_at: float, seconds: float) -> None:
    simulation = Simulation(schedule_of(1))
    late = ticket(clock_ends_at=clock_ends_at)
    simulation.at(5.0, partial(simulation.ask, late))
    simulation.run()
    assert simulation.begun[late].seconds == pytest.approx(seconds)
    assert simulation.ended_at[late] == pytest.approx(5.0 + seconds)


def test_a_weak_level_does_not_wait_for_strong_ones() -> None:
    simulation = Simulation(schedule_of(2))
    strong = [ticket(str(number)) for number in range(2)]
    simulation.ask(*strong)
    weak = ticket("weak", 0.01)
    simulation.at(0.5, partial(simulation.ask, weak))
    simulation.run()
    assert simulation.ended_at[weak] == 0.51
    assert [simulation.ended_at[asked] for asked in strong] == [1.0, 1.0]


def test_a_player_of_fifty_matches_affects_another_like_one_match() -> None:
    simulation = Simulation(schedule_of(2))
    one = ticket("one")
    simulation.ask(*(ticket("many") for _ in range(50)), one)
    simulation.run()
    assert simulation.begun[one].seconds >= 0.5
    assert simulation.ended_at[one] <= 2.0


def test_an_exhibition_gives_way_to_a_person() -> None:
    simulation = Simulation(schedule_of(1))
    shown, analysed, asked = ticket("bots", urgency=Urgency.EXHIBITION), ticket("c", urgency=Urgency.ANALYSIS), ticket()
    simulation.ask(shown)
    simulation.at(0.2, partial(simulation.ask, analysed, asked))
    simulation.run()
    assert simulation.ended_at[shown] == 0.2
    assert (simulation.began_at[asked], simulation.ended_at[asked]) == (0.2, 1.2)
    assert simulation.began_at[analysed] == 1.2


def test_pondering_gives_way_to_a_request() -> None:
    simulation = Simulation(schedule_of(1))
    ahead = ticket("ann", 20.0, Urgency.PONDERING)
    simulation.ponder(ahead)
    asked = ticket("ben")
    simulation.at(0.5, partial(simulation.ask, asked))
    simulation.run()
    assert simulation.ended_at[ahead] == 0.5
    assert (simulation.began_at[asked], simulation.begun[asked].seconds) == (0.5, 1.0)


@pytest.mark.parametrize(("processors", "pondered"), [(1, 1), (2, 1), (4, 3)])
def test_pondering_leaves_one_of_several_processors_free(processors: int, pondered: int) -> None:
    simulation = Simulation(schedule_of(processors))
    for number in range(processors + 1):
        simulation.ponder(ticket(str(number), 20.0, Urgency.PONDERING))
    assert len(simulation.begun) == pondered


def test_nothing_ponders_while_all_workers_search() -> None:
    simulation = Simulation(schedule_of(1))
    simulation.ask(ticket())
    ahead = ticket("ben", 20.0, Urgency.PONDERING)
    simulation.ponder(ahead)
    assert ahead not in simulation.begun


def test_a_match_returns_to_its_worker_and_disturbs_no_other_pondering() -> None:
    simulation = Simulation(schedule_of(3))
    by_table = {}
    for table in ("x", "y"):
        by_table[table] = ticket(table, 20.0, Urgency.PONDERING, table)
        simulation.ponder(by_table[table])
    searched = {table: ticket(table, table=table) for table in ("y", "x", "z")}
    simulation.ask(*searched.values())
    workers = {table: simulation.begun[asked].worker for table, asked in searched.items()}
    assert (workers["x"], workers["y"], workers["z"]) == (0, 1, 2)
    assert workers["x"] == simulation.begun[by_table["x"]].worker


def test_a_single_request_uses_all_processors_until_others_arrive() -> None:
    simulation = Simulation(schedule_of(4))
    ahead = ticket("ben", 20.0, Urgency.PONDERING, "b")
    simulation.ponder(ahead)
    alone, next_one = ticket("ann", table="a", threads=True), ticket("cid", table="c", threads=True)
    simulation.ask(alone, next_one)
    assert simulation.begun[alone].threads == 4
    assert simulation.begun[next_one].threads == 1
    ends = [order for order in simulation.orders if isinstance(order, End)]
    assert [order.ticket for order in ends] == [ahead]


def test_a_weak_level_uses_one_processor() -> None:
    simulation = Simulation(schedule_of(4))
    weak = ticket("ann", 0.01)
    simulation.ask(weak)
    assert simulation.orders == [Begin(4, weak, 0.01, 1)]
