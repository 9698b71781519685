"""Chapters of studies over real sockets: each with its own link, start and text; named, moved and deleted."""

from typing import Any

from millrace.protocol import MAX_CHAPTERS, Code
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.learning.studies.saving import save
from tests.server.players.accounts.registered_players import ask


async def names(reader: Visitor, study: str) -> list[str]:
    return [each["name"] for each in (await ask(reader, "get_study", study=study))["chapters"]]


async def of_three(author: Visitor) -> list[str]:
    """Save a study of three chapters, and return their ids."""
    first: str = (await save(author, "1. d6", title="Openings"))["study"]
    await ask(author, "change_study", study=first, name="One")
    fields: list[dict[str, Any]] = [{"name": "Two", "game": "mingmang"}, {"name": "Three", "part_of": first}]
    return [first, *[(await save(author, "", **{"part_of": first, **each}))["study"] for each in fields]]


async def test_each_chapter_has_its_own_link_start_and_text(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    first, second, third = await of_three(ann)
    assert await names(ben, second) == await names(ben, first) == ["One", "Two", "Three"]
    read: Frame = await ask(ben, "get_study", study=second)
    assert (read["study"], read["title"], read["name"], read["game"], read["text"]) == (
        *(second, "Openings", "Two"),
        *("mingmang", ""),
    )
    assert (await save(ann, "1. f4", study=third, title="Lines"))["study"] == third
    assert (await ask(ben, "get_study", study=first))["title"] == "Lines"
    (listed,) = (await ask(ann, "list_studies"))["studies"]
    assert (listed["study"], listed["title"], listed["chapters"], listed["is_own"]) == (first, "Lines", 3, True)


async def test_a_study_without_its_first_chapter_keeps_its_link(served: Served) -> None:
    ann = await served.visitor()
    first, second, third = await of_three(ann)
    assert (await ask(ann, "delete_chapter", study=first))["type"] == "done"
    assert (await ask(ann, "get_study", study=first))["study"] == second
    assert (await save(ann, "", part_of=first, name="Four"))["type"] == "study_saved"
    assert await names(ann, third) == ["Two", "Three", "Four"]
    for chapter in (second, third):
        await ask(ann, "delete_chapter", study=chapter)
    assert (await ask(ann, "delete_chapter", study=first))["code"] == Code.NOTHING_TO_DO
    assert (await ask(ann, "delete_study", study=first))["type"] == "done"
    assert (await ask(ann, "list_studies"))["studies"] == []


async def test_chapters_are_named_and_moved(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    first, second, third = await of_three(ann)
    assert (await ask(ann, "change_study", study=third, place=0, title=" Traps "))["type"] == "done"
    assert (await ask(ann, "change_study", study=first, name="Last", place=9))["type"] == "done"
    assert await names(ben, second) == ["Three", "Two", "Last"]
    assert (await ask(ben, "get_study", study=second))["title"] == "Traps"
    assert (await ask(ann, "change_study", study=first, name="\u202e"))["code"] == Code.BAD_TEXT
    assert (await ask(ben, "change_study", study=first, name="Mine"))["code"] == Code.UNKNOWN_STUDY
    assert (await ask(ben, "delete_chapter", study=first))["code"] == Code.UNKNOWN_STUDY
    assert (await save(ben, "", part_of=first))["code"] == Code.UNKNOWN_STUDY


async def test_a_study_has_no_more_chapters_than_the_maximum(served: Served) -> None:
    ann = await served.visitor()
    first = (await save(ann, "1. d6"))["study"]
    for _ in range(MAX_CHAPTERS - 1):
        await save(ann, "", part_of=first)
    assert (await save(ann, "", part_of=first))["code"] == Code.TOO_MANY


async def test_an_empty_id_names_no_study(served: Served) -> None:
    ann = await served.visitor()
    await save(ann, "1. d6")
    assert (await ask(ann, "get_study", study=""))["code"] == Code.UNKNOWN_STUDY
