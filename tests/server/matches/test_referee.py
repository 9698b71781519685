"""The referee, on a simulated clock: the effect of each command during a match."""

import pytest

from millrace.protocol import (
    Abort,
    ClockSettings,
    Code,
    CommandId,
    Create,
    Ended,
    Join,
    MatchCommand,
    Moved,
    Player,
    Rematch,
    Resign,
    Resumed,
)
from millrace.protocol.refusal import Refusal
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.clock import GRACE_MS
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import apply_event
from millrace.server.matches.match import Match, Phase
from millrace.server.matches.referee import decide, decide_due, decide_ply, decide_resume
from tests.server.matches.folding import (
    ANN,
    BEN,
    BOT,
    EVE,
    MATCH,
    ME,
    OPEN,
    create,
    fold,
    obey,
    over,
    play,
    refusal_of,
    started,
    under_way,
    waiting,
)
from tests.server.tables import left_ms, only_end

WHITE_WINS_BY_A_TAKING = "WW......B....B.........B w 1 0"
"""White closes a7-d7-g7 and takes one of three men: Black, with none in hand, has too few."""


def test_a_ply_passes_the_turn_on_and_stores_the_clocks() -> None:
    match = under_way(ClockSettings(60_000, 1_000))
    assert decide(match, play(0, "d6"), ANN, 5_000).events == [Moved(0, "d6", (56_000, 60_000))]
    after = obey(match, play(0, "d6"), ANN, 5_000)
    assert after.to_move == 1
    assert left_ms(after, 7_000) == (56_000, 58_000)


def test_a_move_can_be_given_in_clicks() -> None:
    match = started("WW......B....B.........B w 1 0")
    assert decide(match, play(0, "g7 e5"), ANN, 0).events[0] == Moved(0, "g7xe5", None)


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
def test_each_invalid_command_is_refused_with_its_code(command: MatchCommand, player: Player, code: Code) -> None:
    assert refusal_of(started(), command, player) is code


def test_no_ply_is_made_before_the_start_or_after_the_end() -> None:
    assert refusal_of(waiting(), play(0, "d6"), ANN) is Code.NOT_STARTED
    assert refusal_of(over(), play(0, "d6"), ANN) is Code.MATCH_OVER
    assert refusal_of(over(), Resign(CommandId("x"), MATCH, 1), BEN) is Code.MATCH_OVER


def test_the_ply_that_wins_ends_the_match_with_it() -> None:
    moved, ended = decide(started(WHITE_WINS_BY_A_TAKING), play(0, "g7xe5"), ANN, 0).events
    assert moved == Moved(0, "g7xe5", None)
    assert ended == Ended((1, 2), "too_few_men", "fewer than three men are left", None, None)


def test_the_fold_takes_the_position_of_the_decision_if_it_follows_the_present_one() -> None:
    match = started()
    decision = decide(match, play(0, "d6"), ANN, 0)
    recorded = Recorded(match.seq + 1, Entry(decision.events[0], 0))
    assert apply_event(match, recorded, decision.played).state is decision.played
    assert apply_event(match, recorded).state is not decision.played
    elsewhere = decide(started(), play(0, "a7"), ANN, 0).played
    assert apply_event(match, recorded, elsewhere).state.move_texts == ("d6",)


def test_the_third_occurrence_of_a_position_ends_the_match_in_a_draw() -> None:
    match = started("WWW.......BBB..........W w 0 0")
    for round_number in range(2):
        for seat, move in enumerate(("g1-g4", "e4-e5", "g4-g1", "e5-e4")):
            events = decide_ply(match, seat % 2, move, 0).events
            match = fold(events, 0, match)
            assert match.phase is (Phase.OVER if (round_number, seat) == (1, 3) else Phase.PLAYING)
    assert match.ended is not None
    assert (match.ended.ranks, match.ended.reason) == ((1, 1), "repetition")


def test_resigning_gives_the_match_to_the_other_seat() -> None:
    assert decide(started(), Resign(CommandId("r"), MATCH, 1), BEN, 0).events == [
        Ended((1, 2), "resignation", "Black resigned", 1, None)
    ]


def test_a_match_can_be_called_off_until_every_seat_has_made_a_ply() -> None:
    match = obey(started(), play(0, "d6"), ANN)
    abort = Abort(CommandId("a"), MATCH, 1)
    ended = decide(match, abort, BEN, 0).events[0]
    assert isinstance(ended, Ended)
    assert (ended.ranks, ended.reason) == (None, "aborted")
    assert refusal_of(obey(match, play(1, "f4"), BEN), abort, BEN) is Code.ALREADY_STARTED


def test_the_flag_ends_a_timed_match_and_no_other() -> None:
    match = under_way(ClockSettings(10_000))
    assert decide_due(match, 9_999) == []
    assert decide_due(match, 10_000) == [Ended((2, 1), "time", "White's time ran out", 0, (0, 10_000))]
    assert decide_due(started(), 10**12) == []
    assert decide_due(fold(open_match(create(ME, OPEN, clock=ClockSettings(10_000)), ANN, (0, 1), 0)), 10**6) == []


SMALL_TERRITORY = "8/8/8/8/wwwwwwww/8/bbbbbbbb/bbbbbbbb b 0"


def started_mingmang(setup: str = "", clock: ClockSettings | None = None) -> Match:
    command = Create(CommandId("c"), "mingmang", (ME, OPEN), setup, clock)
    return obey(fold(open_match(command, ANN, (0, 1), 0)), Join(CommandId("j"), MATCH), BEN)


def test_a_forbidden_repetition_has_its_own_refusal() -> None:
    match = started_mingmang()
    for ply, move in enumerate(("h2-g2", "a7-b7", "g2-h2")):
        match = obey(match, play(ply % 2, move), (ANN, BEN)[ply % 2])
    for move in ("b7-a7", "b7 a7"):
        with pytest.raises(Refusal, match="would repeat an earlier position") as refused:
            decide(match, play(1, move), BEN, 0)
        assert refused.value.code is Code.REPETITION_REFUSED


def test_a_match_at_its_time_limit_is_adjudicated() -> None:
    match = started_mingmang(SMALL_TERRITORY, ClockSettings(60_000, match_limit_ms=50_000))
    match = obey(match, play(0, "a2-a3"), ANN)
    match = obey(match, play(1, "h4-h5"), BEN)
    assert match.due_at_ms == 50_000
    match = obey(match, play(0, "pass"), ANN, 20_000)
    assert decide_due(match, 49_999) == []
    ended = only_end(decide_due(match, 50_000))
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
