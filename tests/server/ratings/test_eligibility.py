"""Which matches count: each exclusion, at its limit."""

import pytest
from msgspec.structs import replace

from millrace.engine.state import State
from millrace.protocol import (
    CommandId,
    Create,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    Player,
    Seated,
    SeatPlan,
    Unrated,
)
from millrace.server.journal.entries import Entry, Recorded
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.creation import open_match
from millrace.server.matches.fold import replay
from millrace.server.matches.match import Match, Phase
from millrace.server.ratings.eligibility import (
    EXPLANATIONS,
    MAX_ENCOUNTERS,
    MAX_QUICK_WINS,
    MIN_PLIES_EACH,
    QUICK_PLIES_EACH,
    pairs_of,
    seats_to_rate,
    why_unrated,
)
from millrace.server.ratings.rating_store import PairResult

ANN, BEN, CEM = (Player(IdentityId(name.lower()), name, registered=True) for name in ("Ann", "Ben", "Cem"))
GUEST = Player(IdentityId("guest"), "Quiet Otter")
Encounters = dict[tuple[int, int], list[PairResult]]
LONG, QUICK = QUICK_PLIES_EACH * 2, QUICK_PLIES_EACH * 2 - 1


def play(state: State, plies: int) -> State:
    for _ in range(plies):
        state = state.after(state.legal_moves[0])
    return state


def over(
    *players: Player,
    plies: int = LONG,
    ranks: tuple[int, ...] | None = (1, 2),
    setup: str = "",
    game: str = "mingmang",
) -> Match:
    """Return a rated match that has ended after a number of plies."""
    plans = (SeatPlan("me"), *[SeatPlan("open")] * (len(players) - 1))
    created = open_match(Create(CommandId("c"), game, plans, setup), players[0], range(len(players)), 0)[0]
    assert isinstance(created, Created)
    # Such beginnings of rated matches are refused today, but stored matches have them.
    events: list[Event] = [replace(created, rated=True), *(Seated(seat, player) for seat, player in enumerate(players))]
    recorded = [Recorded(seq, Entry(event, 0)) for seq, event in enumerate(events, 1)]
    match = replay(MatchId("m"), recorded)
    return replace(
        match, state=play(match.state, plies), phase=Phase.OVER, ended=Ended(ranks, "resignation", "resigned")
    )


def earlier(count: int, plies: int = LONG, ranks: tuple[int, int] = (1, 2)) -> Encounters:
    return {(0, 1): [PairResult(plies, 2, ranks)] * count}


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (over(ANN, BEN), None),
        (over(ANN, BEN, ranks=(1, 1)), None),
        (over(ANN, bot_player(3)), None),
        (over(ANN, BEN, ranks=None), Unrated.NO_RESULT),
        (over(ANN, BEN, plies=2 * MIN_PLIES_EACH - 1), Unrated.TOO_SHORT),
        (over(ANN, BEN, plies=2 * MIN_PLIES_EACH), None),
        (over(ANN, GUEST), Unrated.NO_ACCOUNT),
        (over(bot_player(1), bot_player(2)), Unrated.NO_ACCOUNT),
        (over(ANN, ANN), Unrated.ONE_PLAYER),
        (over(ANN, BEN, CEM, setup="seats=3", game="battlesheep", ranks=(1, 2, 3), plies=6), None),
        (over(ANN, BEN, setup="seats=2", game="battlesheep", plies=4), None),
        (over(ANN, BEN, setup="seed=77 seats=2", game="battlesheep", plies=4), None),
        (over(ANN, BEN, setup=".W............WBB....W.B b 0 0 flying=off", game="morris", plies=4), Unrated.SET_UP),
    ],
)
def test_a_match_counts_or_not(match: Match, reason: Unrated | None) -> None:
    assert why_unrated(match, {}) is reason


@pytest.mark.parametrize(
    ("match", "before", "reason"),
    [
        (over(ANN, BEN), earlier(MAX_ENCOUNTERS - 1), None),
        (over(ANN, BEN), earlier(MAX_ENCOUNTERS), Unrated.MET_OFTEN),
        (over(ANN, BEN, plies=QUICK), earlier(MAX_QUICK_WINS - 1, QUICK), None),
        (over(ANN, BEN, plies=QUICK), earlier(MAX_QUICK_WINS, QUICK), Unrated.QUICK_WINS),
        (over(ANN, BEN, plies=QUICK, ranks=(2, 1)), earlier(MAX_QUICK_WINS, QUICK, (2, 1)), Unrated.QUICK_WINS),
        (over(ANN, BEN, plies=LONG), earlier(MAX_QUICK_WINS + 1, QUICK), None),
        (over(ANN, BEN, plies=QUICK), earlier(MAX_QUICK_WINS + 1, LONG), None),
        (over(ANN, BEN, plies=QUICK), earlier(MAX_QUICK_WINS + 1, QUICK, (2, 1)), None),
        (over(ANN, BEN, plies=QUICK, ranks=(1, 1)), earlier(MAX_QUICK_WINS + 1, QUICK, (1, 1)), None),
    ],
    ids=[
        *("not yet often", "met often", "not yet quick", "quick wins", "quick defeats"),
        *("a long one", "after long ones", "after defeats", "draws"),
    ],
)
def test_matches_and_quick_wins_of_the_same_two_players_are_limited_per_day(
    match: Match, before: Encounters, reason: Unrated | None
) -> None:
    assert why_unrated(match, before) is reason


def test_encounters_of_two_bots_are_not_limited_and_a_bot_with_several_seats_is_not_rated() -> None:
    match = over(ANN, bot_player(1), bot_player(1), setup="seats=3", game="battlesheep", ranks=(1, 2, 3), plies=6)
    assert pairs_of(match) == ((0, 1), (0, 2))
    assert seats_to_rate(match) == (0,)
    assert seats_to_rate(over(ANN, bot_player(1))) == (0, 1)


def test_every_reason_has_an_explanation() -> None:
    assert set(EXPLANATIONS) == set(Unrated)
