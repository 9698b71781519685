"""The fair queue: properties for every order of requests, then their meaning for two people."""

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.server.bots.queue import FairQueue
from millrace.server.bots.requests import Urgency


@dataclass(eq=False)
class Item:
    urgency: Urgency
    owner: str
    name: str = ""


items = st.builds(Item, st.sampled_from(Urgency), st.sampled_from("abc"))


def filled(waiting: list[Item]) -> FairQueue[Item]:
    queue = FairQueue[Item]()
    for item in waiting:
        queue.push(item)
    return queue


def emptied(queue: FairQueue[Item]) -> list[Item]:
    taken = []
    while queue:
        taken.append(queue.pop())
    return taken


@settings(deadline=None)
@given(st.lists(items))
def test_each_item_is_taken_once_most_urgent_first(waiting: list[Item]) -> None:
    taken = emptied(filled(waiting))
    assert Counter(map(id, taken)) == Counter(map(id, waiting))
    assert [item.urgency for item in taken] == sorted(item.urgency for item in waiting)


@settings(deadline=None)
@given(st.lists(items))
def test_an_owners_items_are_taken_in_order(waiting: list[Item]) -> None:
    taken = emptied(filled(waiting))
    for urgency in Urgency:
        for owner in "abc":
            own = [item for item in waiting if (item.urgency, item.owner) == (urgency, owner)]
            assert [item for item in taken if item in own] == own


@settings(deadline=None)
@given(st.lists(items), st.lists(st.one_of(items, st.none())))
def test_every_other_owner_is_served_between_two_items_of_an_owner(
    waiting: list[Item], later: list[Item | None]
) -> None:
    """None stands for a worker that takes the next item; all classes behave alike, so all items are moves here."""
    queue = filled([Item(Urgency.MOVE, item.owner) for item in waiting])
    passed_over: dict[str, set[str]] = {item.owner: set() for item in waiting}
    for item in later:
        if item is not None:
            queue.push(Item(Urgency.MOVE, item.owner))
            passed_over.setdefault(item.owner, set())
        elif queue:
            served = queue.pop().owner
            del passed_over[served]
            for owner, others in passed_over.items():
                assert served not in others, f"{served} came twice before {owner}"
                others.add(served)
            if any(head.owner == served for head in queue.heads(Urgency.MOVE)):
                passed_over[served] = set()


@settings(deadline=None)
@given(st.lists(items, min_size=1), st.data())
def test_a_withdrawn_item_is_never_taken_and_does_not_affect_others(waiting: list[Item], data: st.DataObject) -> None:
    withdrawn = data.draw(st.sampled_from(waiting))
    queue = filled(waiting)
    assert withdrawn in queue
    queue.remove(withdrawn)
    assert withdrawn not in queue
    others = [item for item in emptied(filled(waiting)) if item.owner != withdrawn.owner]
    assert [item for item in emptied(queue) if item.owner != withdrawn.owner] == others


@settings(deadline=None)
@given(st.lists(items))
def test_it_counts_the_items_of_each_class(waiting: list[Item]) -> None:
    queue = filled(waiting)
    counts = Counter(item.urgency for item in waiting)
    assert [queue.count(urgency) for urgency in Urgency] == [counts[urgency] for urgency in Urgency]


def test_a_player_of_fifty_matches_delays_another_by_one_search() -> None:
    queue = filled([Item(Urgency.MOVE, "many", str(number)) for number in range(50)])
    queue.push(Item(Urgency.MOVE, "one", "the only"))
    assert [queue.pop().name for _ in range(3)] == ["0", "the only", "1"]


def test_an_empty_queue_has_nothing_to_take() -> None:
    with pytest.raises(LookupError):
        FairQueue[Item]().pop()
