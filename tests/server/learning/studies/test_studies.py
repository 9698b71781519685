"""Studies over real sockets: saved, read by link, changed and deleted by their author, and only if they are legal."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Code
from millrace.protocol.refusal import Refusal
from millrace.server.archive.record import MAX_COMMENT_LENGTH
from millrace.server.learning.studies.study_text import MAX_LENGTH, canonical_text
from tests.server.archive.playouts import play_by_chance, setups_of
from tests.server.in_process_server import Served
from tests.server.learning.studies.saving import TEXT, save
from tests.server.players.accounts.registered_players import PASSWORD, ask, register, register_all
from tests.server.ratings.rated_play import play


async def test_a_study_names_the_account_that_saved_it(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    saved = await save(ann)
    assert (await ask(await served.visitor(), "get_study", study=saved["study"]))["author"] == "Annabel"


async def test_a_study_is_saved_and_read_by_everyone_with_its_link(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    saved = await save(ann, title="Points")
    read = await ask(ben, "get_study", study=saved["study"])
    assert (read["title"], read["game"], read["setup"], read["text"]) == ("Points", "morris", "", TEXT)
    assert (read["match"], read["is_own"], read["author"]) == (None, False, "")
    assert (await ask(ann, "get_study", study=saved["study"]))["is_own"] is True
    assert (await ask(ben, "get_study", study="nothing"))["code"] == Code.UNKNOWN_STUDY


async def test_a_part_that_is_sent_again_is_added_once(served: Served) -> None:
    ann = await served.visitor()
    for part, text in ((0, "1. d6 "), (1, "f4 "), (0, "1. d6 "), (1, "f4 "), (2, "2. d2")):
        upload = {"game": "morris", "upload": "u", "part": part, "parts": 3, "text": text}
        for _ in range(2):
            answer = await ask(ann, "save_study", id=f"part-{part}", **upload)
    assert (await ask(ann, "get_study", study=answer["study"]))["text"] == "1. d6 f4 2. d2"
    assert len((await ask(ann, "list_studies"))["studies"]) == 1


async def test_only_its_author_can_change_or_delete_a_study(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await served.visitor()
    study = (await save(ann, "1. d6"))["study"]
    assert (await save(ben, "1. d2", study=study))["code"] == Code.UNKNOWN_STUDY
    assert (await ask(ben, "delete_study", study=study))["code"] == Code.UNKNOWN_STUDY
    assert (await save(ann, "1. f4", study=study, title="Other"))["study"] == study
    assert (await ask(ben, "get_study", study=study))["text"] == "1. f4"
    listed = (await ask(ann, "list_studies"))["studies"]
    assert [(each["study"], each["title"], each["game"]) for each in listed] == [(study, "Other", "morris")]
    assert (await ask(ben, "list_studies"))["studies"] == []
    assert (await ask(ann, "delete_study", study=study))["type"] == "done"
    assert (await ask(ben, "get_study", study=study))["code"] == Code.UNKNOWN_STUDY


async def test_a_finished_match_is_studied_from_its_start(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await play([ann, ben], rated=False)
    saved = await save(ann, "1. a7 g1 (1... d6 {better}) 2. d7 g4", match=match)
    read = await ask(ben, "get_study", study=saved["study"])
    assert (read["match"], read["text"]) == (match, "1. a7 g1 (1... d6 {better}) 2. d7 g4")


@pytest.mark.parametrize(
    ("text", "fields", "code"),
    [
        ("1. d6 d6", {}, Code.BAD_RECORD),
        ("1. d6 (2. z9)", {}, Code.BAD_RECORD),
        ("1. d6 {never closed", {}, Code.BAD_RECORD),
        ("1. d6", {"game": "chess"}, Code.BAD_SETUP),
        ("1. d6", {"setup": "nonsense"}, Code.BAD_SETUP),
        ("1. d6", {"match": "nosuchmatch"}, Code.UNKNOWN_MATCH),
        ("1. d6", {"title": "\u202e"}, Code.BAD_TEXT),
        ("1. d6", {"title": "two\nlines"}, Code.BAD_TEXT),
        ("1. d6", {"name": "two\u2028lines"}, Code.BAD_TEXT),
    ],
)
async def test_an_unreadable_or_illegal_study_is_refused(
    served: Served, text: str, fields: dict[str, Any], code: Code
) -> None:
    assert (await save(await served.visitor(), text, **fields))["code"] == code


async def test_parts_out_of_order_are_refused(served: Served) -> None:
    ann = await served.visitor()
    refused = await ask(ann, "save_study", game="morris", upload="u", part=1, parts=2, text="1. d6")
    assert refused["code"] == Code.BAD_RECORD


async def test_the_studies_of_a_deleted_account_are_gone(served: Served) -> None:
    ann = await register(served, "Anna")
    study = (await save(ann, "1. d6"))["study"]
    assert (await ask(ann, "delete_account", password=PASSWORD))["type"] == "done"
    assert (await ask(await served.visitor(), "get_study", study=study))["code"] == Code.UNKNOWN_STUDY


@pytest.mark.parametrize("game", ["morris", "mingmang", "battlesheep"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 99), plies=st.integers(1, 30), data=st.data())
def test_canonical_study_text_is_stable(game: str, seed: int, plies: int, data: st.DataObject) -> None:
    setup = data.draw(st.sampled_from(setups_of(game)))
    start, end = State.of(find_game(game), setup), play_by_chance(game, setup, seed, plies)
    text = canonical_text(start, " ".join(end.move_texts))
    assert canonical_text(start, text) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{%s}" % (MAX_COMMENT_LENGTH * "a"), None),
        ("{%s}" % ((MAX_COMMENT_LENGTH + 1) * "a"), Code.BAD_RECORD),
        ("1. d6 {%s}" % ((MAX_COMMENT_LENGTH + 1) * "a"), Code.BAD_RECORD),
        ("1. d6 {in\u200bvisible}", Code.BAD_TEXT),
        ("{\u202e} 1. d6", Code.BAD_TEXT),
        ("1.\td6 {on\r\ntwo lines}", None),
    ],
)
async def test_nothing_is_cut_off_or_left_out_of_a_study(served: Served, text: str, code: Code | None) -> None:
    ann = await served.visitor()
    saved = await save(ann, text, part_length=4_000)
    assert saved.get("code") == code
    if code is None:
        assert (await ask(ann, "get_study", study=saved["study"]))["text"] == " ".join(text.split())


def test_a_text_that_could_not_be_saved_again_is_refused() -> None:
    notes = 11 * ["{%s}" % (MAX_COMMENT_LENGTH * "a")]
    play = play_by_chance("morris", "", 1, 60)
    # Numbers of moves make it longer.
    rest = MAX_LENGTH - len(" ".join([*notes, *play.move_texts])) - 20
    text = " ".join(
        [
            *(f"{move} {note}" for move, note in zip(play.move_texts, [*notes, f"{{{rest * 'a'}}}"], strict=False)),
            *play.move_texts[12:],
        ]
    )
    assert len(text) < MAX_LENGTH
    with pytest.raises(Refusal, match="too long"):
        canonical_text(State.of(find_game("morris"), ""), text)


async def test_a_study_that_is_too_long_is_refused(served: Served) -> None:
    refused = await save(await served.visitor(), "{" + "a" * 50_000 + "}", part_length=4_000)
    assert (refused["code"], refused["message"]) == (Code.BAD_RECORD, "The study is too long.")
