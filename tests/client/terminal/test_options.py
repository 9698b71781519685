"""What follows a game in a typed command, and what seats are called."""

import pytest

from millrace.client import ME, OPEN, ClockSettings, bot
from millrace.client.terminal.commands.options import numbers_of_players, parse_options, plans_of, setup_of
from millrace.client.terminal.seat_names import SeatNames
from millrace.client.terminal.usage import UsageError
from millrace.protocol import Ended, GameInfo, IdentityId, Player, StartInfo

SHEEP = GameInfo(
    "sheep",
    "Sheep",
    (2, 3, 4),
    ("Red", "Blue", "Green", "Yellow"),
    8,
    starts=(StartInfo("By chance", "seed={seed} seats=2", 2), StartInfo("By chance", "seed={seed} seats=4", 4)),
)
ANN, BEN = (Player(IdentityId(name), name) for name in ("Ann", "Ben"))


def test_seats_opponents_and_clock_come_in_any_order() -> None:
    options = parse_options(["rated", "for", "4", "5m", "+", "3x10s", "with", "3,open"], SHEEP)
    assert options.clock == ClockSettings(300_000, periods=3, period_ms=10_000)
    assert options.rated
    assert plans_of(options, SHEEP, OPEN) == [ME, bot(3), OPEN, OPEN]
    assert setup_of(options, SHEEP, 4) == "seats=4"


def test_a_start_is_found_by_its_title_and_the_number_of_seats() -> None:
    options = parse_options(["for", "4", "from", "by", "chance"], SHEEP)
    words = options.setup.split()
    assert (words[0][:5], words[0][5:].isdecimal(), words[1]) == ("seed=", True, "seats=4")
    assert parse_options(["from", "seed=1", "seats=3"], SHEEP).setup == "seed=1 seats=3"


def test_a_time_limit_belongs_to_the_clock() -> None:
    clock = parse_options(["5+3", "within", "30"], SHEEP).clock
    assert clock == ClockSettings(300_000, 3_000, match_limit_ms=1_800_000)


def test_the_opponents_can_have_another_time() -> None:
    options = parse_options(["5+3", "against", "0.5", "with", "3,open,me", "for", "4"], SHEEP)
    plans = plans_of(options, SHEEP, OPEN)
    assert [(plan.occupant, plan.initial_ms) for plan in plans] == [
        ("me", None),
        ("bot", 30_000),
        ("open", 30_000),
        ("me", None),
    ]


@pytest.mark.parametrize(
    "typed",
    [
        "5+3 against",
        "5+3 against ben",
        "within 30",
        "5+3 within",
        "5+3 within 0",
        "5+3 within 1441",
        "for 7",
        "for",
        "with",
        "soon",
        "for 2 with 1,2,3",
    ],
)
def test_impossible_options_are_explained(typed: str) -> None:
    with pytest.raises(UsageError):
        plans_of(parse_options(typed.split(), SHEEP), SHEEP, OPEN)


def test_numbers_of_players_are_listed() -> None:
    assert numbers_of_players(SHEEP) == "2, 3 or 4"


@pytest.mark.parametrize(
    ("own", "ended", "sentence"),
    [
        ((0,), Ended((1, 2), "blocked", "Black has no move left"), "You won: Ben has no move left."),
        ((1,), Ended((1, 2), "blocked", "Black has no move left"), "You lost: you have no move left."),
        ((), Ended((1, 2), "resignation", "Black resigned", 1), "Ann won: Ben resigned."),
        ((1,), Ended((1, 2), "time", "Black's time ran out", 1), "You lost: you lost on time."),
        ((0,), Ended((1, 1), "agreement", "the players agreed"), "Draw against Ben: the players agreed."),
        ((), Ended((1, 1), "repetition", "it came up again"), "Draw between Ann and Ben: it came up again."),
        ((0,), Ended((1, 2), "blocked", "no man can move"), "You won against Ben: no man can move."),
        ((1,), Ended((1, 2), "blocked", "no man can move"), "You lost to Ann: no man can move."),
        ((), Ended((2, 1), "blocked", "no man can move"), "Ben won against Ann: no man can move."),
        ((0,), Ended(None, "aborted", "the match was called off", 0), "No result: you called the match off."),
        ((0, 1), Ended((2, 1), "resignation", "White resigned", 0), "Ben won: Ann resigned."),
    ],
)
def test_a_result_names_the_players(own: tuple[int, ...], ended: Ended, sentence: str) -> None:
    assert SeatNames(("White", "Black"), (ANN, BEN), own).result(ended) == sentence


def test_with_more_seats_the_place_is_named() -> None:
    players = (ANN, BEN, Player(IdentityId("Eve"), "Eve"))
    names = SeatNames(("Red", "Blue", "Green"), players, (2,))
    assert names.result(Ended((1, 3, 2), "most_cells", "the most cells win")) == (
        "Ann won, and you came second: the most cells win."
    )


def test_a_shared_win_names_the_reader_first() -> None:
    players = (ANN, BEN, Player(IdentityId("Eve"), "Eve"))
    ended = Ended((1, 2, 1), "shared", "all is level")
    shared = {own: SeatNames(("Red", "Blue", "Green"), players, own).result(ended) for own in ((), (0,), (2,))}
    assert shared == {
        (): "Ann and Eve share the win: all is level.",
        (0,): "You and Eve share the win: all is level.",
        (2,): "You and Ann share the win: all is level.",
    }


def test_a_player_of_all_seats_is_called_by_colours() -> None:
    names = SeatNames(("White", "Black"), (ANN, ANN), (0, 1))
    assert (names.title(0), names.says(1, "has")) == ("White", "Black has")
