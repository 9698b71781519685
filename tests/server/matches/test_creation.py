"""The creation of matches: seats, challenges, pairings and rematches."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import PERSONALITIES
from millrace.protocol import (
    ClockSettings,
    Code,
    CommandId,
    Create,
    Created,
    Decline,
    FillSeat,
    IdentityId,
    Join,
    MatchId,
    PairingRequest,
    Player,
    Rematch,
    RematchOffered,
    RematchStarted,
    Resign,
    Seated,
    SeatPlan,
    Started,
)
from millrace.protocol.refusal import Refusal
from millrace.server.matches.built_in_bots import bot_player, level_of_bot
from millrace.server.matches.creation import is_offered_start, open_match, open_paired, open_rematch
from millrace.server.matches.match import LAPSE_MS, Match, Phase
from millrace.server.matches.referee import (
    decide,
    decide_due,
)
from millrace.server.matches.rematch import is_rematch_agreed
from millrace.server.matches.seat_assignment import join, no_ratings
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
    waiting,
)
from tests.server.tables import only_end


def test_a_match_against_a_bot_starts_at_once() -> None:
    events = open_match(create(ME, BOT), ANN, (0, 1), 0)
    assert events == [
        Created("morris", "", (ME, BOT), None, by=ANN.id),
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


MEMBER = Player(IdentityId("ben"), "Ben", registered=True)


def test_a_shuffled_match_assigns_seats_in_the_given_order() -> None:
    events = open_match(create(ME, BOT, shuffle=True), ANN, (1, 0), 0)
    assert Seated(1, ANN) in events
    assert Seated(0, bot_player(3)) in events


@given(st.integers(1_000, 86_400_000), st.integers(1_000, 86_400_000), st.permutations((0, 1)))
def test_time_odds_stay_with_their_player_in_a_shuffled_match_and_a_rematch(
    usual_ms: int, own_ms: int, order: list[int]
) -> None:
    def times(match: Match) -> dict[str, int]:
        assert match.clock is not None
        names = ["Ben" if player is None else player.name for player in match.players]
        return dict(zip(names, match.clock.remaining_ms, strict=True))

    command = create(ME, SeatPlan("open", initial_ms=own_ms), shuffle=True, clock=ClockSettings(usual_ms, 2_000))
    match = obey(fold(open_match(command, ANN, order, 0)), Join(CommandId("j"), MATCH), BEN)
    assert times(match) == {"Ann": usual_ms, "Ben": own_ms}
    rematch = fold(open_rematch(match, 0))
    assert (times(rematch), rematch.players) == (times(match), match.players[::-1])


@pytest.mark.parametrize(
    ("own_ms", "clock", "rated"),
    [
        (60_000, ClockSettings(300_000), True),
        (60_000, None, False),
        (86_400_000, ClockSettings(3 * 86_400_000, renews=True), False),
        (500, ClockSettings(300_000), False),
    ],
)
def test_impossible_time_odds_are_refused(own_ms: int, clock: ClockSettings | None, rated: bool) -> None:
    command = create(ME, SeatPlan("open", initial_ms=own_ms), clock=clock)
    with pytest.raises(Refusal) as refused:
        open_match(msgspec.structs.replace(command, rated=rated), MEMBER, (0, 1), 0)
    assert refused.value.code is Code.BAD_CLOCK


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
        (Create(CommandId("c"), "morris", (ME, ME), listed=True), Code.BAD_SEATS),
        (Create(CommandId("c"), "morris", (BOT, OPEN), listed=True), Code.BAD_SEATS),
        (Create(CommandId("c"), "morris", (ME, ME), invited="Ben"), Code.BAD_SEATS),
        (Create(CommandId("c"), "morris", (ME, OPEN), listed=True, invited="Ben"), Code.BAD_SEATS),
        (create(ME, BOT, clock=ClockSettings(60_000, 1_000, delay_ms=1_000)), Code.BAD_CLOCK),
    ],
)
def test_an_invalid_creation_is_refused(command: Create, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        open_match(command, ANN, tuple(range(len(command.seats))), 0)
    assert refused.value.code is code


@pytest.mark.parametrize(
    ("seats", "setup", "words"),
    [
        ((BOT, BOT), "", "needs a person"),
        ((ME, ME), "", "one seat"),
        ((ME, OPEN), ".W............WBB....W.B b 0 0 flying=off", "own starts"),
        ((ME, BOT), ".W............WBB....W.B b 0 0 flying=off", "own starts"),
    ],
)
def test_rated_play_that_cannot_count_is_refused_before_it_begins(
    seats: tuple[SeatPlan, ...], setup: str, words: str
) -> None:
    command = create(*seats, setup=setup)
    open_match(command, MEMBER, (0, 1), 0)
    with pytest.raises(Refusal, match=words):
        open_match(msgspec.structs.replace(command, rated=True), MEMBER, (0, 1), 0)


def test_nobody_takes_a_second_seat_of_a_rated_match() -> None:
    command = msgspec.structs.replace(create(ME, OPEN), rated=True)
    match = fold(open_match(command, MEMBER, (0, 1), 0))
    with pytest.raises(Refusal, match="one seat"):
        join(match, None, MEMBER, 0, no_ratings)


@pytest.mark.parametrize(
    ("setup", "seats", "is_offered"),
    [
        ("seed=12 seats=4", 4, True),
        ("seats=4 seed=12", 4, True),
        ("  seats=4   seed=12", 4, True),
        ("seed=12", 2, True),
        ("seats=3 opening=tiles", 3, True),
        ("seats=3", 3, True),
        ("pasture=nowhere", 2, False),
        ("seed=x seats=2", 2, False),
        ("b1 r 2", 2, False),
    ],
)
def test_a_start_is_the_games_own_in_whatever_order_its_options_are(setup: str, seats: int, is_offered: bool) -> None:
    assert is_offered_start("battlesheep", setup, seats) is is_offered


@pytest.mark.parametrize(("name", "level"), [("easy", 1), ("Medium", 6), ("hard", 8), ("3", 3)])
def test_a_named_level_is_stored_by_its_number(name: str, level: int) -> None:
    created, *events = open_match(create(ME, SeatPlan("bot", name)), ANN, (0, 1), 0)
    assert isinstance(created, Created)
    assert created.seats == (ME, SeatPlan("bot", level))
    assert Seated(1, bot_player(level)) in events
    assert bot_player(level) == Player(IdentityId(f"bot-{level}"), f"Bot, level {level}", level)


@pytest.mark.parametrize("name", GAMES)
def test_the_level_named_medium_is_the_one_that_sees_six_plies_of_the_game(name: str) -> None:
    game = GAMES[name]
    seats = (ME, *[SeatPlan("bot", "medium")] * (game.seats[0] - 1))
    created = open_match(msgspec.structs.replace(create(*seats), game=game.name), ANN, range(len(seats)), 0)[0]
    assert isinstance(created, Created)
    level = created.seats[1].level
    assert isinstance(level, int)
    assert game.strength.skills[level - 1].depth == 6


@pytest.mark.parametrize("name", PERSONALITIES)
def test_a_personality_keeps_its_name_in_a_rematch(name: str) -> None:
    match = fold(open_match(create(ME, SeatPlan("bot", name)), ANN, (0, 1), 0))
    bot = match.players[1]
    assert bot is not None
    assert level_of_bot(bot) == name
    assert (bot.name, bot.level) == (f"{PERSONALITIES[name].title} (bot)", PERSONALITIES[name].level)
    assert Seated(0, bot) in open_rematch(match, 0)


def test_joining_takes_the_first_open_seat_and_starts_a_full_match() -> None:
    assert decide(waiting(), Join(CommandId("j"), MATCH), BEN, 0).events == [Seated(1, BEN), Started()]


def test_one_person_can_hold_both_seats() -> None:
    assert obey(waiting(), Join(CommandId("j"), MATCH), ANN).seats_of(ANN.id) == (0, 1)


def test_only_a_player_can_seat_a_bot_and_only_one_that_exists() -> None:
    match = waiting()
    fill = FillSeat(CommandId("f"), MATCH, 1, 5)
    assert decide(match, fill, ANN, 0).events == [Seated(1, bot_player(5)), Started()]
    hunter = FillSeat(CommandId("f"), MATCH, 1, "hunter")
    assert decide(match, hunter, ANN, 0).events[0] == Seated(1, bot_player("hunter"))
    assert refusal_of(match, fill, EVE) is Code.NOT_YOUR_SEAT
    assert refusal_of(match, FillSeat(CommandId("f"), MATCH, 1, "nobody"), ANN) is Code.BAD_SEATS


def test_taken_and_missing_seats_are_refused() -> None:
    match = started()
    assert refusal_of(match, Join(CommandId("x"), MATCH), EVE) is Code.SEAT_TAKEN
    assert refusal_of(match, Join(CommandId("x"), MATCH, 1), EVE) is Code.SEAT_TAKEN
    assert refusal_of(match, Join(CommandId("x"), MATCH, 3), EVE) is Code.BAD_SEATS


def test_a_guest_cannot_join_a_rated_match() -> None:
    member = Player(IdentityId("player-ann"), "Ann", registered=True)
    rated = Create(CommandId("c"), "morris", (ME, OPEN), rated=True)
    match = fold(open_match(rated, member, (0, 1), 0))
    assert match.created.rated
    assert refusal_of(match, Join(CommandId("j"), MATCH), BEN) is Code.ACCOUNT_NEEDED


def test_a_match_without_an_opponent_is_called_off_after_three_days() -> None:
    match = fold(open_match(create(ME, OPEN), ANN, (0, 1), 0), at_ms=500)
    assert match.due_at_ms == 500 + LAPSE_MS
    assert decide_due(match, 499 + LAPSE_MS) == []
    ended = only_end(decide_due(match, 500 + LAPSE_MS))
    assert (ended.ranks, ended.reason) == (None, "no_show")
    assert started().due_at_ms is None


def challenge() -> Match:
    command = Create(CommandId("c"), "morris", (ME, OPEN), invited="Ben")
    return fold(open_match(command, ANN, (0, 1), 0, invited=BEN.id))


def test_only_the_challenged_player_can_take_the_seat() -> None:
    assert refusal_of(challenge(), Join(CommandId("j"), MATCH), EVE) is Code.NOT_FOR_YOU
    assert obey(challenge(), Join(CommandId("j"), MATCH), BEN).phase is Phase.PLAYING


@pytest.mark.parametrize(
    ("seats", "fields", "is_private"),
    [
        ((ME, OPEN), {}, True),
        ((ME, ME), {}, True),
        ((ME, BOT), {}, False),
        ((ME, OPEN), {"listed": True}, False),
        ((ME, OPEN), {"invited": "Benno"}, False),
    ],
)
def test_a_match_by_link_or_on_one_device_is_private(
    seats: tuple[SeatPlan, ...], fields: dict[str, object], is_private: bool
) -> None:
    created = open_match(msgspec.structs.replace(create(*seats), **fields), ANN, (0, 1), 0)[0]
    assert isinstance(created, Created)
    assert created.private == is_private


def test_only_the_challenged_player_can_decline() -> None:
    decline = Decline(CommandId("d"), MATCH)
    for somebody in (ANN, EVE):
        assert refusal_of(challenge(), decline, somebody) is Code.NOT_FOR_YOU
    ended = only_end(decide(challenge(), decline, BEN, 0).events)
    assert (ended.ranks, ended.reason) == (None, "declined")
    accepted = obey(challenge(), Join(CommandId("j"), MATCH), BEN)
    assert refusal_of(accepted, decline, BEN) is Code.NOT_FOR_YOU


def test_paired_players_get_their_assigned_seats() -> None:
    request = PairingRequest("battlesheep", 4, ClockSettings(60_000))
    match = fold(open_paired(request, (ANN, BEN, bot_player(2)), 0))
    assert match.players == (ANN, BEN, bot_player(2))
    assert match.phase is Phase.PLAYING


def test_a_rematch_needs_every_person_and_moves_each_player_on_by_one_seat() -> None:
    match = obey(over(), Rematch(CommandId("x"), MATCH, 0), ANN)
    assert not is_rematch_agreed(match)
    match = obey(match, Rematch(CommandId("x"), MATCH, 1), BEN)
    assert is_rematch_agreed(match)
    events = open_rematch(match, 0)
    assert events[0] == Created("morris", "", (OPEN, ME), None, rematch_of=MATCH, private=True)
    assert events[1:] == [Seated(0, BEN), Seated(1, ANN), Started()]
    match = fold([RematchStarted(MatchId("m2"))], 0, match)
    assert not is_rematch_agreed(match)
    assert refusal_of(match, Rematch(CommandId("y"), MATCH, 0), ANN) is Code.ALREADY_STARTED


def test_a_bot_always_agrees_to_a_rematch() -> None:
    match = fold(open_match(create(ME, BOT), ANN, (0, 1), 0))
    match = obey(match, Resign(CommandId("r"), MATCH, 0), ANN)
    assert decide(match, Rematch(CommandId("x"), MATCH, 0), ANN, 0).events == [RematchOffered(0)]
    match = obey(match, Rematch(CommandId("x"), MATCH, 0), ANN)
    assert is_rematch_agreed(match)
    assert open_rematch(match, 0)[1:] == [Seated(0, bot_player(3)), Seated(1, ANN), Started()]


def test_a_bots_seat_belongs_to_no_identity() -> None:
    match = fold(open_match(create(ME, BOT), ANN, (0, 1), 0))
    bot = Player(IdentityId("bot-3"), "An impostor")
    assert refusal_of(match, play(1, "d6"), bot) is Code.NOT_YOUR_SEAT
