"""Stored profiles and follows, in both databases."""

import asyncio

from millrace.protocol import CommandId, IdentityId, ModerationAction, PageSettings, Player
from millrace.server.app.stores import Stores, moderation_actions
from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.events import BlocksChanged
from millrace.server.moderation.actions import ActionRequest
from millrace.server.moderation.permissions import CONSOLE
from millrace.server.players.accounts.account_store import Account
from millrace.server.players.profiles.follows import Follows
from millrace.server.players.profiles.profile_store import StoredProfile
from tests.server.databases import run_statement
from tests.server.players.profiles.stored_accounts import make_account

ANN, BEN, CEM = (IdentityId(name) for name in ("ann", "ben", "cem"))


async def test_profile_visibility_and_last_seen_are_stored_independently(stores: Stores) -> None:
    profiles = stores.profiles
    assert await make_account(stores, "Ann") == ANN
    assert await profiles.find(ANN) == StoredProfile()
    await profiles.set_last_seen({ANN: 5})
    await profiles.set_profile(ANN, "I play at night.", "DE")
    await profiles.set_hidden(ANN, True)
    assert await profiles.find(ANN) == StoredProfile("I play at night.", "DE", True, 5)
    await profiles.set_last_seen({ANN: 7})
    await profiles.set_profile(ANN, "", None)
    assert await profiles.find(ANN) == StoredProfile("", None, True, 7)
    assert await profiles.directory() == ((ANN, None, True),)
    await profiles.set_hidden(ANN, False)
    assert await profiles.directory() == ()


async def test_settings_that_this_version_cannot_read_are_ignored(url: str, stores: Stores) -> None:
    ann = await make_account(stores, "Ann")
    await stores.profiles.set_page_settings(ann, PageSettings())
    await asyncio.to_thread(run_statement, url, 'UPDATE profiles SET page_settings = \'{"board":"glass"}\'')
    assert await stores.profiles.page_settings(ann) is None


async def test_a_profile_shows_a_closed_account(stores: Stores) -> None:
    ann, ben = [await make_account(stores, name) for name in ("Anna", "Benno")]
    closed = ActionRequest(ModerationAction.BAN, "Cheating.", CommandId("c"), ann)
    await moderation_actions(stores, lambda: 9).perform(CONSOLE, closed)
    assert [(await stores.profiles.find(who)).is_closed for who in (ann, ben)] == [True, False]
    assert [known.profile.is_closed for known in await stores.profiles.find_by_prefix("anna", 5)] == [True]
    await moderation_actions(stores, lambda: 9).perform(
        CONSOLE, ActionRequest(ModerationAction.UNBAN, "Not so.", CommandId("r"), ann)
    )
    assert not (await stores.profiles.find(ann)).is_closed


async def test_last_seen_is_not_stored_for_a_deleted_account(stores: Stores) -> None:
    ann = await make_account(stores, "Ann")
    nobody = Player(IdentityId("nobody"), "Deleted player")
    await stores.accounts.delete(ann, nobody, IdentityId("scrubbed"), 5)
    await stores.profiles.set_last_seen({ann: 6})
    assert await stores.accounts.create(Account(ann, "Anne", "hash", 0), "anne", 0)
    assert await stores.profiles.find(ann) == StoredProfile()


async def test_players_are_found_by_prefix_ignoring_case(stores: Stores) -> None:
    for name in ("Lily", "lilac", "L1ly-2", "Lil_a", "Corn", "Coral", "Vvicky", "Zzz"):
        await make_account(stores, name)
    await stores.profiles.set_profile(IdentityId("lily"), "", "NO")

    async def found(prefix: str) -> list[str]:
        return [each.player.name for each in await stores.profiles.find_by_prefix(prefix, 10)]

    assert await found("LIL") == ["Lil_a", "lilac", "Lily"]
    assert await found("lil_") == ["Lil_a"]
    assert await found("co") == ["Coral", "Corn"]
    assert await found("cor") == ["Coral", "Corn"]
    assert await found("v") == ["Vvicky"]
    assert await found("zz") == ["Zzz"]
    assert await found("l1") == ["L1ly-2"]
    assert len(await stores.profiles.find_by_prefix("li", 1)) == 1
    (lily,) = [each for each in await stores.profiles.find_by_prefix("lily", 5) if each.player.name == "Lily"]
    assert (lily.profile.country, lily.player.registered) == ("NO", True)


async def test_follows_are_loaded_and_listed_by_name(stores: Stores) -> None:
    ann, ben, cem = [await make_account(stores, name) for name in ("Anna", "Benno", "Cemal")]
    follows = Follows(stores.profiles, LocalBus())
    for whom in (cem, ben, cem):
        await follows.follow(ann, whom, 1)
    await follows.follow(cem, ann, 2)
    bus = LocalBus()
    again = Follows(stores.profiles, bus)
    await again.load()
    assert (again.of(ann), again.followers_of(cem)) == (frozenset((ben, cem)), frozenset((ann,)))
    assert [each.player.name for each in await stores.profiles.followed(ann)] == ["Benno", "Cemal"]
    await stores.blocks.add(cem, ann, 3)
    bus.publish(BlocksChanged(cem, ann))
    assert (again.of(ann), again.of(cem), again.followers_of(cem)) == (frozenset((ben,)), frozenset(), frozenset())
    assert await stores.profiles.follows() == ((ann, ben),)
