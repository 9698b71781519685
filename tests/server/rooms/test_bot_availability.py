"""What players hear while bots are starting, or cannot start, over real sockets."""

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from millrace.client import ME, bot, connect
from millrace.server.callers.presence import Presence
from millrace.server.cluster.bus import LocalBus
from millrace.server.rooms.bot_availability import BotAvailabilityNews
from millrace.server.runtime import metrics
from tests.client.terminal.typist import seated
from tests.server.in_process_server import Frame, Served
from tests.server.metric_values import value_of
from tests.server.rooms.thinkers import Thinkers
from tests.server.web.two_players import BOT, OPEN, create
from tests.server.web.two_players import ME as MY_SEAT


@pytest.fixture(autouse=True)
def sees_changes_at_once(quick_intervals: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millrace.server.rooms.bot_availability.LOOK_SECONDS", 0.01)


def cannot_start(served: Served, *games: str, why: str = "There is no memory.") -> None:
    served.bots.waiting_games, served.bots.trouble = games, why


async def test_while_bots_are_starting_their_matches_wait_and_players_hear_why(served: Served) -> None:
    early = await served.visitor()
    cannot_start(served, "morris", why="")
    told = await early.hear_until("bot_availability")
    assert (told["waiting"], told["is_starting"]) == (["morris"], True)
    late = await served.visitor()
    assert await late.hear_until("bot_availability") == told
    assert await create(late, MY_SEAT, BOT)
    assert value_of(metrics.BOT_GAMES_WAITING) == 1
    cannot_start(served, why="")
    assert (await early.hear_until("bot_availability"))["waiting"] == []
    assert value_of(metrics.BOT_GAMES_WAITING) == 0


async def test_bots_that_cannot_start_are_refused_and_people_play(served: Served) -> None:
    ann = await served.visitor()
    cannot_start(served, "morris")
    assert not (await ann.hear_until("bot_availability"))["is_starting"]

    async def code(type_: str, **fields: object) -> object:
        return (await ann.ask(type_, **fields)).get("code")

    def match(game: str, *seats: Frame) -> Frame:
        return {"game": game, "seats": list(seats), "setup": "seats=2" if game == "battlesheep" else ""}

    assert await code("create", **match("morris", MY_SEAT, BOT)) == "bots_unavailable"
    assert await code("create", **match("morris", BOT, BOT)) == "bots_unavailable"
    assert await code("play_now", game="morris") == "bots_unavailable"
    assert await code("create", **match("morris", MY_SEAT, OPEN)) is None
    assert await code("create", **match("battlesheep", MY_SEAT, BOT)) is None
    cannot_start(served, why="")
    assert await code("create", **match("morris", MY_SEAT, BOT)) is None


async def test_only_a_game_with_faulty_code_has_no_bots(served: Served) -> None:
    ann = await served.visitor()
    cannot_start(served, "battlesheep", why="")
    served.bots.faulty_games = {"battlesheep": "The code of battlesheep is faulty."}
    told = await ann.hear_until("bot_availability")
    assert (told["waiting"], told["is_starting"]) == (["battlesheep"], False)
    assert (told["faulty"], told["explanation"]) == (["battlesheep"], "")
    assert "code of this game is faulty" in told["faulty_explanation"]
    refused = await ann.ask("create", game="battlesheep", seats=[MY_SEAT, BOT], setup="seats=2")
    assert (refused.get("code"), refused["message"]) == ("bots_unavailable", told["faulty_explanation"])
    assert await create(ann, MY_SEAT, BOT)
    cannot_start(served, "battlesheep", "morris", why="")
    told = await ann.hear_until("bot_availability")
    assert (told["faulty"], told["is_starting"]) == (["battlesheep"], True)
    assert "still starting" in told["explanation"]
    assert value_of(metrics.BOTS_IN_TROUBLE) == 0


async def test_nothing_gives_a_seat_to_bots_that_cannot_start(served: Served) -> None:
    ann = await served.visitor()
    alone, open_match, ended = [await create(ann, MY_SEAT, seat) for seat in (MY_SEAT, OPEN, BOT)]
    assert (await ann.ask("resign", match=ended, seat=0))["type"] == "accepted"
    cannot_start(served, "morris")
    changed = {"match": alone, "seat": 1, "level": 1}
    for refused in (
        await ann.ask("change_player", **changed),
        await ann.ask("offer", match=alone, seat=1, kind="hand_over", level=1),
        await ann.ask("fill_seat", match=open_match, seat=1, level=1),
        await ann.ask("rematch", match=ended, seat=0),
    ):
        assert refused.get("code") == "bots_unavailable", refused
    cannot_start(served, why="")
    assert (await ann.ask("change_player", **changed))["type"] == "accepted"


async def test_a_match_that_was_created_is_found_again_while_bots_cannot_start(served: Served) -> None:
    ann = await served.visitor()
    asked = {"id": "c-1", "game": "morris", "seats": [MY_SEAT, BOT], "setup": ""}
    created = await ann.ask("create", **asked)
    cannot_start(served, "morris")
    assert await ann.ask("create", **asked) == created


async def test_the_terminal_says_why_the_bot_does_not_move(served: Served, choosing: Thinkers) -> None:
    cannot_start(served, "morris", why="")
    async with connect(served.address) as me:
        match = (await me.create("morris", [bot(1), ME])).match
        async with seated(served, token=me.token) as ann:
            await ann.type(f"open {match}", "is to move. The bots are still starting")
            cannot_start(served, "morris")
            await ann.hear("bots cannot start right now")
            await choosing.asked.get()
            cannot_start(served, why="")
            choosing.answers.put_nowait("a1")
            assert "bots" not in (await ann.hear("Your move"))


async def test_the_terminal_says_once_that_bots_are_starting(served: Served, choosing: Thinkers) -> None:
    cannot_start(served, "morris", why="")
    async with connect(served.address) as me, seated(served, token=me.token) as ann:
        match = (await me.create("morris", [ME, bot(1)])).match
        await ann.type(f"open {match}", "Your move")
        assert "still starting" in await ann.type("a1", "still starting")
        choosing.answers.put_nowait("d1")
        await ann.hear("Your move")
        ann.send("g1")
        choosing.answers.put_nowait("a4")
        await ann.hear("Your move")
        assert not any("starting" in text for text in ann.said), ann.said
        cannot_start(served, "morris")
        await ann.type("a7", "bots cannot start right now")


def test_what_is_asked_about_bots_that_cannot_start_has_been_logged_before() -> None:
    """So that `/health`, which says that the log says why, is never ahead of it."""
    bots = SimpleNamespace(trouble="There is no memory.")
    news = BotAvailabilityNews(bots, Presence(LocalBus()))
    with capture_logs() as logs:
        assert news.note_trouble() == news.note_trouble() == "There is no memory."
    assert [entry["reason"] for entry in logs] == ["There is no memory."]
