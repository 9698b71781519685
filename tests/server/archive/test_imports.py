"""Matches imported as text over real sockets: stored once, found by their link, and private."""

import asyncio
from typing import Any

import pytest

from millrace.server.archive.import_handler import IMPORTS, MAX_MATCHES
from millrace.server.journal.journal_store import Journal
from tests.server.archive.searches import ids, search
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.journal.failures import failed_append
from tests.server.players.accounts.registered_players import ask, register
from tests.server.ratings.rated_play import play
from tests.server.web.get_requests import fetch

TAGS = '[White "Anna"]\n[Black "Benno"]\n[Date "2020.02.03"]\n[TimeControl "300+2"]\n'
TEXT = f"{TAGS}\n1. d6 {{[%clk 0:04:58]}} f4 2. a4 1-0\n"
OTHER = TEXT.replace("2020", "2021")


async def bring(visitor: Visitor, text: str, upload: str = "u", **fields: object) -> Frame:
    return await ask(
        visitor, "import_matches", upload=upload, text=text, **{"part": 0, "parts": 1, "game": "morris", **fields}
    )


async def events_of(visitor: Visitor, match: str) -> list[Frame]:
    await visitor.say("watch", match=match)
    frame = await visitor.hear_until("match_events", match=match)
    return [match_event["event"] for match_event in frame["events"]]


async def test_an_imported_match_is_replayed_by_its_link_and_marked(served: Served) -> None:
    ann = await register(served, "Anna")
    (imported,) = (await bring(ann, TEXT))["matches"]
    assert {key: imported[key] for key in ("game", "players", "plies")} == {
        "game": "morris",
        "players": ["Anna", "Benno"],
        "plies": 3,
    }
    events = await events_of(await served.visitor(), imported["match"])
    assert (events[0]["imported"], events[0]["rated"]) == (True, False)
    assert [event["player"]["id"] for event in events if event["type"] == "seated"] == ["imported", "imported"]
    moved = [event for event in events if event["type"] == "moved"]
    assert [event["clocks_ms"] for event in moved] == [[298_000, 300_000]] * 3
    assert (events[-1]["ranks"], events[-1]["reason"]) == ([1, 2], "unknown")


async def test_an_import_is_found_by_its_importer_and_in_nobodys_matches(served: Served) -> None:
    ann = await register(served, "Anna")
    (imported,) = (await bring(ann, TEXT))["matches"]
    other = await served.visitor()
    assert ids(await search(ann, imported=True)) == [imported["match"]]
    assert ids(await search(ann, mine=True)) == []
    assert ids(await search(other, player="Anna")) == []
    assert ids(await search(other)) == []
    assert ids(await search(other, imported=True)) == []
    assert (await ask(other, "get_player_ratings", name="Anna"))["matches"] == []


async def test_a_match_imported_again_is_stored_once(served: Served) -> None:
    ann = await served.visitor()
    first = await bring(ann, TEXT + OTHER)
    assert len(ids(first)) == 2
    again = await bring(await served.visitor(ann.token), OTHER + TEXT, "another")
    assert ids(again) == ids(first)[::-1]
    assert ids(await bring(await served.visitor(), TEXT)) != ids(first)[:1]


async def test_a_long_text_is_sent_in_parts(served: Served) -> None:
    ann = await served.visitor()
    middle = len(TEXT) // 2
    assert (await bring(ann, TEXT[:middle], parts=2))["type"] == "done"
    assert len((await bring(ann, TEXT[middle:], part=1, parts=2))["matches"]) == 1
    assert (await bring(ann, TEXT, part=1, parts=2))["code"] == "bad_record"


async def test_exported_matches_can_be_imported(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    match = await play([ann, ben], rated=False)
    for form in ("txt", "json"):
        _, _, text = await fetch(served, f"/match/{match}.{form}")
        (imported,) = (await bring(ann, text, form))["matches"]
        assert imported["plies"] == 4
        _, _, again = await fetch(served, f"/match/{imported['match']}.txt")
        assert again.endswith("1. a7 g1 2. d7 g4 0-1\n\n")
        assert '[Event "Casual match"]' in again
        _, _, again = await fetch(served, f"/match/{imported['match']}.json")
        assert '"imported":true' in again


async def test_a_records_remarks_on_moves_are_kept(served: Served) -> None:
    ann = await served.visitor()
    text = TAGS + "\n{A classic} 1. d6! {strong} f4 (1... d2 {better}) 2. a4 1-0\n"
    (imported,) = (await bring(ann, text))["matches"]
    events = await events_of(ann, imported["match"])
    assert [event["comment"] for event in events if event["type"] == "annotated"] == ["A classic", "strong", ""]
    _, _, again = await fetch(served, f"/match/{imported['match']}.txt")
    assert again.endswith("\n\n{A classic} 1. d6 $1 {strong} f4 (1... d2 {better}) 2. a4 1-0\n\n")
    assert len(ids(await search(ann, imported=True))) == 1


async def test_what_an_import_changes_is_reported(served: Served) -> None:
    ann = await served.visitor()
    text = "From: Cy\n\n1. d6 f4 {a {brace} 2. a4 (2. -- a1 {threat}) *\n"
    (imported,) = (await bring(ann, text))["matches"]
    assert imported["changes"] == [
        "The text before the record was left out.",
        "Braces in comments became parentheses.",
        "A variation with a null move became a comment.",
    ]
    _, _, again = await fetch(served, f"/match/{imported['match']}.txt")
    assert again.endswith("1. d6 f4 {a (brace} 2. a4 {(2. -- a1 (threat))} *\n\n")
    (faithful,) = (await bring(ann, TEXT))["matches"]
    assert faithful["changes"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. d6 f4\n2. d6 *", "Line 2, move 2: d6 is not allowed here."),
        ("", "There are no matches in this text."),
        (TEXT * (MAX_MATCHES + 1), f"more than {MAX_MATCHES} matches"),
    ],
)
async def test_a_faulty_text_is_refused_as_a_whole(served: Served, text: str, words: str) -> None:
    ann = await served.visitor()
    refused = await bring(ann, text)
    assert refused["code"] == "bad_record"
    assert words in refused["message"]
    assert ids(await search(ann, imported=True)) == []


async def test_guests_at_an_address_have_a_daily_limit_of_imports(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    most = int(IMPORTS.guests or 0)
    texts = [TEXT.replace("2020", str(1980 + number)) for number in range(most + 1)]
    assert len((await bring(ann, texts[0]))["matches"]) == 1
    refused = await bring(ben, "".join(texts[1:]))
    assert refused["code"] == "too_many"
    assert f"The first {most - 1} matches are stored" in refused["message"]
    assert len(ids(await search(ben, imported=True))) == most - 1
    assert (await bring(ann, texts[0]))["code"] == "too_many"
    assert len((await bring(await register(served, "Anna"), TEXT))["matches"]) == 1


async def test_the_number_of_texts_per_hour_is_limited(serve: Serve) -> None:
    served = await serve(limits={"imported_texts.guests": 2})
    ann, ben = await served.visitor(), await served.visitor()
    assert [(await bring(visitor, "nothing"))["code"] for visitor in (ann, ben, ann)] == ["bad_record"] * 2 + [
        "too_many"
    ]
    assert len(ids(await bring(await register(served, "Anna"), TEXT))) == 1


async def test_a_partly_stored_text_is_reported_and_can_be_completed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = iter((True, False))
    append = Journal.append

    def append_or_fail(journal: Journal, *arguments: Any, **named: Any) -> asyncio.Future[bool]:
        if not next(outcomes, True):
            return failed_append("the disk is full")
        return append(journal, *arguments, **named)

    monkeypatch.setattr(Journal, "append", append_or_fail)
    ann = await served.visitor()
    refused = await bring(ann, TEXT + OTHER)
    assert refused["code"] == "unavailable"
    assert "The first match is stored" in refused["message"]
    assert len(ids(await bring(ann, TEXT + OTHER))) == 2
    assert len(ids(await search(ann, imported=True))) == 2
