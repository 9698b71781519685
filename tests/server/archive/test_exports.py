"""Matches fetched by GET: one or many, as text or JSON, with what a match that goes on keeps back."""

import json

import pytest

from millrace.server.archive import exports as exporting
from millrace.server.archive.record_reader import read_matches
from tests.server.accounts.registered_players import register
from tests.server.http.get_requests import fetch
from tests.server.in_process_server import Served
from tests.server.ratings.rated_play import ME, OPEN, play


async def test_a_match_that_is_over_is_fetched_as_text_and_as_json(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    match = await play([ann, ben], rated=False)
    status, headers, text = await fetch(served, f"/match/{match}.txt")
    assert status == 200
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert headers["Content-Disposition"] == f'attachment; filename="millrace-{match}.txt"'
    assert headers["Cache-Control"] == "public, max-age=3600"
    assert f'[Site "http://localhost:{served.port}/match/{match}"]' in text
    assert '[White "Anna"]' in text
    assert text.endswith("1. a7 g1 2. d7 g4 0-1\n\n")
    _, headers, body = await fetch(served, f"/match/{match}.json")
    assert headers["Content-Type"] == "application/json"
    record = json.loads(body)
    assert (record["id"], record["ranks"], [ply["move"] for ply in record["plies"]]) == (
        match,
        [2, 1],
        ["a7", "g1", "d7", "g4"],
    )
    (reading,) = read_matches(text)
    assert reading.record.id == match


async def test_what_has_not_changed_is_not_sent_again(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    _, headers, _ = await fetch(served, f"/match/{match}.txt")
    status, _, body = await fetch(served, f"/match/{match}.txt", **{"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, "")


async def test_a_match_that_goes_on_keeps_its_latest_plies_back(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = (await ann.ask("create", id="c", game="morris", seats=[ME, OPEN]))["match"]
    await ben.ask("join", id="j", match=match)
    for number, move in enumerate(("a7", "g1", "d7", "g4")):
        await (ann, ben)[number % 2].ask("play", id=f"p{number}", match=match, seat=number % 2, move=move)
    _, headers, text = await fetch(served, f"/match/{match}.txt")
    assert text.endswith("1. a7 *\n\n")
    assert headers["Cache-Control"] == "no-store"
    assert len(json.loads((await fetch(served, f"/match/{match}.json"))[2])["plies"]) == 1


async def test_many_are_fetched_by_the_same_questions_as_are_asked_of_the_archive(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    first, second, third = [await play(pair, rated=False) for pair in ([ann, ben], [ben, ann], [ann, ben])]
    _, headers, body = await fetch(served, "/archive.json?player=anna&limit=2")
    assert headers["Content-Type"] == "application/x-ndjson"
    assert [json.loads(line)["id"] for line in body.splitlines()] == [third, second]
    following = headers["Link"].partition("<")[2].partition(">")[0]
    _, headers, body = await fetch(served, following)
    assert [json.loads(line)["id"] for line in body.splitlines()] == [first]
    assert "Link" not in headers
    _, _, text = await fetch(served, "/archive.txt?player=anna&result=won")
    assert [reading.record.id for reading in read_matches(text)] == [second]
    assert (await fetch(served, "/archive.txt?from=2020-01-01&to=2020-12-31"))[2] == ""


async def test_of_long_matches_fewer_come_at_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "MAX_EXPORT_PLIES", 5)
    pair = [await register(served, "Anna"), await register(served, "Benno")]
    matches = [await play(pair, rated=False) for _ in range(2)]
    _, headers, body = await fetch(served, "/archive.json?player=anna")
    assert [json.loads(line)["id"] for line in body.splitlines()] == matches[1:]
    _, headers, body = await fetch(served, headers["Link"].partition("<")[2].partition(">")[0])
    assert [json.loads(line)["id"] for line in body.splitlines()] == matches[:1]
    assert "Link" not in headers


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/match/nowhere.txt", 404),
        ("/archive.txt?player=Nobodyhere", 404),
        ("/archive.txt?result=maybe", 400),
        ("/archive.txt?rated=1", 400),
        ("/archive.json?from=yesterday", 400),
        ("/archive.json?limit=0", 400),
        ("/archive.json?cursor=x", 400),
        ("/archive.pdf", 404),
    ],
)
async def test_what_makes_no_sense_is_refused_in_words(served: Served, path: str, status: int) -> None:
    answered, _, words = await fetch(served, path)
    assert answered == status
    assert words.strip()


async def test_days_of_another_time_zone_are_given_as_times(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    record = json.loads((await fetch(served, f"/match/{match}.json"))[2])
    ended_ms = record["ended_ms"]
    for since_ms, until_ms, is_found in (
        (ended_ms, ended_ms + 1, True),
        (ended_ms + 1, ended_ms + 2, False),
        (0, ended_ms, False),
    ):
        status, _, text = await fetch(served, f"/archive.json?since_ms={since_ms}&until_ms={until_ms}")
        assert status == 200
        assert (match in text) is is_found
    status, _, text = await fetch(served, "/archive.json?since_ms=soon")
    assert (status, text) == (400, "since_ms and until_ms must be times in milliseconds since 1970.\n")


async def test_own_and_imported_matches_are_downloaded_by_their_owner_only(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    own = await play([ann, ben], rated=False)
    others = await play([ben, await served.visitor()], rated=False)
    text = '[Game "morris"]\n[White "Old"]\n[Black "Older"]\n\n1. a7 g1 *\n'
    await ann.say("import_matches", id="i", upload="u", part=0, parts=1, text=text)
    imported = (await ann.hear_until("matches_imported"))["matches"][0]["match"]
    authorized = {"Authorization": f"Bearer {ann.token}"}
    for query, found in (("mine=1", own), ("imported=1", imported)):
        status, headers, text = await fetch(served, f"/archive.json?{query}", **authorized)
        assert status == 200
        assert [json.loads(line)["id"] for line in text.splitlines()] == [found]
        assert headers["Cache-Control"] == "private, no-store"
        assert "Access-Control-Allow-Origin" not in headers
        status, _, text = await fetch(served, f"/archive.json?{query}")
        assert (status, text) == (403, "Sign in to download your own matches.\n")
    assert others != own
