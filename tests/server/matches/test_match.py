"""The referee, on a clock that the test makes up: what each command leads to in each phase of a match."""

from collections.abc import Sequence

import pytest

from engine.opponents import PERSONALITIES
from server.journal import Entry, Recorded
from server.matches.clock import DAY_MS, GRACE_MS
from server.matches.founding import open_match, open_paired, open_rematch
from server.matches.match import LAPSE_MS, Match, Phase, bot_player, level_of_bot
from server.matches.referee import (
    decide,
    decide_due,
    decide_ply,
    decide_resume,
)
from server.matches.rematch import is_rematch_agreed
from server.protocol import (
    Abort,
    ClockSettings,
    Code,
    CommandId,
    Create,
    Created,
    Decline,
    Ended,
    Event,
    FillSeat,
    IdentityId,
    Join,
    MatchCommand,
    MatchId,
    Moved,
    Play,
    Player,
    Rematch,
    RematchOffered,
    RematchStarted,
    Resign,
    Resumed,
    Seated,
    SeatPlan,
    Started,
    Wish,
    parse_event,
)
from server.refusal import Refusal

ANN = Player(IdentityId("guest-ann"), "Ann")
BEN = Player(IdentityId("guest-ben"), "Ben")
EVE = Player(IdentityId("guest-eve"), "Eve")
ME, OPEN, BOT = SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", 3)
MATCH = MatchId("m1")

WHITE_WINS_BY_A_TAKING = "WW......B....B.........B w 1 0"
"""White closes a7-d7-g7 and takes one of three men: Black, with none in hand, has too few."""


def fold(events: Sequence[Event], at_ms: int = 0, match: Match | None = None) -> Match:
    entries = [Entry(event, at_ms) for event in events]
    if match is None:
        return Match.replayed(MATCH, [Recorded(index + 1, entry) for index, entry in enumerate(entries)])
    for entry in entries:
        match = match.after(Recorded(match.seq + 1, entry))
    return match


def create(*seats: SeatPlan, setup: str = "", clock: ClockSettings | None = None, shuffle: bool = False) -> Create:
    return Create(CommandId("c1"), "morris", seats, setup, clock, shuffle)


def started(setup: str = "", clock: ClockSettings | None = None) -> Match:
    match = fold(open_match(create(ME, OPEN, setup=setup, clock=clock), ANN, (0, 1), 0))
    return obey(match, Join(CommandId("j"), MATCH), BEN)


def under_way(clock: ClockSettings) -> Match:
    """A match in which both have made their first ply, at 0."""
    match = obey(started(clock=clock), play(0, "a7"), ANN)
    return obey(match, play(1, "g7"), BEN)


def obey(match: Match, command: MatchCommand, player: Player, now_ms: int = 0) -> Match:
    return fold(decide(match, command, player, now_ms), now_ms, match)


def play(seat: int, move: str) -> Play:
    return Play(CommandId(f"p{seat}{move}"), MATCH, seat, move)


def refusal_of(match: Match, command: MatchCommand, player: Player) -> Code:
    with pytest.raises(Refusal) as refused:
        decide(match, command, player, 0)
    assert refused.value.message
    return refused.value.code


def over() -> Match:
    return obey(started(), Resign(CommandId("r"), MATCH, 0), ANN)


def test_a_match_against_a_bot_starts_at_once() -> None:
    events = open_match(create(ME, BOT), ANN, (0, 1), 0)
    assert events == [
        Created("morris", "", (ME, BOT), None),
        Seated(0, ANN),
        Seated(1, bot_player(3)),
        Started(),
    ]
    assert fold(events).phase is Phase.PLAYING


def test_a_match_with_an_open_seat_waits() -> None:
    match = fold(open_match(create(OPEN, ME), ANN, (0, 1), 0))
    assert match.phase is Phase.WAITING
    assert match.players == (None, ANN)
    assert match.to_move is None


def test_a_shuffled_match_deals_the_occupants_out_by_the_order_given() -> None:
    events = open_match(create(ME, BOT, shuffle=True), ANN, (1, 0), 0)
    assert Seated(1, ANN) in events
    assert Seated(0, bot_player(3)) in events


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Create(CommandId("c"), "chess", (ME, OPEN)), Code.UNKNOWN_GAME),
        (create(ME, OPEN, setup="nonsense"), Code.BAD_SETUP),
        (create(ME), Code.BAD_SEATS),
        (create(ME, OPEN, OPEN), Code.BAD_SEATS),
        (create(OPEN, OPEN), Code.BAD_SEATS),
        (create(ME, SeatPlan("bot")), Code.BAD_SEATS),
        (create(ME, SeatPlan("open", 3)), Code.BAD_SEATS),
        (create(ME, SeatPlan("bot", "nobody")), Code.BAD_SEATS),
        (Create(CommandId("c"), "morris", (ME, OPEN), rated=True), Code.ACCOUNT_NEEDED),
    ],
)
def test_a_match_that_cannot_be_made_is_refused(command: Create, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        open_match(command, ANN, tuple(range(len(command.seats))), 0)
    assert refused.value.code is code


@pytest.mark.parametrize(("name", "level"), [("easy", 1), ("Medium", 6), ("hard", 8), ("3", 3)])
def test_a_level_that_is_named_is_stored_and_shown_by_its_number(name: str, level: int) -> None:
    created, *events = open_match(create(ME, SeatPlan("bot", name)), ANN, (0, 1), 0)
    assert isinstance(created, Created)
    assert created.seats == (ME, SeatPlan("bot", level))
    assert Seated(1, bot_player(level)) in events
    assert bot_player(level) == Player(IdentityId(f"bot-{level}"), f"Bot, level {level}", level)


@pytest.mark.parametrize("name", PERSONALITIES)
def test_a_personality_takes_a_seat_under_its_own_name_also_in_a_rematch(name: str) -> None:
    match = fold(open_match(create(ME, SeatPlan("bot", name)), ANN, (0, 1), 0))
    bot = match.players[1]
    assert bot is not None
    assert level_of_bot(bot) == name
    assert (bot.name, bot.level) == (f"{PERSONALITIES[name].title} (bot)", PERSONALITIES[name].level)
    assert Seated(0, bot) in open_rematch(match, 0)


def test_any_bot_can_fill_a_seat_but_not_one_that_nobody_knows() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))
    assert decide(match, FillSeat(CommandId("f"), MATCH, 1, "hunter"), ANN, 0)[0] == Seated(1, bot_player("hunter"))
    assert refusal_of(match, FillSeat(CommandId("f"), MATCH, 1, "nobody"), ANN) is Code.BAD_SEATS


def test_joining_takes_the_first_open_seat_and_starts_a_full_match() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))
    assert decide(match, Join(CommandId("j"), MATCH), BEN, 0) == [Seated(1, BEN), Started()]


def test_one_person_may_hold_both_seats() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))
    assert obey(match, Join(CommandId("j"), MATCH), ANN).seats_of(ANN.id) == (0, 1)


def test_a_player_may_seat_a_bot_and_a_stranger_may_not() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))
    fill = FillSeat(CommandId("f"), MATCH, 1, 5)
    assert decide(match, fill, ANN, 0) == [Seated(1, bot_player(5)), Started()]
    assert refusal_of(match, fill, EVE) is Code.NOT_YOUR_SEAT


def test_seats_that_are_taken_or_missing_are_refused() -> None:
    match = started()
    assert refusal_of(match, Join(CommandId("x"), MATCH), EVE) is Code.SEAT_TAKEN
    assert refusal_of(match, Join(CommandId("x"), MATCH, 1), EVE) is Code.SEAT_TAKEN
    assert refusal_of(match, Join(CommandId("x"), MATCH, 3), EVE) is Code.BAD_SEATS


def test_a_ply_hands_the_turn_on_and_says_what_the_clocks_have_left() -> None:
    match = under_way(ClockSettings(60_000, 1_000))
    assert decide(match, play(0, "d6"), ANN, 5_000) == [Moved(0, "d6", (56_000, 60_000))]
    after = obey(match, play(0, "d6"), ANN, 5_000)
    assert after.to_move == 1
    assert after.clock is not None
    assert after.clock.left_ms(7_000) == (56_000, 58_000)


def test_a_move_may_be_said_in_clicks() -> None:
    match = started("WW......B....B.........B w 1 0")
    assert decide(match, play(0, "g7 e5"), ANN, 0)[0] == Moved(0, "g7xe5", None)


@pytest.mark.parametrize(
    ("command", "player", "code"),
    [
        (play(1, "d6"), BEN, Code.NOT_YOUR_TURN),
        (play(0, "d6"), BEN, Code.NOT_YOUR_SEAT),
        (play(0, "d6"), EVE, Code.NOT_YOUR_SEAT),
        (play(3, "d6"), ANN, Code.NOT_YOUR_SEAT),
        (play(0, "z9"), ANN, Code.BAD_MOVE),
        (play(0, "d4"), ANN, Code.BAD_MOVE),
        (play(0, "d6xd2"), ANN, Code.ILLEGAL_MOVE),
        (play(0, "d6 d2"), ANN, Code.ILLEGAL_MOVE),
        (Rematch(CommandId("x"), MATCH, 0), ANN, Code.NOT_OVER),
    ],
)
def test_what_is_not_allowed_now_is_refused_with_its_code(command: MatchCommand, player: Player, code: Code) -> None:
    assert refusal_of(started(), command, player) is code


def test_no_ply_is_made_before_the_start_or_after_the_end() -> None:
    waiting = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))
    assert refusal_of(waiting, play(0, "d6"), ANN) is Code.NOT_STARTED
    assert refusal_of(over(), play(0, "d6"), ANN) is Code.MATCH_OVER
    assert refusal_of(over(), Resign(CommandId("x"), MATCH, 1), BEN) is Code.MATCH_OVER


def test_the_ply_that_wins_ends_the_match_with_it() -> None:
    moved, ended = decide(started(WHITE_WINS_BY_A_TAKING), play(0, "g7xe5"), ANN, 0)
    assert moved == Moved(0, "g7xe5", None)
    assert ended == Ended((1, 2), "too_few_men", "fewer than three men are left", None, None)


def test_the_third_occurrence_of_a_position_ends_the_match_in_a_draw() -> None:
    match = started("WWW.......BBB..........W w 0 0")
    for round_number in range(2):
        for seat, move in enumerate(("g1-g4", "e4-e5", "g4-g1", "e5-e4")):
            events = decide_ply(match, seat % 2, move, 0)
            match = fold(events, 0, match)
            assert match.phase is (Phase.OVER if (round_number, seat) == (1, 3) else Phase.PLAYING)
    assert match.ended is not None
    assert (match.ended.ranks, match.ended.reason) == ((1, 1), "repetition")


def test_resigning_gives_the_match_to_the_other_seat() -> None:
    assert decide(started(), Resign(CommandId("r"), MATCH, 1), BEN, 0) == [
        Ended((1, 2), "resignation", "Black resigned", 1, None)
    ]


def test_a_match_can_be_called_off_until_every_seat_has_made_a_ply() -> None:
    match = obey(started(), play(0, "d6"), ANN)
    abort = Abort(CommandId("a"), MATCH, 1)
    ended = decide(match, abort, BEN, 0)[0]
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason) == (None, "aborted")
    assert refusal_of(obey(match, play(1, "f4"), BEN), abort, BEN) is Code.ALREADY_STARTED


def test_a_waiting_match_can_be_called_off_by_its_creator() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0))
    match = obey(match, Abort(CommandId("a"), MATCH, 0), ANN)
    assert match.phase is Phase.OVER
    assert refusal_of(match, Join(CommandId("x"), MATCH), BEN) is Code.MATCH_OVER


def test_the_flag_ends_a_timed_match_and_no_other() -> None:
    match = under_way(ClockSettings(10_000))
    assert decide_due(match, 9_999) == []
    assert decide_due(match, 10_000) == [Ended((2, 1), "time", "White's time ran out", 0, (0, 10_000))]
    assert decide_due(started(), 10**12) == []
    assert decide_due(fold(open_match(create(ME, OPEN, clock=ClockSettings(10_000)), ANN, (0, 1), 0)), 10**6) == []


BLITZ = ClockSettings(180_000, 2_000)


def test_the_first_plies_cost_no_time_and_gain_none() -> None:
    match = started(clock=BLITZ)
    assert match.clock is not None
    assert match.clock.left_ms(29_000) == (180_000, 180_000)
    assert decide(match, play(0, "a7"), ANN, 29_000) == [Moved(0, "a7", (180_000, 180_000))]
    match = obey(match, play(0, "a7"), ANN, 29_000)
    match = obey(match, play(1, "g7"), BEN, 50_000)
    assert match.clock is not None
    assert match.clock.left_ms(51_000) == (179_000, 180_000)


def test_a_match_whose_first_ply_does_not_come_in_time_has_no_result() -> None:
    match = started(clock=BLITZ)
    assert match.due_at_ms == 30_000
    assert decide_due(match, 29_999) == []
    words = "White did not make the first move in time"
    assert decide_due(match, 30_000) == [Ended(None, "no_show", words, 0, (180_000, 180_000))]


def test_each_seat_has_the_whole_time_for_its_first_ply_from_its_turn_on() -> None:
    match = obey(started(clock=BLITZ), play(0, "a7"), ANN, 20_000)
    assert decide_due(match, 49_999) == []
    (ended,) = decide_due(match, 50_000)
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.seat) == ("no_show", 1)
    assert decide_due(obey(match, play(1, "g7"), BEN, 49_999), 60_000) == []


def test_a_bot_is_waited_for_at_its_first_ply() -> None:
    match = fold(open_match(create(BOT, ME, clock=BLITZ), ANN, (0, 1), 0))
    assert match.due_at_ms is None
    assert decide_due(match, 10**9) == []


@pytest.mark.parametrize("clock", [None, ClockSettings(DAY_MS, renews=True)])
def test_where_no_seconds_count_the_first_ply_has_no_time_of_its_own(clock: ClockSettings | None) -> None:
    assert decide_due(started(clock=clock), DAY_MS - 1) == []


def test_after_a_restart_the_first_ply_has_its_time_anew_when_the_grace_is_over() -> None:
    match = fold([Resumed((180_000, 180_000), GRACE_MS)], 90_000, started(clock=BLITZ))
    assert match.due_at_ms == 90_000 + GRACE_MS + 30_000


def test_a_match_stored_before_first_plies_were_free_has_its_clock_run_from_the_start() -> None:
    seated: list[Event] = [Created("morris", "", (ME, ME), BLITZ), Seated(0, ANN), Seated(1, ANN)]
    assert parse_event(b'{"type":"started"}') == Started()
    match = fold([*seated, Started()], 1_000)
    assert match.clock is not None
    assert match.clock.left_ms(5_000) == (176_000, 180_000)
    assert match.due_at_ms == 181_000


def test_a_ply_that_was_on_its_way_when_the_flag_fell_comes_in_time() -> None:
    match = under_way(ClockSettings(10_000))
    assert decide_due(match, 10_150, allowance_ms=200) == []
    assert decide(match, play(0, "d6"), ANN, 10_150, 200) == [Moved(0, "d6", (50, 10_000))]
    (ended,) = decide_due(match, 10_200, allowance_ms=200)
    assert isinstance(ended, Ended)
    assert (ended.reason, ended.clocks_ms) == ("time", (0, 10_000))


def test_a_clock_that_makes_no_sense_is_refused_with_words() -> None:
    with pytest.raises(Refusal, match="not both") as refused:
        open_match(create(ME, BOT, clock=ClockSettings(60_000, 1_000, delay_ms=1_000)), ANN, (0, 1), 0)
    assert refused.value.code is Code.BAD_CLOCK


def test_after_a_restart_an_event_sets_the_running_clock() -> None:
    match = under_way(ClockSettings(60_000))
    assert decide_resume(match, 4_000, 90_000) == [Resumed((56_000, 60_000), GRACE_MS)]
    after = fold([Resumed((56_000, 60_000), GRACE_MS)], 90_000, match)
    assert after.clock is not None
    assert after.clock.left_ms(90_000 + GRACE_MS + 1_000) == (55_000, 60_000)
    assert decide_resume(started(), 0, 90_000) == []


def test_a_guest_has_no_part_in_a_rated_match() -> None:
    member = Player(IdentityId("player-ann"), "Ann", registered=True)
    rated = Create(CommandId("c"), "morris", (ME, OPEN), rated=True)
    match = fold(open_match(rated, member, (0, 1), 0))
    assert match.created.rated
    assert refusal_of(match, Join(CommandId("j"), MATCH), BEN) is Code.ACCOUNT_NEEDED


def test_a_match_that_nobody_joins_is_given_up_after_three_days() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0), at_ms=500)
    assert match.due_at_ms == 500 + LAPSE_MS
    assert decide_due(match, 499 + LAPSE_MS) == []
    (ended,) = decide_due(match, 500 + LAPSE_MS)
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason) == (None, "no_show")
    assert started().due_at_ms is None


def challenge() -> Match:
    command = Create(CommandId("c"), "morris", (ME, OPEN), invited="Ben")
    return fold(open_match(command, ANN, (0, 1), 0, invited=BEN.id))


def test_only_who_was_challenged_may_take_the_seat() -> None:
    assert refusal_of(challenge(), Join(CommandId("j"), MATCH), EVE) is Code.NOT_FOR_YOU
    assert obey(challenge(), Join(CommandId("j"), MATCH), BEN).phase is Phase.PLAYING


def test_who_was_challenged_may_decline_and_nobody_else() -> None:
    decline = Decline(CommandId("d"), MATCH)
    for somebody in (ANN, EVE):
        assert refusal_of(challenge(), decline, somebody) is Code.NOT_FOR_YOU
    (ended,) = decide(challenge(), decline, BEN, 0)
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason) == (None, "declined")
    accepted = obey(challenge(), Join(CommandId("j"), MATCH), BEN)
    assert refusal_of(accepted, decline, BEN) is Code.NOT_FOR_YOU


@pytest.mark.parametrize(
    "command",
    [
        Create(CommandId("c"), "morris", (ME, ME), listed=True),
        Create(CommandId("c"), "morris", (BOT, OPEN), listed=True),
        Create(CommandId("c"), "morris", (ME, ME), invited="Ben"),
        Create(CommandId("c"), "morris", (ME, OPEN), listed=True, invited="Ben"),
    ],
)
def test_others_are_asked_only_where_there_is_a_seat_for_them(command: Create) -> None:
    with pytest.raises(Refusal) as refused:
        open_match(command, ANN, (0, 1), 0)
    assert refused.value.code is Code.BAD_SEATS


def test_those_who_were_paired_have_the_seats_they_were_dealt() -> None:
    wish = Wish("battlesheep", 4, ClockSettings(60_000))
    match = fold(open_paired(wish, (ANN, BEN, bot_player(2)), 0))
    assert match.players == (ANN, BEN, bot_player(2))
    assert match.phase is Phase.PLAYING


def test_a_rematch_needs_every_person_and_moves_the_seats_on() -> None:
    match = obey(over(), Rematch(CommandId("x"), MATCH, 0), ANN)
    assert not is_rematch_agreed(match)
    match = obey(match, Rematch(CommandId("x"), MATCH, 1), BEN)
    assert is_rematch_agreed(match)
    events = open_rematch(match, 0)
    assert events[0] == Created("morris", "", (OPEN, ME), None, rematch_of=MATCH)
    assert events[1:] == [Seated(0, BEN), Seated(1, ANN), Started()]
    match = fold([RematchStarted(MatchId("m2"))], 0, match)
    assert not is_rematch_agreed(match)
    assert refusal_of(match, Rematch(CommandId("y"), MATCH, 0), ANN) is Code.ALREADY_STARTED


def test_a_bot_agrees_to_a_rematch_by_itself() -> None:
    match = fold(open_match(create(ME, BOT), ANN, (0, 1), 0))
    match = obey(match, Resign(CommandId("r"), MATCH, 0), ANN)
    assert decide(match, Rematch(CommandId("x"), MATCH, 0), ANN, 0) == [RematchOffered(0)]
    match = obey(match, Rematch(CommandId("x"), MATCH, 0), ANN)
    assert is_rematch_agreed(match)
    assert open_rematch(match, 0)[1:] == [Seated(0, bot_player(3)), Seated(1, ANN), Started()]


def test_a_bots_seat_is_nobodys() -> None:
    match = fold(open_match(create(ME, BOT), ANN, (0, 1), 0))
    bot = Player(IdentityId("bot-3"), "An impostor")
    assert refusal_of(match, play(1, "d6"), bot) is Code.NOT_YOUR_SEAT


SMALL_TERRITORY = "8/8/8/8/wwwwwwww/8/bbbbbbbb/bbbbbbbb b 0"


def started_mingmang(setup: str = "", clock: ClockSettings | None = None) -> Match:
    command = Create(CommandId("c"), "mingmang", (ME, OPEN), setup, clock)
    return obey(fold(open_match(command, ANN, (0, 1), 0)), Join(CommandId("j"), MATCH), BEN)


def test_a_move_that_would_repeat_a_position_is_refused_with_words_of_its_own() -> None:
    match = started_mingmang()
    for ply, move in enumerate(("h2-g2", "a7-b7", "g2-h2")):
        match = obey(match, play(ply % 2, move), (ANN, BEN)[ply % 2])
    for move in ("b7-a7", "b7 a7"):
        with pytest.raises(Refusal, match="would bring back an earlier position") as refused:
            decide(match, play(1, move), BEN, 0)
        assert refused.value.code is Code.REPETITION_REFUSED


def test_a_match_that_reaches_its_time_limit_is_judged_as_it_stands() -> None:
    match = started_mingmang(SMALL_TERRITORY, ClockSettings(60_000, match_limit_ms=50_000))
    match = obey(match, play(0, "a2-a3"), ANN)
    match = obey(match, play(1, "h4-h5"), BEN)
    assert match.due_at_ms == 50_000
    match = obey(match, play(0, "pass"), ANN, 20_000)
    assert decide_due(match, 49_999) == []
    (ended,) = decide_due(match, 50_000)
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason, ended.clocks_ms) == ((2, 1), "territory", (40_000, 30_000))


def test_the_time_limit_stands_still_while_the_server_is_away() -> None:
    match = started_mingmang(clock=ClockSettings(60_000, match_limit_ms=50_000))
    resumed = decide_resume(match, 20_000, 90_000)
    assert resumed == [Resumed((60_000, 60_000), GRACE_MS, 30_000)]
    assert fold(resumed, 90_000, match).limit_at_ms == 90_000 + GRACE_MS + 30_000


def test_a_game_without_a_rule_for_it_has_no_time_limit() -> None:
    with pytest.raises(Refusal, match="no rule") as refused:
        open_match(create(ME, BOT, clock=ClockSettings(60_000, match_limit_ms=50_000)), ANN, (0, 1), 0)
    assert refused.value.code is Code.BAD_SETUP
