"""Exhibitions over real sockets: started for viewers when nothing is on, ended without viewers or when people play."""

from pathlib import Path

import pytest

from millrace.protocol import CommandId, MatchId
from millrace.server.app.stores import open_storage
from millrace.server.bots.requests import Urgency
from millrace.server.journal.entries import Entry, Origin
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.creation import open_exhibition
from millrace.server.rooms import bot_moves
from millrace.server.spectating import exhibitions, spectating_handler
from millrace.server.spectating import featured as featured_matches
from tests.server.in_process_server import Serve, Served, Visitor
from tests.server.web.two_players import begin_unwatched as begin


@pytest.fixture(autouse=True)
def standstill(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots think about the first ply for as long as the test takes."""
    monkeypatch.setattr(bot_moves, "EXHIBITION_PLY_SECONDS", 3600)


@pytest.fixture
def hurry(standstill: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots answer soon, but so that the match lasts until it is looked at."""
    monkeypatch.setattr(bot_moves, "EXHIBITION_PLY_SECONDS", 0.05)


async def featured(visitor: Visitor, game: str = "mingmang") -> str:
    """Look at what is featured, and return it once something is."""
    await visitor.say("watch_featured", game=game)
    while (told := await visitor.hear_until("featured", game=game))["match"] is None:
        pass
    return str(told["match"])


@pytest.mark.usefixtures("hurry")
async def test_bots_play_for_viewers_when_nothing_else_is_on(served: Served) -> None:
    eve = await served.visitor()
    match = await featured(eve, "morris")
    await eve.say("watch", match=match)
    created = (await eve.hear_event("created"))["event"]
    assert created["exhibition"]
    assert {plan["occupant"] for plan in created["seats"]} == {"bot"}
    for _ in range(4):
        await eve.hear_event("moved")
    assert {request.urgency for request in served.bots.requests} == {Urgency.EXHIBITION}
    other = await served.visitor()
    assert await featured(other, "morris") == match


async def test_the_first_viewer_does_not_wait_for_the_next_update(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectating_handler, "UPDATE_SECONDS", 3600)
    assert await featured(await served.visitor(), "morris")


async def test_bots_do_not_play_for_viewers_who_opted_out_or_while_people_wait(served: Served) -> None:
    served.bots.is_busy = True
    eve, fay = await served.visitor(), await served.visitor()
    await fay.say("watch_featured", game="mingmang", exhibition=False)
    await eve.say("watch_featured", game="mingmang")
    await eve.say("watch_live")
    match = await begin(await served.visitor(), await served.visitor())
    while [line["match"] for line in (await eve.hear_until("live_page"))["matches"]] != [match]:
        pass
    assert served.bots.requests == []
    served.bots.is_busy = False
    assert await featured(eve) != match


@pytest.mark.usefixtures("hurry")
async def test_a_match_of_people_replaces_an_exhibition_which_is_not_archived(served: Served) -> None:
    eve = await served.visitor()
    match = await featured(eve)
    await eve.say("watch", match=match)
    await eve.hear_event("moved")
    people = await begin(await served.visitor(), await served.visitor(), game="mingmang")
    await eve.hear_until("featured", match=people)
    ended = (await eve.hear_event("ended"))["event"]
    assert (ended["ranks"], ended["reason"], ended["explanation"]) == (None, "aborted", exhibitions.PEOPLE_PLAY)
    await eve.say("search_matches", id="s")
    assert (await eve.hear_until("found_matches"))["matches"] == []


async def test_an_unwatched_exhibition_is_called_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhibitions, "IDLE_MS", 0)
    eve = await served.visitor()
    match = await featured(eve)
    await eve.say("watch_featured", game="mingmang", on=False)
    await eve.say("watch", match=match)
    ended = (await eve.hear_event("ended"))["event"]
    assert (ended["reason"], ended["explanation"]) == ("aborted", exhibitions.NOBODY_WATCHED)


@pytest.mark.usefixtures("hurry")
async def test_one_exhibition_follows_another(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(featured_matches, "LINGER_MS", 100)
    eve = await served.visitor()
    first = await featured(eve, "morris")
    await eve.say("watch", match=first)
    await eve.hear_event("ended")
    while (await eve.hear_until("featured", game="morris"))["match"] in (first, None):
        pass


async def test_after_a_restart_an_unwatched_exhibition_does_not_continue(serve: Serve, tmp_path: Path) -> None:
    match = MatchId("exhibition")
    stores = await open_storage(f"sqlite:///{tmp_path / 'test.sqlite3'}")
    events = open_exhibition("morris", [bot_player(3), bot_player(4)], 0)
    await stores.journal.append(match, 0, [Entry(event, 0) for event in events], Origin("house", CommandId("1")))
    await stores.close()
    served: Served = await serve()
    eve = await served.visitor()
    await eve.say("watch", match=match)
    assert (await eve.hear_event("ended"))["event"]["explanation"] == "the server was restarted"
    assert served.bots.requests == []
