"""A search leads to one match at most, and to none once it has been withdrawn, also with several servers."""

import asyncio
from itertools import count

from millrace.protocol import CommandId, IdentityId, MatchId, PairingRequest, Player
from millrace.server.app.stores import Stores, open_storage
from millrace.server.journal.entries import Entry, Origin
from millrace.server.journal.journal_store import Journal
from millrace.server.lobby.search_store import SearchDetails, StoredSearch, ending_insertions, pairing_insertions
from tests.server.journal.entries import CREATED, ORIGIN

_numbers = count()


def search_of(name: str, command: str = "find", node: str = "one") -> StoredSearch:
    details = SearchDetails(Player(IdentityId(name), name), PairingRequest("morris", 3), True, {2: 1500, 3: 1450})
    return StoredSearch(IdentityId(name), CommandId(command), 7, node, details)


def origin_of(search: StoredSearch) -> Origin:
    return Origin(search.identity, search.command)


async def pair(journal: Journal, *searches: StoredSearch) -> bool:
    number = next(_numbers)
    asked = [origin_of(search) for search in searches]
    origin = Origin("pairing", CommandId(f"{number}"))
    created = [Entry(CREATED, 0)]
    match = MatchId(f"match-{number}")
    insertions = [*pairing_insertions(asked, match), *ending_insertions(asked)]
    return await journal.append(match, 0, created, origin, insertions=insertions)


async def test_a_search_is_found_as_it_was_stored_last(stores: Stores) -> None:
    await stores.searches.put(search_of("ann", "first"))
    await stores.searches.put(search_of("ann", "second"))
    await stores.searches.put(search_of("ben"))
    await stores.searches.locate(IdentityId("ben"), "two")
    assert await stores.searches.find(IdentityId("ann")) == search_of("ann", "second")
    assert sorted(await stores.searches.all()) == [search_of("ann", "second"), search_of("ben", node="two")]


async def test_a_search_is_removed_once_and_by_its_own_command(stores: Stores) -> None:
    await stores.searches.put(search_of("ann"))
    assert not await stores.searches.remove(IdentityId("ann"), CommandId("another"))
    assert await stores.searches.remove(IdentityId("ann"), CommandId("find"))
    assert not await stores.searches.remove(IdentityId("ann"))
    assert await stores.searches.find(IdentityId("ann")) is None


async def test_a_match_ends_the_searches_of_its_players(stores: Stores) -> None:
    ann, ben, cat = (search_of(name) for name in ("ann", "ben", "cat"))
    for search in (ann, ben, cat):
        await stores.searches.put(search)
    assert await pair(stores.journal, ann, ben)
    assert await stores.searches.all() == [cat]


async def test_without_one_of_the_searches_nothing_is_stored(stores: Stores) -> None:
    ann, ben, cat = (search_of(name) for name in ("ann", "ben", "cat"))
    await stores.searches.put(ann)
    await stores.searches.put(cat._replace(command=CommandId("another")))
    assert not await pair(stores.journal, ann, ben)
    assert not await pair(stores.journal, ann, cat)
    assert await stores.searches.find_paired(origin_of(ann)) is None
    assert await stores.searches.find(IdentityId("ann")) == ann


async def test_of_two_matches_stored_at_once_one_gets_the_search(stores: Stores) -> None:
    ann, ben, cat, dan, eve = (search_of(name) for name in ("ann", "ben", "cat", "dan", "eve"))
    for search in (ann, ben, cat, dan, eve):
        await stores.searches.put(search)
    pairs = [(ann, ben), (cat, ann), (dan, eve)]
    assert await asyncio.gather(*(pair(stores.journal, *each) for each in pairs)) == [True, False, True]
    assert await stores.searches.all() == [cat]


async def test_of_servers_that_pair_and_a_player_who_stops_at_once_one_succeeds(postgres_url: str) -> None:
    servers = [await open_storage(postgres_url) for _ in range(3)]
    for number in range(40):
        ann, ben, cat = (search_of(f"{name}-{number}") for name in ("ann", "ben", "cat"))
        for search in (ann, ben, cat):
            await servers[0].searches.put(search)
        outcomes = await asyncio.gather(
            pair(servers[0].journal, ann, ben),
            pair(servers[1].journal, cat, ann),
            servers[2].searches.remove(ann.identity),
        )
        assert sum(outcomes) == 1
        left = {search.identity for search in await servers[0].searches.all()}
        assert left >= {ben.identity} - {ben.identity for _ in range(outcomes[0])}
        assert ann.identity not in left
        assert (await servers[0].searches.find_paired(origin_of(ann)) is None) == outcomes[2]
    for server in servers:
        await server.close()


async def test_the_commands_that_asked_for_a_match_are_stored_with_it_and_lead_to_no_other(stores: Stores) -> None:
    journal, searches = stores.journal, stores.searches
    first, second = MatchId("first"), MatchId("second")
    asked = [Origin("anna", CommandId("f")), Origin("berta", CommandId("f"))]
    created = [Entry(CREATED, 0)]
    assert await journal.append(first, 0, created, ORIGIN, insertions=pairing_insertions(asked, first))
    other, late = Origin("pairing", CommandId("x")), pairing_insertions(asked[1:], second)
    assert not await journal.append(second, 0, created, other, insertions=late)
    assert [await searches.find_paired(each) for each in asked] == [first, first]
    assert await searches.find_paired(Origin("anna", CommandId("g"))) is None
    assert await journal.unfinished() == (first,)
