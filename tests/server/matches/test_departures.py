"""Departures from matches of three and four seats, on a simulated clock: stand-ins, votes and ranks."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.state import State
from millrace.protocol import (
    Abort,
    ChooseStandIn,
    ClockSettings,
    Code,
    Create,
    Ended,
    Join,
    Left,
    Moved,
    Play,
    Resign,
    Resumed,
    Seated,
    StandInChosen,
    Started,
    StoodIn,
)
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.clock import GRACE_MS
from millrace.server.matches.creation import open_match
from millrace.server.matches.departures import STAND_IN_LEVEL, VOTE_MS
from millrace.server.matches.fold import apply_next, replay
from millrace.server.matches.match import Phase
from millrace.server.matches.referee import decide, decide_resume
from tests.server.tables import BOT, ID, MATCH, ME, OPEN, PEOPLE, Table

WIDE_FOR_THREE = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"
WIDE_FOR_FOUR = "r16,0,0,0/b16,0,0,0/g16,0,0,0/y16,0,0,0 r 4"
TWO_ARE_SHUT_IN = "0,r16,0,b16,g16 r 3"
"""Red at b1, Blue at d1, Green at e1: when Red takes c1, only Red still has a ply."""


def first_move(table: Table) -> str:
    return table.match.state.format_move(table.match.state.legal_moves[0])


def people_at(setup: str, seats: int, clock: ClockSettings | None = None) -> Table:
    return Table(setup, ME, *(OPEN,) * (seats - 1), clock=clock)


def three_without(leaver: int) -> Table:
    """A match of three that one has left."""
    table = people_at(WIDE_FOR_THREE, 3)
    table.resign(leaver)
    return table


def test_seats_without_a_legal_move_pass_one_after_another() -> None:
    table = people_at(TWO_ARE_SHUT_IN, 3, ClockSettings(60_000, 1_000))
    clocks_ms = (57_000, 60_000, 60_000)
    assert table.play("b1-c1:8", 4_000) == [
        Moved(0, "b1-c1:8", clocks_ms),
        Moved(1, "pass", clocks_ms, forced=True),
        Moved(2, "pass", clocks_ms, forced=True),
    ]
    assert table.match.to_move == 0
    assert table.left_ms(5_000) == (56_000, 60_000, 60_000)


def test_a_seat_without_a_move_at_the_start_passes() -> None:
    table = people_at("r8,b8,r8,0,0 b 2", 2)
    assert [recorded.entry.event for recorded in table.stored][-2:] == [Started(), Moved(1, "pass", None, forced=True)]
    assert table.match.to_move == 0


def test_the_clock_runs_for_each_seat_in_turn() -> None:
    table = people_at(WIDE_FOR_THREE, 3, ClockSettings(60_000))
    for at_ms, move in ((1_000, "a1-d1:8"), (3_000, "a2-d2:8"), (6_000, "a3-d3:8")):
        table.play(move, at_ms)
    assert table.left_ms(10_000) == (55_000, 58_000, 57_000)


def test_a_player_who_resigns_among_three_leaves_and_the_others_choose() -> None:
    table = people_at(WIDE_FOR_THREE, 3)
    assert table.resign(1) == [Left(1, "resignation")]
    assert table.match.phase is Phase.PLAYING
    assert table.vote(0, 1, "skip") == [StandInChosen(0, 1, "skip")]
    assert table.vote(2, 1, "skip") == [StandInChosen(2, 1, "skip"), StoodIn(1, "skip", None)]


def test_a_bot_stands_in_if_the_majority_votes_for_it() -> None:
    table = people_at(WIDE_FOR_FOUR, 4)
    table.resign(0)
    assert table.match.mover is None
    table.vote(1, 0, "bot")
    table.vote(2, 0, "skip")
    assert table.vote(3, 0, "bot")[-1] == StoodIn(0, "bot", STAND_IN_LEVEL)
    assert table.match.mover == bot_player(STAND_IN_LEVEL)
    assert table.play("a1-d1:8") == [Moved(0, "a1-d1:8", None)]
    assert table.match.mover == PEOPLE[1]


def test_a_tied_vote_means_a_bot() -> None:
    table = three_without(1)
    table.vote(0, 1, "skip")
    assert table.vote(2, 1, "bot")[-1] == StoodIn(1, "bot", STAND_IN_LEVEL)


def test_a_vote_can_be_changed_until_it_is_settled() -> None:
    table = three_without(1)
    table.vote(0, 1, "bot")
    table.vote(0, 1, "skip")
    assert table.vote(2, 1, "skip")[-1] == StoodIn(1, "skip", None)
    assert table.refusal_of(ChooseStandIn(ID, MATCH, 0, 1, "bot"), PEOPLE[0]) is Code.NOTHING_TO_CHOOSE


def test_a_skipped_seat_passes_at_its_turn_though_it_could_move() -> None:
    table = three_without(1)
    table.vote(0, 1, "skip")
    table.vote(2, 1, "skip")
    assert table.play("a1-d1:8") == [Moved(0, "a1-d1:8", None), Moved(1, "pass", None, forced=True)]
    assert table.match.to_move == 2


def test_a_skipped_seat_whose_turn_it_is_passes_at_once() -> None:
    table = three_without(0)
    table.vote(1, 0, "skip")
    assert table.vote(2, 0, "skip")[1:] == [StoodIn(0, "skip", None), Moved(0, "pass", None, forced=True)]
    assert table.match.mover == PEOPLE[1]


def test_a_match_with_skipped_seats_is_a_line_that_bots_can_replay() -> None:
    table = three_without(1)
    for seat in (0, 2):
        table.vote(seat, 1, "skip")
    table.play("a1-d1:8")
    state = table.match.state
    again = State.from_moves(state.game, WIDE_FOR_THREE, state.move_texts)
    assert again.position_text == state.position_text


def test_a_seat_with_pieces_to_place_is_played_by_a_bot_instead_of_skipped() -> None:
    table = people_at("seats=3", 3)
    table.resign(0)
    for seat in (1, 2):
        table.vote(seat, 0, "skip")
    assert table.match.mover == bot_player(STAND_IN_LEVEL)
    for _ in range(3):
        table.play(first_move(table))
    assert table.stored[-1].entry.event == Moved(0, "pass", None, forced=True)


def test_a_match_with_skipped_seats_ends() -> None:
    table = people_at(WIDE_FOR_FOUR, 4)
    for leaver in (1, 3):
        table.resign(leaver)
    for leaver in (1, 3):
        for seat in (0, 2):
            table.vote(seat, leaver, "skip")
    while table.match.phase is Phase.PLAYING:
        table.play(first_move(table))
    ended = table.match.ended
    assert ended is not None
    assert ended.reason in ("most_cells", "largest_group", "shared")
    assert ended.ranks is not None
    assert (ended.ranks[1], ended.ranks[3]) == (4, 3)
    assert sorted((ended.ranks[0], ended.ranks[2])) in ([1, 1], [1, 2])


def test_clocks_stand_still_during_the_vote() -> None:
    table = people_at(WIDE_FOR_THREE, 3, ClockSettings(30_000))
    table.resign(0, 10_000)
    assert table.wait(10_000 + VOTE_MS - 1) == []
    assert table.left_ms(50_000) == (20_000, 30_000, 30_000)
    assert table.match.due_at_ms == 10_000 + VOTE_MS


def test_the_votes_cast_decide_when_voting_ends() -> None:
    table = people_at(WIDE_FOR_FOUR, 4)
    table.resign(1, 5_000)
    table.vote(0, 1, "skip", 6_000)
    assert table.wait(5_000 + VOTE_MS - 1) == []
    assert table.wait(5_000 + VOTE_MS) == [StoodIn(1, "skip", None)]


def test_a_bot_stands_in_if_nobody_votes() -> None:
    table = people_at(WIDE_FOR_THREE, 3)
    table.resign(1, 5_000)
    assert table.wait(5_000 + VOTE_MS) == [StoodIn(1, "bot", STAND_IN_LEVEL)]
    assert table.match.due_at_ms is None


def test_a_bot_stands_in_at_once_without_voters() -> None:
    table = Table(WIDE_FOR_THREE, ME, BOT, BOT)
    assert table.resign(0) == [Left(0, "resignation"), StoodIn(0, "bot", STAND_IN_LEVEL)]


def test_the_vote_of_a_departed_player_does_not_count() -> None:
    table = people_at(WIDE_FOR_FOUR, 4)
    table.resign(0)
    table.vote(1, 0, "skip")
    table.vote(2, 0, "bot")
    assert table.resign(1) == [Left(1, "resignation")]
    assert table.vote(3, 0, "bot")[-1] == StoodIn(0, "bot", STAND_IN_LEVEL)


def test_a_player_who_loses_on_time_among_three_leaves_once() -> None:
    table = people_at(WIDE_FOR_THREE, 3, ClockSettings(10_000))
    assert table.wait(9_999) == []
    assert table.wait(10_000) == [Left(0, "time")]
    for seat in (1, 2):
        table.vote(seat, 0, "bot", 12_000)
    assert table.wait(10**9) == []
    assert table.play("a1-d1:8", 20_000) == [Moved(0, "a1-d1:8", (0, 10_000, 10_000))]
    assert table.left_ms(23_000) == (0, 7_000, 10_000)
    left, ended = table.wait(30_000)
    assert left == Left(1, "time")
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason, ended.clocks_ms) == ((3, 2, 1), "time", (0, 0, 10_000))


def test_the_last_player_wins_and_departed_players_rank_by_how_long_they_stayed() -> None:
    table = people_at(WIDE_FOR_FOUR, 4)
    table.resign(2)
    table.resign(0)
    left, ended = table.resign(3)
    assert left == Left(3, "resignation")
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason, ended.seat) == ((3, 1, 4, 2), "resignation", 3)
    assert ended.explanation == "only Blue has stayed"


def test_departed_players_rank_last_whatever_their_seats_achieved() -> None:
    table = people_at("r12,r4,b16,g16,0 g 3", 3)
    table.resign(0)
    for seat in (1, 2):
        table.vote(seat, 0, "bot")
    ended = table.play("d1-e1:4")[-1]
    assert isinstance(ended, Ended)
    assert ended.ranks == (3, 2, 1)


def test_a_departed_player_can_do_nothing() -> None:
    table = three_without(0)
    left, player = Code.SEAT_LEFT, PEOPLE[0]
    assert table.refusal_of(Play(ID, MATCH, 0, "a1-d1:8"), player) is left
    assert table.refusal_of(Resign(ID, MATCH, 0), player) is left
    assert table.refusal_of(Abort(ID, MATCH, 0), player) is left
    assert table.refusal_of(ChooseStandIn(ID, MATCH, 0, 0, "bot"), player) is left


def test_a_vote_needs_a_departed_seat_and_an_own_one() -> None:
    table = people_at(WIDE_FOR_THREE, 3)
    assert table.refusal_of(ChooseStandIn(ID, MATCH, 0, 1, "bot"), PEOPLE[0]) is Code.NOTHING_TO_CHOOSE
    table.resign(1)
    assert table.refusal_of(ChooseStandIn(ID, MATCH, 2, 1, "bot"), PEOPLE[0]) is Code.NOT_YOUR_SEAT


def test_with_two_seats_nobody_departs() -> None:
    table = people_at("", 2)
    assert isinstance(table.resign(0)[0], Ended)


def test_a_restart_does_not_change_the_vote() -> None:
    table = people_at(WIDE_FOR_THREE, 3, ClockSettings(30_000))
    table.resign(0, 10_000)
    table.vote(1, 0, "skip", 11_000)
    resumed = decide_resume(table.match, 12_000, 40_000)
    assert resumed == [Resumed((20_000, 30_000, 30_000), GRACE_MS)]
    table.store(resumed, 40_000)
    assert table.wait(10_000 + VOTE_MS - 1) == []
    assert table.wait(10_000 + VOTE_MS)[0] == StoodIn(0, "skip", None)


def test_a_match_of_four_starts_when_its_last_open_seat_is_taken() -> None:
    plans = (OPEN, ME, BOT, OPEN)
    events = open_match(Create(ID, "battlesheep", plans, "seats=4"), PEOPLE[0], range(4), 0)
    assert events[1:] == [Seated(1, PEOPLE[0]), Seated(2, bot_player(2))]
    match = replay(MATCH, [Recorded(1 + index, Entry(event, 0)) for index, event in enumerate(events)])
    assert decide(match, Join(ID, MATCH, 3), PEOPLE[1], 0).events == [Seated(3, PEOPLE[1])]
    match = apply_next(match, Seated(3, PEOPLE[1]), 0)
    assert match.phase is Phase.WAITING
    assert decide(match, Join(ID, MATCH), PEOPLE[2], 0).events == [Seated(0, PEOPLE[2]), Started()]


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 4), st.randoms(use_true_random=False))
def test_every_match_ends_and_is_replayed_equally(seats: int, chance: random.Random) -> None:
    table = people_at(f"seats={seats}", seats, ClockSettings(30_000, 500))
    now_ms = 0
    leavers: list[int] = []
    while (match := table.match).phase is Phase.PLAYING:
        now_ms += chance.randrange(4_000)
        assert match.due_at_ms is not None or match.departures
        table.wait(now_ms)
        match = table.match
        if match.phase is Phase.PLAYING:
            some_action(table, chance, now_ms)
        leavers = [departure.seat for departure in table.match.departures]
    ended = table.match.ended
    assert ended is not None
    assert ended.ranks is not None
    assert [ended.ranks[seat] for seat in leavers] == [seats - index for index in range(len(leavers))]
    assert min(ended.ranks) == 1
    passes = [event for _, (event, *_) in table.stored if isinstance(event, Moved) and event.move == "pass"]
    assert all(event.forced for event in passes)


def some_action(table: Table, chance: random.Random, now_ms: int) -> None:
    """Do something that is allowed: leave now and then, vote where a vote is open, else make the ply to be made."""
    match = table.match
    open_seats = [departure.seat for departure in match.departures if departure.stand_in is None]
    voters = sorted(match.voters)
    if chance.random() < 0.03:
        table.resign(chance.choice(voters), now_ms)
    elif open_seats and chance.random() < 0.7:
        table.vote(chance.choice(voters), chance.choice(open_seats), chance.choice(["bot", "skip", "skip"]), now_ms)
    elif match.mover is not None:
        state = match.state
        table.play(state.format_move(chance.choice(state.legal_moves)), now_ms)
