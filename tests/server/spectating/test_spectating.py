"""The list of live matches by pages and the featured match, over real sockets."""

import pytest

from millrace.server.spectating import featured, live_pages
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.players.accounts.registered_players import register_all
from tests.server.web.two_players import BOT, ME, create
from tests.server.web.two_players import begin_unwatched as begin


async def page(visitor: Visitor, *matches: str) -> Frame:
    """Return the next page of the list that shows just these matches, in this order."""
    while True:
        told = await visitor.hear_until("live_page")
        if [line["match"] for line in told["matches"]] == list(matches):
            return told


async def test_the_list_is_sent_by_game_rated_first_and_after_changes(served: Served) -> None:
    eve, ann, ben = [await served.visitor() for _ in range(3)]
    guests = await begin(ann, ben)
    elsewhere = await begin(ann, ben, game="mingmang")
    await eve.say("watch_live", game="morris")
    await page(eve, guests)
    cat, dan = await register_all(served, "Cat", "Dan")
    rated = await begin(cat, dan)
    told = await page(eve, rated, guests)
    assert (told["game"], told["page"], told["pages"], told["total"]) == ("morris", 0, 1, 2)
    assert told["matches"][0]["players"] == ["Cat", "Dan"]
    assert told["matches"][0]["ratings"] == [{"rating": 1500, "provisional": True}] * 2
    assert told["matches"][1]["ratings"] == [None, None]
    await eve.say("watch_live")
    await page(eve, rated, *sorted((guests, elsewhere)))
    await cat.ask("abort", match=rated, seat=0)
    await page(eve, *sorted((guests, elsewhere)))


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_pages, "MATCHES_PER_PAGE", 2)


@pytest.mark.usefixtures("small_pages")
async def test_only_the_followed_page_of_a_long_list_is_sent(served: Served) -> None:
    eve, ann, ben = [await served.visitor() for _ in range(3)]
    matches = sorted([await begin(ann, ben) for _ in range(3)])
    await eve.say("watch_live", game="morris", page=1)
    told = await page(eve, matches[2])
    assert (told["pages"], told["total"]) == (2, 3)
    await eve.say("watch_live", game="morris", page=0)
    await page(eve, *matches[:2])
    await eve.say("watch_live", on=False)
    await eve.say("watch_live", game="morris", page=7)
    assert (await page(eve))["total"] == 3


async def test_a_match_by_link_is_not_in_the_list(served: Served) -> None:
    eve, ann, ben = [await served.visitor() for _ in range(3)]
    await begin(ann, ben, listed=False)
    public = await begin(ann, ben)
    await eve.say("watch_live", game="morris")
    await page(eve, public)


async def test_an_unknown_game_is_refused(served: Served) -> None:
    eve = await served.visitor()
    for command in ("watch_live", "watch_featured"):
        await eve.say(command, game="chess")
        await eve.hear_until("refused", code="unknown_game")


async def test_the_featured_match_is_sent_and_replaced_when_it_is_over(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(featured, "LINGER_MS", 100)
    eve, ann, ben = [await served.visitor() for _ in range(3)]
    await eve.say("watch_featured", game="morris", exhibition=False)
    await eve.hear_until("featured", game="morris", match=None)
    first = await begin(ann, ben)
    await eve.hear_until("featured", match=first)
    second = await begin(ann, ben)
    await ann.ask("abort", match=first, seat=0)
    await eve.hear_until("featured", match=second)
    await eve.say("watch_featured", game="morris", on=False)
    await eve.say("watch_featured", game="mingmang", exhibition=False)
    await eve.hear_until("featured", game="mingmang", match=None)


async def test_practice_against_a_bot_is_listed_but_not_featured(served: Served) -> None:
    eve, ann = await served.visitor(), await served.visitor()
    match = await create(ann, ME, BOT)
    await eve.say("watch_live", game="morris")
    await page(eve, match)
    await eve.say("watch_featured", game="morris", exhibition=False)
    await eve.hear_until("featured", game="morris", match=None)


async def test_a_glance_is_not_counted(served: Served) -> None:
    eve, ann, ben = [await served.visitor() for _ in range(3)]
    match = await begin(ann, ben)
    await eve.say("watch", match=match, glance=True)
    assert (await eve.hear_until("audience_update"))["spectators"] == 0
    await eve.say("watch", match=match)
    await eve.hear_until("audience_update", spectators=1)
    await eve.say("unwatch", match=match)
    await ann.say("watch", match=match)
    await ann.hear_until("audience_update", spectators=0)
