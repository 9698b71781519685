"""The index of waiting matches agrees with a search through all of them, whatever comes, changes and goes."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.protocol import CommandId, Create, IdentityId, MatchId, Player, SeatPlan
from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.events import SeeksChanged
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.lobby.lists import LobbyLists
from millrace.server.lobby.seek_index import SeekIndex
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import replay
from millrace.server.matches.match import Match
from tests.server.lobby.doubles import FakeSession

PLAYERS = [Player(IdentityId(name), name) for name in ("ann", "ben", "cat")]
ADDRESSES = ["192.0.2.1", "192.0.2.2"]


def waiting(number: int, creator: Player, invited: IdentityId | None) -> Match:
    create = Create(CommandId("c"), "morris", (SeatPlan("me"), SeatPlan("open")), listed=invited is None)
    events = open_match(create, creator, (0, 1), 0, invited=invited)
    recorded = [Recorded(seq, Entry(event, 0)) for seq, event in enumerate(events, 1)]
    return replay(MatchId(f"m{number}"), recorded)


changes = st.tuples(
    st.sampled_from(["put", "put_address", "remove"]),
    st.integers(0, 5),
    st.sampled_from(PLAYERS),
    st.sampled_from([None, *(player.id for player in PLAYERS)]),
    st.sampled_from(ADDRESSES),
)


@given(st.lists(changes, max_size=30))
def test_the_index_finds_what_a_search_finds(made: list[tuple[str, int, Player, IdentityId | None, str]]) -> None:
    index, matches, addresses = SeekIndex(), dict[MatchId, Match](), dict[MatchId, str]()
    for kind, number, creator, invited, address in made:
        match_id = MatchId(f"m{number}")
        if kind == "put" and match_id not in matches:
            matches[match_id] = waiting(number, creator, invited)
            index.put(matches[match_id])
        elif kind == "put_address" and match_id in matches:
            addresses[match_id] = address
            index.put_address(match_id, address)
        elif kind == "remove":
            addresses.pop(match_id, None)
            assert index.remove(match_id) == matches.pop(match_id, None)
    assert [*index.matches] == [*matches]
    assert sorted(match.id for match in index.shared_out()) == sorted(matches)
    assert [match.id for match in index.newest_first(index.shared_out())] == [*reversed(matches)]
    for address in ADDRESSES:
        assert index.count_at(address) == [*addresses.values()].count(address)
    for player in PLAYERS:
        seated = {match.id for match in matches.values() if player.id in match.people}
        challenged = [match.id for match in matches.values() if match.created.invited == player.id]
        assert {*index.of_player(player.id)} == seated
        assert [*index.challenging(player.id)] == challenged


async def test_lists_are_sent_to_one_watcher_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many watch, others have their turn in between."""
    monkeypatch.setattr("millrace.server.runtime.slices.SLICE_SECONDS", 0.0)
    monkeypatch.setattr("millrace.server.lobby.lists.INTERVAL_SECONDS", 0.0)
    bus, turns, seen = LocalBus(), 0, list[int]()
    empty: Any = SimpleNamespace(listed=lambda: [], online=lambda: (), seeks_for=lambda _: ())
    lists = LobbyLists(empty, empty, empty, lambda _: (), bus)

    class Watcher(FakeSession):
        def deliver(self, frames: object) -> None:
            seen.append(turns)

    for name in "abc":
        lists.watch(cast(Any, Watcher(IdentityId(name))))
    seen.clear()
    bus.publish(SeeksChanged())
    while len(seen) < 3:
        turns += 1
        await asyncio.sleep(0)
    lists.close()
    assert len({*seen}) == 3
