"""Tournaments in rounds by correspondence: which kinds, the limit for the first move, and the next round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.protocol import ClockSettings, Code, Created, Moved, SeatPlan, TournamentKind, TournamentPlan
from millrace.protocol.refusal import Refusal
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.creation import open_tournament_match
from millrace.server.matches.fold import replay
from millrace.server.tournaments.decisions import is_round_over, require_plan, score_unfinished
from millrace.server.tournaments.events import Halted, Scored
from tests.server.in_process_server import Frame, Serve, Visitor
from tests.server.tournaments.arenas import PLAN, START_MS, Arena, player
from tests.server.tournaments.evenings import Evening, names_of

DAY_MS = 86_400_000
THREE_DAYS = ClockSettings(3 * DAY_MS, renews=True)
DATED = replace(PLAN, kind="swiss", rounds=3, clock=THREE_DAYS, round_days=14)


@pytest.mark.parametrize("kind", ["swiss", "round_robin"])
def test_a_swiss_and_a_round_robin_can_be_played_by_correspondence(kind: TournamentKind) -> None:
    require_plan(replace(PLAN, kind=kind, rounds=3, clock=THREE_DAYS), START_MS)


@pytest.mark.parametrize("kind", ["arena", "knockout", "simul"])
def test_other_kinds_cannot(kind: TournamentKind) -> None:
    with pytest.raises(Refusal) as refused:
        require_plan(replace(PLAN, kind=kind, rated=False, clock=THREE_DAYS), START_MS)
    assert refused.value.code is Code.BAD_CLOCK


@pytest.mark.parametrize("plan", [replace(PLAN, kind="swiss", rounds=3), replace(DATED, round_days=2)])
def test_rounds_by_date_need_days_for_moves_and_last_at_least_as_long_as_one(plan: TournamentPlan) -> None:
    require_plan(DATED, START_MS)
    with pytest.raises(Refusal) as refused:
        require_plan(replace(plan, round_days=plan.round_days or 14), START_MS)
    assert refused.value.code is Code.BAD_TOURNAMENT


def test_a_round_by_date_starts_at_its_date_however_early_the_one_before_was_over() -> None:
    arena = Arena("Ann", "Ben", plan=replace(DATED, kind="round_robin", double=True)).begin()
    (pair,) = arena.pair(after_ms=0)
    arena.end(pair, "ann")
    assert arena.pair(after_ms=13 * DAY_MS) == ()
    arena.store(Halted(START_MS, START_MS + DAY_MS))
    assert arena.pair(after_ms=DAY_MS) == (), "the interruption counts"
    (pair,) = arena.pair(after_ms=DAY_MS)
    assert not is_round_over(arena.tournament, START_MS + 29 * DAY_MS - 1)
    assert is_round_over(arena.tournament, START_MS + 29 * DAY_MS)


@given(st.lists(st.integers(0, 3 * DAY_MS), max_size=4), st.integers(0, 3 * DAY_MS))
def test_at_the_end_of_a_round_the_player_whose_turns_have_taken_longer_loses(
    turns_ms: list[int], last_ms: int
) -> None:
    arena = Arena("Ann", "Ben", plan=DATED).begin()
    (pair,) = arena.pair(after_ms=0)
    created = Created("morris", "", (SeatPlan("open"),) * 2, THREE_DAYS, tournament=arena.tournament.id)
    players = [player(name.title()) for name in pair.players]
    entries = [Entry(event, START_MS) for event in open_tournament_match(created, players, START_MS)]
    now_ms = START_MS
    for ply, turn_ms in enumerate(turns_ms):
        now_ms += turn_ms
        entries.append(Entry(Moved(ply % 2, ("a7", "d7", "g7", "a4")[ply], (0, 0)), now_ms))
    recorded = [Recorded(seq, entry) for seq, entry in enumerate(entries, 1)]
    match = replay(pair.match, recorded)
    used_ms = [sum(turns_ms[seat::2]) + last_ms * (len(turns_ms) % 2 == seat) for seat in (0, 1)]
    (scored,) = score_unfinished(arena.tournament, now_ms + last_ms, match, recorded)
    assert isinstance(scored, Scored)
    assert scored.ranks == (1 + (used_ms[0] > used_ms[1]), 1 + (used_ms[1] > used_ms[0]))
    arena.store(scored)
    assert score_unfinished(arena.tournament, now_ms + last_ms, match, recorded) == []


async def test_a_round_ends_by_date_and_the_next_begins_after_a_restart(serve: Serve) -> None:
    clock = {"initial_ms": 3 * DAY_MS, "renews": True}
    names = ("Annabel", "Benjamin")
    evening = await Evening(serve).begin_rounds(*names, kind="round_robin", double=True, clock=clock, round_days=3)
    (table,) = await evening.round(1, after_ms=0)
    evening.clock.now_ms += 2 * DAY_MS
    first = first_player(evening, table)
    assert (await first.ask("play", match=table["match"], seat=0, move="a7"))["type"] == "accepted"
    view = await evening.view(first)
    assert view["summary"]["next_round_at_ms"] == view["summary"]["plan"]["starts_at_ms"] + 3 * DAY_MS
    await evening.restart()
    (table,) = await evening.round(2, after_ms=DAY_MS)
    view = await evening.view(evening.players[0])
    assert view["tables"][0]["points"] == [0, 2], "the first player took two days, the second one"
    evening.clock.now_ms += 2 * DAY_MS
    await evening.win(table, max(names_of(table)))
    assert (await evening.over())["summary"]["status"] == "over"


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
