"""Floods from one address, by any number of guests: honest players elsewhere are not affected.

The server is behind a proxy, so that the clients of a test can come from different addresses. Sockets that say nothing
or read nothing are in `tests/server/web`; `benchmarks/floods.py` measures what others notice.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from millrace.protocol import Code
from millrace.server.chat.chat_handler import LINES
from millrace.server.lobby.match_creation import BOT_MATCHES, WAITING_CHALLENGES, WAITING_MATCHES
from millrace.server.lobby.seeks import SHOWN_SEEKS
from millrace.server.moderation.reports import REPORTS
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.players.accounts.registered_players import PASSWORD, ask

FLOODER, HOME, ELSEWHERE = "192.0.2.66", "198.51.100.1", "203.0.113.5"
ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 8}


class House:
    """A server with clients at several addresses."""

    def __init__(self, served: Served) -> None:
        self.served = served

    async def guest(self, address: str, token: str = "") -> Visitor:
        """Return a visitor from an address."""
        return await (await self.served.socket(additional_headers={"X-Forwarded-For": address})).greet(token)

    async def guests(self, address: str, number: int) -> Sequence[Visitor]:
        """Return as many visitors from an address."""
        return await asyncio.gather(*(self.guest(address) for _ in range(number)))

    async def account(self, address: str, name: str) -> Visitor:
        """Return a visitor who has created an account."""
        visitor = await self.guest(address)
        answer = await ask(visitor, "register", name=name, password=PASSWORD)
        visitor.welcome["player"], visitor.welcome["token"] = answer["player"], answer["token"]
        return visitor


@pytest.fixture
async def house(serve: Serve) -> House:
    return House(await serve(is_behind_proxy=True))


async def answers(visitors: Sequence[Visitor], times: int, type_: str, **fields: Any) -> list[Frame]:
    """Have visitors send the same command some times each, all at once, and return the answers."""

    async def send(visitor: Visitor) -> list[Frame]:
        return [await ask(visitor, type_, **fields) for _ in range(times)]

    return [answer for own in await asyncio.gather(*map(send, visitors)) for answer in own]


def accepted(found: Sequence[Frame]) -> int:
    return sum(frame["type"] != "refused" for frame in found)


@pytest.mark.slow
async def test_300_seeks_of_60_guests_leave_room_for_everyone_elses(house: House) -> None:
    early, late, reader = await house.guest(HOME), await house.guest(ELSEWHERE), await house.guest("203.0.113.9")
    seek: Frame = {"game": "morris", "seats": [ME, OPEN], "listed": True}
    first = (await ask(early, "create", **seek))["match"]
    found = await answers(await house.guests(FLOODER, 60), 5, "create", **seek)
    assert accepted(found) == WAITING_MATCHES.address
    assert {frame["code"] for frame in found if frame["type"] == "refused"} == {Code.TOO_MANY}
    last = (await ask(late, "create", **seek))["match"]
    await reader.say("watch_lobby")
    listed = [each["match"] for each in (await reader.hear_until("seeks"))["seeks"]]
    assert {first, last} <= set(listed)
    assert len(listed) <= SHOWN_SEEKS


@pytest.mark.slow
async def test_300_matches_between_bots_of_one_guest_cost_nothing_even_after_a_restart(
    house: House, serve: Serve
) -> None:
    flooder = await house.guest(FLOODER)
    found = await answers([flooder], 300, "create", game="morris", seats=[BOT, BOT])
    assert accepted(found) == BOT_MATCHES.guest
    await flooder.connection.close()
    again = House(await serve(is_behind_proxy=True))
    for server in (house, again):
        honest = await server.guest(HOME)
        match = (await ask(honest, "create", game="morris", seats=[BOT, ME]))["match"]
        await honest.say("watch", match=match)
        await honest.hear_event("moved")
        assert {request.owner for request in server.served.bots.requests} == {honest.player["id"]}


async def test_challenges_of_13_guests_do_not_displace_notifications_or_friends(house: House) -> None:
    ann, friend = await house.account(HOME, "Annabel"), await house.account(ELSEWHERE, "Benjamin")
    before = await ask(friend, "create", game="morris", seats=[ME, OPEN], invited="Annabel")
    await ask(ann, "decline", match=before["match"])
    await friend.say("watch_notifications")
    challenge: Frame = {"game": "morris", "seats": [ME, OPEN], "invited": "Annabel"}
    genuine = await ask(friend, "create", **challenge)
    found = await answers(await house.guests(FLOODER, 13), 5, "create", **challenge)
    assert accepted(found) == WAITING_CHALLENGES.address
    assert genuine["type"] == "accepted"
    lists = len([frame for frame in ann.read if frame["type"] == "challenges"])
    assert lists <= 65
    again = await house.guest(HOME, ann.token)
    challenges = await again.hear_until("challenges")
    assert genuine["match"] in {each["match"] for each in challenges["challenges"]}
    await again.say("watch_notifications")
    kept = (await again.hear_until("notifications"))["notifications"]
    assert genuine["match"] in {each["match"] for each in kept}


async def test_an_endlessly_repeated_challenge_displaces_no_other_kind(house: House) -> None:
    ann, friend = await house.account(HOME, "Annabel"), await house.account(ELSEWHERE, "Benjamin")
    accepted_match = (await ask(ann, "create", game="morris", seats=[ME, OPEN], invited="Benjamin"))["match"]
    await ask(friend, "join", match=accepted_match)
    flooders = await house.guests(FLOODER, 8)

    async def flood(flooder: Visitor) -> None:
        for _ in range(20):
            answer = await ask(flooder, "create", game="morris", seats=[ME, OPEN], invited="Annabel")
            if answer["type"] == "accepted":
                await ask(flooder, "abort", match=answer["match"], seat=0)
                await ask(flooder, "abort", match=answer["match"], seat=1)

    await asyncio.gather(*map(flood, flooders))
    again = await house.guest(HOME, ann.token)
    while True:
        await again.say("watch_notifications")
        kept = (await again.hear_until("notifications"))["notifications"]
        if "challenge_accepted" in {each["kind"] for each in kept}:
            break
    assert accepted_match in {each["match"] for each in kept}


@pytest.mark.slow
async def test_chat_lines_of_60_guests_leave_room_for_others(house: House) -> None:
    ann = await house.guest(HOME)
    match = (await ask(ann, "create", game="morris", seats=[ME, ME]))["match"]
    flooders = await house.guests(FLOODER, 60)
    found = await asyncio.gather(
        *(ask(each, "say", match=match, text=f"line {number}") for number, each in enumerate(flooders))
    )
    assert accepted(found) == LINES.address
    assert (await ask(ann, "say", match=match, text="hello"))["type"] == "done"


async def test_reports_of_many_guests_on_one_player_leave_room_for_others(house: House) -> None:
    ann, ben = await house.account(HOME, "Annabel"), await house.account(ELSEWHERE, "Benjamin")
    report: Frame = {"player": ben.player["id"], "reason": "name", "note": ""}
    found = await answers(await house.guests(FLOODER, 30), 4, "report", **report)
    assert accepted(found) == REPORTS.address
    assert (await ask(ann, "report", **report))["type"] == "done"


async def test_addresses_of_one_ipv6_network_count_as_one(house: House) -> None:
    ann = await house.account(HOME, "Annabel")
    for number in range(6):
        guest = await house.guest(f"2001:db8:1:2::{number}")
        last = await ask(guest, "sign_in", name="Annabel", password="guess")
    assert last["code"] == Code.TOO_MANY_ATTEMPTS
    neighbour = await house.guest("2001:db8:1:3::1")
    assert (await ask(neighbour, "sign_in", name="Annabel", password=PASSWORD))["type"] == "signed_in"
    assert ann.player["registered"]
