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
