"""Many who join a tournament at once, and one address that joins and leaves without end."""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence

from millrace.protocol import Code
from millrace.server.app.stores import open_storage
from millrace.server.tournaments.tournament_handler import TOURNAMENT_JOINS
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.players.profiles.stored_accounts import signed_in_account
from tests.server.tournaments.arenas import plan
from tests.server.web.get_requests import get

CROWD, FLOODERS = 200, 35
HOME, ELSEWHERE, FLOODER = "198.51.100.1", "203.0.113.5", "192.0.2.66"


async def tokens_of(url: str, *names: str) -> list[str]:
    """Store accounts of these names, and return their sessions' tokens."""
    stores = await open_storage(url)
    tokens = [await signed_in_account(stores, name) for name in names]
    await stores.close()
    return tokens


async def come(served: Served, address: str, *tokens: str) -> Sequence[Visitor]:
    """Return visitors with accounts from an address."""

    async def one(token: str) -> Visitor:
        return await (await served.socket(additional_headers={"X-Forwarded-For": address})).greet(token)

    return await asyncio.gather(*map(one, tokens))


async def names_in(served: Served, tournament: str) -> Counter[str]:
    """Return the names in the standings."""
    _, _, body = await get(served, f"/tournament/{tournament}.json")
    return Counter(row["player"]["name"] for row in json.loads(body)["standings"])


async def test_200_players_who_join_at_once_are_all_answered_and_in_the_standings_once(
    serve: Serve, served_url: str
) -> None:
    names = [f"Player{number}" for number in range(CROWD)]
    tokens = await tokens_of(served_url, *names)
    clock = SteppedClock()
    served = await serve(clock)
    crowd = await asyncio.gather(*map(served.visitor, tokens))
    tournament = (await crowd[0].ask("create_tournament", plan=plan(clock.now_ms)))["tournament"]
    joined = await asyncio.gather(*(each.ask("join_tournament", tournament=tournament) for each in crowd))
    assert {answer["type"] for answer in joined} == {"done"}
    assert await names_in(served, tournament) == Counter(names)


async def test_joins_and_leaves_without_end_from_one_address_keep_nobody_else_from_joining(
    serve: Serve, served_url: str
) -> None:
    names = [f"Flooder{number}" for number in range(FLOODERS)]
    tokens = await tokens_of(served_url, "Annabel", "Benjamin", *names)
    clock = SteppedClock()
    served = await serve(clock, is_behind_proxy=True)
    (ann,) = await come(served, HOME, tokens[0])
    (ben,) = await come(served, ELSEWHERE, tokens[1])
    flooders = await come(served, FLOODER, *tokens[2:])
    tournament = (await ann.ask("create_tournament", plan=plan(clock.now_ms + 60_000)))["tournament"]

    async def flood(flooder: Visitor) -> list[Frame]:
        acts = ("join_tournament", "leave_tournament") * 10
        return [await flooder.ask(act, tournament=tournament) for act in acts]

    flooding = asyncio.gather(*map(flood, flooders))
    for each in (ann, ben):
        for act in ("join", "leave", "join"):
            assert (await each.ask(f"{act}_tournament", tournament=tournament))["type"] == "done"
    answers = [answer for own in await flooding for answer in own]
    assert sum(answer["type"] == "done" for answer in answers) == TOURNAMENT_JOINS.address
    assert {answer["code"] for answer in answers if answer["type"] == "refused"} == {Code.RATE_LIMITED}
    present = await names_in(served, tournament)
    assert {"Annabel", "Benjamin"} <= set(present) <= {"Annabel", "Benjamin", *names}
    assert set(present.values()) == {1}
