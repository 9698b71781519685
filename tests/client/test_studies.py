"""Studies by the client library."""

import asyncio

from millrace.client import connect
from millrace.protocol import Code
from tests.client.connecting import PASSWORD, new_name, refusal_of
from tests.serving import PATIENCE_S, Site


async def test_a_study_of_several_parts_is_saved_shared_changed_and_deleted(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as guest:
        await ann.account.register(new_name(), PASSWORD)
        comment = f"{{{'A long comment. ' * 200}}}"
        text = f"1. d6 {comment} f4 {comment}"
        study = await ann.studies.save(text, "morris", title="A first line")
        shared = await guest.studies.get(study)
        assert (shared.title, shared.is_own, shared.game) == ("A first line", False, "morris")
        assert shared.text.count("A long comment.") == 400
        assert await ann.studies.save("1. d6 d2", "morris", title="Changed", study=study) == study
        assert [(each.study, each.title) for each in await ann.studies.own()] == [(study, "Changed")]
        await ann.studies.delete(study)
        assert await refusal_of(guest.studies.get(study)) is Code.UNKNOWN_STUDY


async def test_a_study_with_comments_in_any_script_is_cut_to_fit_its_messages(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        await ann.account.register(new_name(), PASSWORD)
        study = await ann.studies.save("1. d6 {" + "\N{CJK UNIFIED IDEOGRAPH-78E8}" * 3_990 + "}", "morris")
        assert (await ann.studies.get(study)).text.count("\N{CJK UNIFIED IDEOGRAPH-78E8}") == 3_990


async def test_a_study_with_chapters_is_edited_by_two_and_followed(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        name = new_name()
        await ann.account.register(new_name(), PASSWORD)
        await ben.account.register(name, PASSWORD)
        first = await ann.studies.save("1. d6", "morris", title="Together")
        second = await ann.studies.save("", "mingmang", part_of=first, name="Another game")
        await ann.studies.share(first, name)
        news = ann.studies.follow(first)
        before = await anext(news)
        assert [each.name for each in before.chapters] == ["", "Another game"]
        await ben.studies.save("1. d6 f4", "morris", study=first, based_on_ms=before.updated_ms)
        stale = ann.studies.save("1. d6 d2", "morris", study=first, based_on_ms=before.updated_ms)
        assert await refusal_of(stale) is Code.STUDY_CHANGED
        await ben.studies.change(second, place=0, title="We two")
        while (now := await anext(news)).title != "We two":
            pass
        assert (now.text, [each.study for each in now.chapters]) == ("1. d6 f4", [second, first])
        await ben.studies.delete_chapter(second)
        await ben.studies.share(first, name, on=False)
        assert await ben.studies.own() == ()
        while len((await anext(news)).editors) > 1:
            pass
        assert await refusal_of(anext(ann.studies.follow("nothing"))) is Code.UNKNOWN_STUDY
