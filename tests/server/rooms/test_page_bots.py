"""Bots for which a page thinks, over real sockets, beside bots of the server that think until the test answers."""

from collections.abc import Sequence

import pytest

from millrace.server.rooms import page_bots
from millrace.server.runtime import metrics
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.metric_values import value_of
from tests.server.players.accounts.registered_players import register
from tests.server.rooms.thinkers import Thinkers
from tests.server.web.two_players import BOT, ME, begin_between, create, play


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for pages for longer than any test."""
    monkeypatch.setattr(page_bots, "PAGE_SECONDS", 3600.0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, patient: None) -> None:
    """The server's bots think as soon as a page has been asked."""
    monkeypatch.setattr(page_bots, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(page_bots, "LEAST_SECONDS", 0.0)


async def watch(visitor: Visitor, match: str) -> None:
    await visitor.say("watch", match=match)
    await visitor.hear_until("watching", match=match)


async def offer(visitor: Visitor, *seats: Frame, **fields: object) -> str:
    """Create a match, watch it, and offer to think for its bot."""
    match = await create(visitor, *(seats or (ME, BOT)), **fields)
    await watch(visitor, match)
    await visitor.say("think_for_bot", match=match)
    return match


async def ask_page(visitor: Visitor) -> Frame:
    """Offer to think for a bot, play, and return the turn of the bot."""
    match = await offer(visitor)
    await play(visitor, match, 0, "d6")
    return await visitor.hear_until("bot_turn", match=match)


async def answer(visitor: Visitor, turn: Frame, move: str) -> Frame:
    return await visitor.ask("play_for_bot", match=turn["match"], seq=turn["seq"], move=move)


def asked_pages(visitor: Visitor) -> Sequence[Frame]:
    return [frame for frame in visitor.read if frame["type"] == "bot_turn"]


async def test_a_page_moves_for_the_bot_and_the_server_does_not_search(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    before = value_of(metrics.BOT_MOVES.labels("page"))
    turn = await ask_page(ann)
    assert (turn["level"], len(turn["moves"])) == (1, 1)
    assert (await answer(ann, turn, "f4"))["type"] == "done"
    moved = await ann.hear_event("moved")
    assert (moved["event"]["seat"], moved["event"]["move"]) == (1, "f4")
    assert choosing.asked.empty()
    assert value_of(metrics.BOT_MOVES.labels("page")) == before + 1


async def test_the_seed_is_that_of_the_servers_own_search(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    turn = await ask_page(ann)
    await ann.say("think_for_bot", match=turn["match"], on=False)
    assert (await choosing.asked.get()).seed == turn["seed"]


@pytest.mark.parametrize(("move", "code"), [("d6", "illegal_move"), ("?", "bad_move")])
async def test_after_a_wrong_move_the_server_thinks_and_asks_the_page_no_more(
    served: Served, choosing: Thinkers, move: str, code: str
) -> None:
    ann = await served.visitor()
    before = value_of(metrics.BOT_MOVES.labels("server_for_page"))
    turn = await ask_page(ann)
    assert (await answer(ann, turn, move))["code"] == code
    await choosing.asked.get()
    assert (await answer(ann, turn, "f4"))["code"] == "not_asked"
    choosing.answers.put_nowait("f4")
    await ann.hear_until("turn")
    assert value_of(metrics.BOT_MOVES.labels("server_for_page")) == before + 1
    await play(ann, turn["match"], 0, "b4")
    await choosing.asked.get()
    assert len(asked_pages(ann)) == 1


@pytest.mark.usefixtures("impatient")
async def test_a_late_page_may_still_be_first(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    turn = await ask_page(ann)
    asked = await choosing.asked.get()
    assert (await answer(ann, turn, "f4"))["type"] == "done"
    assert (await ann.hear_event("moved"))["event"]["move"] == "f4"
    assert await choosing.withdrawn.get() == asked


@pytest.mark.usefixtures("impatient")
async def test_a_page_that_is_too_late_is_told_so_and_asked_no_more(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    turn = await ask_page(ann)
    await choosing.asked.get()
    choosing.answers.put_nowait("b4")
    await ann.hear_until("turn")
    assert (await answer(ann, turn, "f4"))["code"] == "not_asked"
    await play(ann, turn["match"], 0, "f2")
    await choosing.asked.get()
    assert len(asked_pages(ann)) == 1


async def test_the_server_thinks_as_soon_as_the_page_is_gone(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    turn = await ask_page(ann)
    await ann.connection.close()
    assert (await choosing.asked.get()).table == f"{turn['match']} 1"


@pytest.mark.parametrize(("type_", "fields"), [("think_for_bot", {"on": False}), ("unwatch", {})])
async def test_the_server_thinks_as_soon_as_the_page_stops(
    served: Served, choosing: Thinkers, type_: str, fields: Frame
) -> None:
    ann = await served.visitor()
    turn = await ask_page(ann)
    await ann.say(type_, match=turn["match"], **fields)
    await choosing.asked.get()


async def test_only_the_connection_that_was_asked_may_answer(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    other = await served.visitor(ann.token)
    stranger = await served.visitor()
    turn = await ask_page(ann)
    await watch(other, turn["match"])
    await other.say("think_for_bot", match=turn["match"])
    for visitor in (other, stranger):
        assert (await answer(visitor, turn, "f4"))["code"] == "not_asked"
    assert (await answer(ann, {**turn, "seq": turn["seq"] - 1}, "f4"))["code"] == "not_asked"
    assert choosing.asked.empty()
    assert (await answer(ann, turn, "f4"))["type"] == "done"


async def test_an_answer_to_a_turn_before_a_takeback_is_refused(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    turn = await ask_page(ann)
    await ann.ask("offer", match=turn["match"], seat=0, kind="takeback")
    await play(ann, turn["match"], 0, "d6")
    again = await ann.hear_until("bot_turn")
    assert again["moves"] == turn["moves"]
    assert (await answer(ann, turn, "f4"))["code"] == "not_asked"
    assert (await answer(ann, again, "f4"))["type"] == "done"


@pytest.mark.parametrize("opponent", [8, "hunter"])
async def test_the_strongest_level_and_personalities_stay_with_the_server(
    served: Served, choosing: Thinkers, opponent: int | str
) -> None:
    ann = await served.visitor()
    match = await offer(ann, ME, {"occupant": "bot", "level": opponent})
    await play(ann, match, 0, "d6")
    await choosing.asked.get()
    assert not asked_pages(ann)


async def test_bots_among_three_stay_with_the_server(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    match = await offer(ann, ME, BOT, BOT, game="battlesheep", setup="seats=3")
    moves = (await ann.hear_until("turn", match=match))["moves"]
    clicks = []
    while moves is not None:
        click, moves = next(iter(moves.items()))
        clicks.append(click)
    await play(ann, match, 0, " ".join(clicks))
    await choosing.asked.get()
    assert not asked_pages(ann)


async def test_in_a_rated_match_the_server_thinks(served: Served, choosing: Thinkers) -> None:
    ann = await register(served)
    match = await offer(ann, rated=True, clock={"initial_ms": 300_000})
    await play(ann, match, 0, "d6")
    await choosing.asked.get()
    assert not asked_pages(ann)


async def test_with_a_spectator_the_server_thinks(served: Served, choosing: Thinkers) -> None:
    ann, eve = await served.visitor(), await served.visitor()
    match = await offer(ann)
    await watch(eve, match)
    await play(ann, match, 0, "d6")
    await choosing.asked.get()
    assert not asked_pages(ann)


async def test_with_little_time_the_server_thinks(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    match = await offer(ann, clock={"initial_ms": 5_000})
    await play(ann, match, 0, "d6")
    await choosing.asked.get()
    assert not asked_pages(ann)


async def test_api_tokens_and_connections_that_do_not_watch_cannot_offer(served: Served) -> None:
    ann = await register(served)
    token = (await ann.ask("create_token", label="bot", scopes=["play", "read"]))["token"]
    program = await served.visitor(token)
    match = await create(ann, ME, BOT)
    await watch(program, match)
    await program.say("think_for_bot", match=match)
    assert (await program.hear_until("refused"))["code"] == "scope_needed"
    assert (await program.ask("play_for_bot", match=match, seq=1, move="d6"))["code"] == "scope_needed"
    await ann.say("think_for_bot", match=match)
    assert (await ann.hear_until("refused"))["code"] == "not_for_you"


async def test_a_match_between_people_asks_no_page(served: Served, choosing: Thinkers) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin_between(ann, ben)
    await ann.say("think_for_bot", match=match)
    await play(ann, match, 0, "d6")
    await ben.hear_event("moved")
    assert choosing.asked.empty()
    assert not asked_pages(ann)


@pytest.mark.parametrize(("is_by_page", "lost"), [(True, 0), (False, 1)])
async def test_what_a_page_has_moved_in_counts_in_no_record(
    served: Served, choosing: Thinkers, is_by_page: bool, lost: int
) -> None:
    ann = await register(served, "Ann_Miller")
    turn = await ask_page(ann)
    if is_by_page:
        await answer(ann, turn, "f4")
    else:
        await ann.say("think_for_bot", match=turn["match"], on=False)
        choosing.answers.put_nowait("f4")
    await ann.hear_until("turn")
    await ann.ask("resign", match=turn["match"], seat=0)
    scores = (await ann.ask("get_profile", name="Ann_Miller"))["scores"]
    assert sum(each["lost"] for each in scores) == lost
    table = await ann.ask("get_crosstable", player=None, opponent="bot-1")
    assert sum(each["lost"] for each in table["scores"]) == lost
    found = await ann.ask("search_matches", mine=True)
    assert [each["ranks"] for each in found["matches"]] == [[2, 1]]
    found = await ann.ask("search_matches", mine=True, result="lost")
    assert len(found["matches"]) == lost
