"""Several people at one study over real sockets: who may edit, what others see at once, and who is there."""

import pytest

from millrace.protocol import Code
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.learning.studies.saving import save
from tests.server.node_cluster import Cluster
from tests.server.players.accounts.registered_players import PASSWORD, ask, register, register_all


async def begin(served: Served, other: Served | None = None) -> tuple[Visitor, Visitor, Visitor, Frame]:
    """Return the owner, an editor and a reader of a study, and the answer to its first saving."""
    ann = await register(served, "Annabel")
    ben = await register(other or served, "Benjamin")
    saved = await save(ann, "1. d6 f4", title="Together")
    assert (await ask(ann, "share_study", study=saved["study"], player="benjamin"))["type"] == "done"
    return ann, ben, await (other or served).visitor(), saved


async def watch(visitor: Visitor, study: str) -> Frame:
    await visitor.say("watch_study", study=study)
    return await visitor.hear_until("study_news", study=study)


async def hear_text(visitor: Visitor, text: str) -> Frame:
    return await visitor.hear_until("study_news", text=text)


async def test_an_editor_changes_what_the_owner_shared_until_it_is_no_longer_shared(served: Served) -> None:
    ann, ben, guest, saved = await begin(served)
    study = saved["study"]
    (listed,) = (await ask(ben, "list_studies"))["studies"]
    assert (listed["study"], listed["title"], listed["is_own"]) == (study, "Together", False)
    assert (await save(ben, "1. d2", study=study, based_on_ms=saved["updated_ms"]))["type"] == "study_saved"
    assert (await save(ben, "", part_of=study, name="Mine"))["type"] == "study_saved"
    read = await ask(guest, "get_study", study=study)
    assert (read["title"], read["text"], read["author"], len(read["chapters"])) == ("Together", "1. d2", "Annabel", 2)
    assert (await ask(ben, "delete_study", study=study))["code"] == Code.UNKNOWN_STUDY
    assert (await ask(ben, "share_study", study=study, player="Annabel"))["code"] == Code.UNKNOWN_STUDY
    assert (await ask(ann, "share_study", study=study, player="Benjamin", on=False))["type"] == "done"
    assert (await save(ben, "1. f4", study=study))["code"] == Code.UNKNOWN_STUDY
    assert (await ask(ben, "list_studies"))["studies"] == []


async def test_an_editor_leaves_a_study(served: Served) -> None:
    _, ben, _, saved = await begin(served)
    assert (await ask(ben, "share_study", study=saved["study"], player="Benjamin", on=False))["type"] == "done"
    assert (await ask(ben, "list_studies"))["studies"] == []


async def test_a_study_is_not_shared_with_guests_strangers_oneself_or_those_who_block_one(served: Served) -> None:
    ann, ben, guest, saved = await begin(served)
    (dan,) = await register_all(served, "Daniel")
    await ask(dan, "block", player=ann.player["id"])
    for player, code in (("Nobody", "unknown_player"), ("Annabel", "not_for_you"), ("Daniel", "not_for_you")):
        assert (await ask(ann, "share_study", study=saved["study"], player=player))["code"] == code
    own = (await save(guest, "1. d6"))["study"]
    assert (await ask(guest, "share_study", study=own, player="Benjamin"))["code"] == Code.ACCOUNT_NEEDED
    assert (await ask(ben, "share_study", study=own, player="Annabel"))["code"] == Code.UNKNOWN_STUDY


async def test_an_older_version_replaces_no_newer_one(served: Served) -> None:
    ann, ben, _, saved = await begin(served)
    fields = {"study": saved["study"], "based_on_ms": saved["updated_ms"]}
    changed = await save(ben, "1. d6 d2", **fields)
    assert changed["updated_ms"] > saved["updated_ms"]
    assert (await save(ann, "1. d6 b4", **fields))["code"] == Code.STUDY_CHANGED
    assert (await ask(ann, "get_study", study=saved["study"]))["text"] == "1. d6 d2"
    again = await save(ann, "1. d6 d2 (1... b4)", study=saved["study"], based_on_ms=changed["updated_ms"])
    assert again["type"] == "study_saved"


async def test_everyone_sees_changes_and_who_is_there(served: Served) -> None:
    ann, ben, guest, saved = await begin(served)
    study = saved["study"]
    first = await watch(guest, study)
    assert (first["title"], first["text"], first["people"]) == ("Together", "1. d6 f4", 1)
    assert [(each["player"]["name"], each["is_here"]) for each in first["editors"]] == [
        *(("Annabel", False), ("Benjamin", False)),
    ]
    await watch(ben, study)
    together = await guest.hear_until("study_news", people=2)
    assert [each["is_here"] for each in together["editors"]] == [False, True]
    await save(ben, "1. d2", study=study, based_on_ms=saved["updated_ms"])
    await hear_text(guest, "1. d2")
    await ask(ann, "change_study", study=study, name="Best", title="Alone")
    changed = await guest.hear_until("study_news", title="Alone")
    assert (changed["name"], changed["chapters"][0]["name"]) == ("Best", "Best")
    await ben.say("watch_study", study=study, on=False)
    await guest.hear_until("study_news", people=1)
    added = (await save(ann, "", part_of=study))["study"]
    await watch(guest, added)
    await ask(ann, "delete_chapter", study=added)
    gone = await guest.hear_until("study_news", study=added, updated_ms=0)
    assert [each["study"] for each in gone["chapters"]] == [study]
    await guest.say("watch_study", study="nothing")
    assert (await guest.hear_until("refused"))["code"] == Code.UNKNOWN_STUDY


async def test_a_reader_who_leaves_is_no_longer_counted(served: Served) -> None:
    ann, ben, _, saved = await begin(served)
    await watch(ann, saved["study"])
    await watch(ben, saved["study"])
    await ann.hear_until("study_news", people=2)
    await ben.connection.close()
    await ann.hear_until("study_news", people=1)


async def test_the_editors_of_a_deleted_account_are_forgotten(served: Served) -> None:
    ann, ben, _, saved = await begin(served)
    assert (await ask(ben, "delete_account", password=PASSWORD))["type"] == "done"
    assert len((await watch(ann, saved["study"]))["editors"]) == 1


@pytest.mark.parametrize("kind", ["text", "titles"])
async def test_changes_on_one_node_are_seen_on_the_other(cluster: Cluster, kind: str) -> None:
    ann, ben, guest, saved = await begin(cluster.first, cluster.second)
    study = saved["study"]
    shown = {visitor: await watch(visitor, study) for visitor in (ann, ben, guest)}
    for visitor in (ann, guest):
        here = shown[visitor]
        if here["people"] < 3:
            here = await visitor.hear_until("study_news", people=3)
        assert [each["is_here"] for each in here["editors"]] == [True, True]
    if kind == "text":
        await save(ann, "1. d2", study=study, based_on_ms=saved["updated_ms"])
        based_on_ms = (await hear_text(ben, "1. d2"))["updated_ms"]
        await save(ben, "1. d2 d6", study=study, based_on_ms=based_on_ms)
        await hear_text(ann, "1. d2 d6")
    else:
        await ask(ben, "change_study", study=study, title="Across")
        await ann.hear_until("study_news", title="Across")
