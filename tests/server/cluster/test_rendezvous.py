"""Which node owns a key."""

from collections import Counter

import pytest

from millrace.server.cluster import rendezvous
from millrace.server.cluster.rendezvous import Owners, choose_owner

MEMBERS = ("1f0a2b3c", "2e4d6f80", "93b1c5d7")
KEYS = [f"match-{number}" for number in range(3_000)]


def test_keys_are_distributed_evenly() -> None:
    owned = Counter(choose_owner(key, MEMBERS) for key in KEYS)
    assert all(900 < owned[member] < 1_100 for member in MEMBERS)


def test_the_order_of_the_members_does_not_matter() -> None:
    assert all(choose_owner(key, MEMBERS) == choose_owner(key, MEMBERS[::-1]) for key in KEYS)


def test_when_a_member_goes_only_its_keys_change_their_owner() -> None:
    for key in KEYS:
        owner = choose_owner(key, MEMBERS)
        assert choose_owner(key, MEMBERS[1:]) == owner or owner == MEMBERS[0]


def test_a_keys_owner_is_found_once_for_each_set_of_members(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed: list[str] = []

    def weight(key: str, member: str) -> bytes:
        weighed.append(member)
        return member.encode()

    monkeypatch.setattr(rendezvous, "_weight", weight)
    for members in (frozenset(MEMBERS), frozenset(MEMBERS[1:])):
        owners = Owners(members)
        assert [owners.of("match") for _ in range(3)] == [max(members)] * 3
        assert sorted(weighed) == sorted(members)
        weighed.clear()
