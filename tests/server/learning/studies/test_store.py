"""Studies in every database."""

import asyncio

from millrace.protocol import IdentityId, Player, StudyChapter, StudySummary
from millrace.server.app.stores import Stores
from millrace.server.learning.studies.study_store import StoredStudy
from tests.server.players.profiles.stored_accounts import make_account

ANN, BEN = IdentityId("ann"), IdentityId("ben")
FIRST = StoredStudy("one", ANN, "Lines", "morris", "", None, "1. d6", 5)
SECOND = FIRST._replace(id="two", updated_ms=6, part_of="one", name="Next")


async def test_chapters_are_stored_in_order_and_found_by_their_study(stores: Stores) -> None:
    studies = stores.studies
    assert await studies.add(FIRST)
    assert await studies.add(SECOND)
    listed = [StudyChapter("one", "", "morris"), StudyChapter("two", "Next", "morris")]
    assert await studies.chapters("one") == listed
    assert await studies.find("one") == FIRST
    assert await studies.arrange(FIRST, "Titled", "Begin", ["two", "one"])
    assert [each.name for each in await studies.chapters("one")] == ["Next", "Begin"]
    assert await studies.delete_chapter(FIRST)
    assert await studies.find("one") == SECOND._replace(title="Titled")
    assert await studies.add(FIRST._replace(id="three", part_of="one"))
    assert [each.study for each in await studies.chapters("one")] == ["two", "three"]
    assert await studies.count_chapters(ANN) == 2
    assert await studies.delete(SECOND)
    assert await studies.find("one") is None


async def test_the_last_chapter_stays_however_many_are_deleted_at_once(stores: Stores) -> None:
    studies = stores.studies
    for number in range(20):
        first = FIRST._replace(id=f"first{number}")
        chapters = [first, *(SECOND._replace(id=f"{number}.{each}", part_of=first.id) for each in range(3))]
        for chapter in chapters:
            assert await studies.add(chapter)
        deleted = await asyncio.gather(*map(studies.delete_chapter, chapters))
        assert (deleted.count(True), len(await studies.chapters(first.id))) == (3, 1)


async def test_nothing_is_added_to_a_study_that_is_deleted_at_the_same_time(stores: Stores) -> None:
    studies = stores.studies
    for number in range(20):
        first = FIRST._replace(id=f"first{number}")
        second = SECOND._replace(id=f"second{number}", part_of=first.id)
        await studies.add(first)
        await asyncio.gather(studies.delete(first), studies.add(second))
        assert await studies.find(first.id) is None
        assert not await studies.add(second)


async def test_a_chapter_is_changed_only_from_the_version_that_was_read(stores: Stores) -> None:
    studies = stores.studies
    await studies.add(FIRST)
    await studies.add(SECOND)
    changed = SECOND._replace(text="1. f4", updated_ms=9, title="Other")
    assert await studies.change(changed, 6)
    assert not await studies.change(changed._replace(text="1. d2"), 6)
    assert await studies.find("two") == changed
    assert (await studies.find("one")) == FIRST._replace(title="Other")


async def test_the_studies_that_a_player_may_edit_are_listed(stores: Stores) -> None:
    studies = stores.studies
    await studies.add(FIRST)
    await studies.add(SECOND)
    await studies.add(FIRST._replace(id="bens", identity=BEN, updated_ms=7))
    assert await studies.share("one", BEN, on=True)
    assert await studies.share("one", BEN, on=True)
    assert await studies.editors("one") == [BEN]
    summary = StudySummary("one", "Lines", "morris", 6, is_own=False, chapters=2)
    own = StudySummary("bens", "Lines", "morris", 7)
    assert await studies.studies_of(BEN, 9) == [own, summary]
    assert await studies.share("one", BEN, on=False)
    assert await studies.studies_of(BEN, 9) == [own]


async def test_a_deleted_account_leaves_neither_studies_nor_editors(stores: Stores) -> None:
    ann, ben = await make_account(stores, "ann"), await make_account(stores, "ben")
    studies = stores.studies
    await studies.add(FIRST._replace(identity=ann))
    await studies.add(FIRST._replace(id="bens", identity=ben))
    for study, editor in (("one", ben), ("bens", ann)):
        await studies.share(study, editor, on=True)
    await stores.accounts.delete(ann, Player(IdentityId("nobody"), "Deleted player"), IdentityId("scrubbed"), 5)
    assert await studies.find("one") is None
    assert [*await studies.editors("one"), *await studies.editors("bens")] == []
