"""The open seat of an invitation is kept for a visitor who learns the game first, for a time."""

from millrace.protocol import IdentityId
from millrace.server.rooms.match_presence import RESERVED_MS, MatchPresence
from tests.server.in_process_server import Served, Visitor
from tests.server.players.accounts.registered_players import register_all

ANN, BEN, CAT = map(IdentityId, ("ann", "ben", "cat"))


async def invite(host: Visitor, *, listed: bool = False) -> str:
    """Create an invitation and return its match."""
    seats = [{"occupant": "me"}, {"occupant": "open"}]
    created = await host.ask("create", game="morris", seats=seats, setup="", clock=None, listed=listed)
    return str(created["match"])


async def asks_to_keep(visitor: Visitor, match: str) -> bool:
    """Follow a match and ask for its seat to be kept; return whether it is."""
    await visitor.say("watch", match=match, since=0, reserves=True)
    return bool((await visitor.hear_until("watching"))["reserved"])


async def test_a_seat_is_kept_for_whoever_asked_first(served: Served) -> None:
    host, ann, ben = [await served.visitor() for _ in range(3)]
    match = await invite(host)
    assert await asks_to_keep(ann, match)
    assert await asks_to_keep(ann, match)
    assert not await asks_to_keep(ben, match)
    refused = await ben.ask("join", match=match)
    assert (refused["type"], refused["code"]) == ("refused", "seat_taken")
    assert (await ann.ask("join", match=match))["type"] == "accepted"


async def test_a_seat_is_free_again_when_its_visitor_goes(served: Served) -> None:
    host, ann, ben = [await served.visitor() for _ in range(3)]
    match = await invite(host)
    assert await asks_to_keep(ann, match)
    await ann.say("unwatch", match=match)
    await ann.ping()
    assert (await ben.ask("join", match=match))["type"] == "accepted"


async def test_listed_matches_keep_no_seat(served: Served) -> None:
    host, ann, ben = [await served.visitor() for _ in range(3)]
    match = await invite(host, listed=True)
    assert not await asks_to_keep(ann, match)
    assert (await ben.ask("join", match=match))["type"] == "accepted"


async def test_the_host_keeps_no_seat_and_may_give_it_to_a_bot(served: Served) -> None:
    host, ann = [await served.visitor() for _ in range(2)]
    match = await invite(host)
    assert not await asks_to_keep(host, match)
    assert await asks_to_keep(ann, match)
    assert (await host.ask("fill_seat", match=match, seat=1, level=1))["type"] == "accepted"


def test_a_seat_is_kept_for_ten_minutes_and_not_again() -> None:
    presence = MatchPresence(0, patience=1)
    presence.add(ANN)
    assert presence.reserve(ANN, 0)
    assert presence.reservations_before(BEN, RESERVED_MS - 1) == 1
    assert presence.reservations_before(ANN, RESERVED_MS - 1) == 0
    assert not presence.reserve(ANN, RESERVED_MS - 1)
    assert presence.reservations_before(BEN, RESERVED_MS) == 0


def test_a_seat_kept_on_another_node_counts_while_its_visitor_is_there() -> None:
    presence = MatchPresence(0, patience=1)
    presence.change_elsewhere("other", [CAT], {}, 0)
    presence.reserve(CAT, 0)
    assert presence.reservations_before(BEN, 1) == 1
    presence.change_elsewhere("other", [], {CAT: True}, 2)
    assert presence.reservations_before(BEN, 3) == 0


async def test_no_seat_is_kept_for_whoever_may_not_have_it(served: Served) -> None:
    ann, ben, eve = await register_all(served, "Annabel", "Benjamin", "Evelyn")
    guest, seats = await served.visitor(), [{"occupant": "me"}, {"occupant": "open"}]
    clock = {"initial_ms": 300_000, "increment_ms": 0}
    challenge = await ann.ask("create", game="morris", seats=seats, setup="", clock=None, invited="Benjamin")
    assert not await asks_to_keep(eve, challenge["match"])
    assert await asks_to_keep(ben, challenge["match"])
    rated = await ann.ask("create", game="morris", seats=seats, setup="", clock=clock, rated=True)
    assert not await asks_to_keep(guest, rated["match"])
