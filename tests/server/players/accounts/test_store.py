"""The contract of the account store, on every supported database."""

from typing import Any

import pytest

from millrace.protocol import CommandId, Created, Event, IdentityId, MatchId, Player, Seated, SeatPlan
from millrace.server.app.stores import Stores
from millrace.server.callers.presence import Credential
from millrace.server.journal.entries import Entry, Origin
from millrace.server.players.accounts.account_store import Account, AccountStore
from millrace.server.players.accounts.stored_tokens import StoredToken, TokenKind

GUEST = Player(IdentityId("guest-1"), "Quiet Otter")
BEN = Player(IdentityId("guest-2"), "Swift Owl")
ANN = Account(GUEST.id, "Ann", "hash", 1_000)
NOBODY = Player(IdentityId("deleted-1"), "Deleted player")
SCRUBBED = IdentityId("scrubbed-1")
MATCH = MatchId("m1")


@pytest.fixture
def store(stores: Stores) -> AccountStore:
    return stores.accounts


def grant(name: str, kind: TokenKind, expires_ms: int | None = None, **fields: Any) -> StoredToken:
    return StoredToken(Credential(name), f"id-{name}", GUEST.id, kind, 1_000, expires_ms)._replace(**fields)


async def play(stores: Stores, match: MatchId = MATCH) -> None:
    """Store a match in which the guest sits at both ends of a third player."""
    created = Created("morris", "", (SeatPlan("me"), SeatPlan("open")), None)
    events: tuple[Event, ...] = (created, *(Seated(seat, player) for seat, player in enumerate((GUEST, BEN, GUEST))))
    origin = Origin(GUEST.id, CommandId(match))
    assert await stores.journal.append(match, 0, [Entry(event, 5) for event in events], origin)


async def seated(stores: Stores, match: MatchId = MATCH) -> list[Player]:
    events = [recorded.entry.event for recorded in await stores.journal.load(match)]
    return [event.player for event in events if isinstance(event, Seated)]


async def test_names_and_identities_are_unique(store: AccountStore) -> None:
    assert await store.create(ANN, "ann", 0)
    assert not await store.create(ANN._replace(id=BEN.id), "ann", 0)
    assert not await store.create(ANN._replace(name="Anna"), "anna", 0)
    assert await store.find_named("anna") is None


async def test_a_failed_creation_renames_nobody(stores: Stores) -> None:
    await play(stores)
    assert await stores.accounts.create(ANN._replace(id=BEN.id, name="Ben"), "ann", 0)
    assert not await stores.accounts.create(ANN, "ann", 0)
    assert (await seated(stores))[0] == GUEST


async def test_only_the_name_of_a_deleted_account_is_kept_for_a_while(stores: Stores) -> None:
    await play(stores)
    store = stores.accounts
    await store.create(ANN, "ann", 0)
    await store.add_token(grant("s", TokenKind.SESSION))
    await store.add_token(grant("a", TokenKind.API))
    await store.delete(ANN.id, NOBODY, SCRUBBED, 5_000)
    assert await seated(stores) == [NOBODY, BEN, NOBODY]
    assert await stores.journal.matches_of(ANN.id) == ()
    assert await stores.journal.matches_of(NOBODY.id) == (MATCH,)
    assert await stores.journal.find_created(Origin(ANN.id, CommandId(MATCH))) is None
    assert await store.find(ANN.id) is None is await store.find_named("ann")
    assert await store.find(SCRUBBED) is None
    assert (
        await store.find_by_token(Credential("s"), 2_000) is None is await store.find_by_token(Credential("a"), 2_000)
    )
    assert await store.api_tokens(ANN.id) == ()
    assert not await store.create(ANN._replace(id=BEN.id), "ann", 4_999)
    assert await store.create(ANN._replace(id=BEN.id), "ann", 5_001)


async def test_a_session_is_valid_until_it_expires_or_is_revoked(store: AccountStore) -> None:
    await store.create(ANN, "ann", 0)
    session = grant("s", TokenKind.SESSION, 3_000)
    await store.add_token(session)
    assert await store.find_by_token(session.credential, 2_999) == (ANN, session)
    assert await store.find_by_token(session.credential, 3_000) is None
    await store.revoke(session.credential)
    assert await store.find_by_token(session.credential, 2_000) is None


async def test_a_token_without_an_account_is_invalid(store: AccountStore) -> None:
    await store.add_token(grant("s", TokenKind.SESSION))
    assert await store.find_by_token(Credential("s"), 2_000) is None


async def test_the_owners_of_several_tokens_are_found_in_one_query(store: AccountStore) -> None:
    await store.create(ANN, "ann", 0)
    for kind, expires_ms in ((TokenKind.SESSION, 3_000), (TokenKind.API, None), (TokenKind.TICKET, None)):
        await store.add_token(grant(kind.value, kind, expires_ms))
    credentials = [Credential(name) for name in ("session", "api", "ticket", "unknown")]
    assert await store.owners_of(credentials, 2_999) == dict.fromkeys(credentials[:2], ANN.player)
    assert await store.owners_of(credentials, 3_000) == {Credential("api"): ANN.player}
    assert await store.players_of([ANN.id, BEN.id]) == {ANN.id: ANN.player}
    await store.delete(ANN.id, NOBODY, SCRUBBED, 5_000)
    assert (await store.owners_of(credentials, 2_000), await store.players_of([ANN.id])) == ({}, {})


async def test_a_ticket_is_redeemed_once_in_time_and_does_not_authenticate(store: AccountStore) -> None:
    await store.create(ANN, "ann", 0)
    for name in ("t1", "t2"):
        await store.add_token(grant(name, TokenKind.TICKET, 3_000))
    assert await store.find_by_token(Credential("t1"), 2_000) is None
    assert await store.redeem(Credential("t1"), 2_999) == ANN.id
    assert await store.redeem(Credential("t1"), 2_999) is None
    assert await store.redeem(Credential("t2"), 3_000) is None


async def test_api_tokens_are_listed_in_order_with_scopes_and_last_use(store: AccountStore) -> None:
    await store.create(ANN, "ann", 0)
    tokens = [
        grant(f"a{n}", TokenKind.API, created_ms=2_000 - n, label=f"bot {n}", scopes="play read") for n in range(2)
    ]
    for each in (*tokens, grant("s", TokenKind.SESSION)):
        await store.add_token(each)
    await store.note_use(tokens[0].credential, 7_000)
    assert await store.api_tokens(ANN.id) == (tokens[1], tokens[0]._replace(used_ms=7_000))


async def test_a_password_is_rehashed(store: AccountStore) -> None:
    await store.create(ANN, "ann", 0)
    await store.rehash_password(ANN.id, "other")
    assert await store.find(ANN.id) == ANN._replace(password_hash="other")


async def test_expired_tokens_are_deleted(store: AccountStore) -> None:
    await store.create(ANN, "ann", 0)
    await store.add_token(grant("old", TokenKind.SESSION, 3_000))
    await store.add_token(grant("new", TokenKind.SESSION, 4_000))
    await store.sweep(3_500)
    assert await store.find_by_token(Credential("old"), 2_000) is None
    assert await store.find_by_token(Credential("new"), 2_000) is not None


async def test_an_account_becomes_a_bot_account_unless_it_has_had_a_seat(stores: Stores) -> None:
    assert await stores.accounts.create(ANN, "ann", 0)
    assert await stores.accounts.become_bot(ANN.id)
    assert await stores.accounts.find(ANN.id) == ANN._replace(is_bot=True)
    ben = Account(BEN.id, "Ben", "hash", 1_000)
    await play(stores)
    assert await stores.accounts.create(ben, "ben", 0)
    assert not await stores.accounts.become_bot(BEN.id)
    assert await stores.accounts.find(BEN.id) == ben
