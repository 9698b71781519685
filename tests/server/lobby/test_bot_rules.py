"""The challenges that a bot's rules allow, and the reasons for refusing the others."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.engine.games import GAMES
from millrace.protocol import ChallengeRules, ClockSettings, CommandId, Create, IdentityId, Player, SeatPlan
from millrace.server.lobby.challenge_rules import find_objection

ANN = Player(IdentityId("ann"), "Ann")
BOT = Player(IdentityId("gear"), "Gear", registered=True, bot=True)
SEATS = SeatPlan("me"), SeatPlan("open")
MORRIS = ChallengeRules(("morris",))
BLITZ = ClockSettings(180_000, 2_000)


def challenge(game: str = "morris", seats: int = 2, **fields: Any) -> Create:
    plans = (*SEATS, *[SeatPlan("bot", 1)] * (seats - 2))
    return Create(CommandId("c"), game, plans, invited="Gear", **fields)


@pytest.mark.parametrize(
    ("rules", "command", "challenger", "reason"),
    [
        (MORRIS, challenge(), ANN, None),
        (MORRIS, challenge("mingmang"), ANN, "plays only Nine Men's Morris."),
        (
            ChallengeRules(("morris", "mingmang", "chess")),
            challenge("battlesheep"),
            ANN,
            "plays only Nine Men's Morris and Ming Mang.",
        ),
        (MORRIS, challenge(setup="flying=off"), ANN, None),
        (MORRIS, challenge(setup="W......................B b 0 0"), ANN, "plays only from the starting positions"),
        (ChallengeRules(("morris",), "any"), challenge(setup="W......................B b 0 0"), ANN, None),
        (ChallengeRules(("battlesheep",), most_seats=2), challenge("battlesheep", 3), ANN, "at most 2 seats"),
        (ChallengeRules(("battlesheep",)), challenge("battlesheep", 4, setup="seats=4"), ANN, None),
        (ChallengeRules(("morris",), rated=False), challenge(rated=True), ANN, "plays no rated matches."),
        (ChallengeRules(("morris",), casual=False), challenge(), ANN, "plays only rated matches."),
        (ChallengeRules(("morris",), bots=False), challenge(), BOT, "does not play against bots."),
        (MORRIS, challenge(), BOT, None),
        (ChallengeRules(("morris",), untimed=False), challenge(), ANN, "plays only with a clock."),
        (MORRIS, challenge(clock=ClockSettings(3 * 86_400_000, renews=True)), ANN, "does not play by correspondence."),
        (
            ChallengeRules(("morris",), correspondence=True, most_initial_ms=60_000),
            challenge(clock=ClockSettings(3 * 86_400_000, renews=True)),
            ANN,
            None,
        ),
        (
            ChallengeRules(("morris",), least_initial_ms=300_000),
            challenge(clock=ClockSettings(180_000, periods=1, period_ms=30_000)),
            ANN,
            "at least 5 minutes",
        ),
        (ChallengeRules(("morris",), least_initial_ms=300_000), challenge(clock=BLITZ), ANN, "at least 5 minutes"),
        (
            ChallengeRules(("morris",), least_initial_ms=300_000),
            Create(CommandId("c"), "morris", (SEATS[0], SeatPlan("open", initial_ms=300_000)), clock=BLITZ),
            ANN,
            None,
        ),
        (ChallengeRules(("morris",), most_initial_ms=60_000), challenge(clock=BLITZ), ANN, "at most 1 minute on"),
        (
            ChallengeRules(("morris",), least_increment_ms=3_000),
            challenge(clock=BLITZ),
            ANN,
            "3 seconds of increment",
        ),
        (
            ChallengeRules(("morris",), least_increment_ms=3_000),
            challenge(clock=ClockSettings(180_000, delay_ms=3_000)),
            ANN,
            None,
        ),
    ],
)
def test_a_challenge_is_allowed_or_refused_with_a_reason(
    rules: ChallengeRules, command: Create, challenger: Player, reason: str | None
) -> None:
    objection = find_objection(rules, command, challenger)
    assert objection is None if reason is None else reason in (objection or "")


@given(st.data())
def test_rules_that_allow_everything_refuse_nothing(data: st.DataObject) -> None:
    rules = ChallengeRules(tuple(GAMES), "any", correspondence=True)
    clock = data.draw(
        st.none() | st.builds(ClockSettings, st.integers(1_000, 86_400_000), st.integers(0, 600_000)), label="clock"
    )
    game = data.draw(st.sampled_from(sorted(GAMES)), label="game")
    seats, rated = data.draw(st.integers(2, 4), label="seats"), data.draw(st.booleans(), label="rated")
    challenger = data.draw(st.sampled_from([ANN, BOT]), label="challenger")
    assert find_objection(rules, challenge(game, seats, clock=clock, rated=rated), challenger) is None
