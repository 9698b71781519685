"""Tournaments in rounds by correspondence: which kinds, the limit for the first move, and the next round."""

import pytest
from msgspec.structs import replace

from millrace.protocol import ClockSettings, Code, TournamentKind
from millrace.protocol.refusal import Refusal
from millrace.server.tournaments.decisions import require_plan
from tests.server.in_process_server import Frame, Serve, Visitor
from tests.server.tournaments.arenas import PLAN, START_MS
from tests.server.tournaments.evenings import Evening, names_of

DAY_MS = 86_400_000
THREE_DAYS = ClockSettings(3 * DAY_MS, renews=True)


@pytest.mark.parametrize("kind", ["swiss", "round_robin"])
def test_a_swiss_and_a_round_robin_can_be_played_by_correspondence(kind: TournamentKind) -> None:
    require_plan(replace(PLAN, kind=kind, rounds=3, clock=THREE_DAYS), START_MS)


@pytest.mark.parametrize("kind", ["arena", "knockout", "simul"])
def test_other_kinds_cannot(kind: TournamentKind) -> None:
    with pytest.raises(Refusal) as refused:
        require_plan(replace(PLAN, kind=kind, rated=False, clock=THREE_DAYS), START_MS)
    assert refused.value.code is Code.BAD_CLOCK


def first_player(evening: Evening, table: Frame) -> Visitor:
    return next(each for each in evening.players if each.player["name"] == table["players"][0]["name"])


async def test_a_round_begins_after_the_last_result_and_days_are_the_limit_for_the_first_move(serve: Serve) -> None:
    clock = {"initial_ms": 3 * DAY_MS, "renews": True}
    evening = await Evening(serve).begin_rounds("Annabel", "Benjamin", "Caroline", kind="round_robin", clock=clock)
    table, _ = await evening.round(1)
    first = first_player(evening, table)
    assert (await first.hear_until("your_tournament"))["by_correspondence"]
    await first.say("watch_notifications")
    inbox = (await first.hear_until("notifications"))["notifications"]
    assert [(each["kind"], each["match"]) for each in inbox] == [("your_turn", table["match"])]

    evening.clock.now_ms += 3 * DAY_MS - 10_000
    assert (await first.ask("play", match=table["match"], seat=0, move="a7"))["type"] == "accepted"
    planned = await first.ask("set_plan", match=table["match"], seat=0, ply=1, lines=[["d7", "g7"]])
    assert planned["lines"] == [["d7", "g7"]]
    evening.clock.now_ms += 4 * DAY_MS
    (second,) = (each for each in evening.players if each.player["name"] in names_of(table) and each is not first)
    assert (await second.ask("play", match=table["match"], seat=1, move="d7"))["code"] == "match_over"
    await evening.place(second, match=None)

    table, _ = await evening.round(2)
    view = await evening.view(evening.players[0])
    assert [(each["points"], each["forfeit"]) for each in view["tables"][:1]] == [([2, 0], True)]
    await evening.win(table, max(names_of(table)))
    table, _ = await evening.round(3)
    await evening.win(table, max(names_of(table)))
    assert (await evening.over())["summary"]["status"] == "over"
