"""Matches between bots that their creator pauses and steps through, on a simulated clock."""

import pytest

from millrace.protocol import Code, Moved, PauseBots, Paused, PauseEnded, ResumeBots
from millrace.server.matches.pauses import PAUSE_MS
from tests.server.matches.offering import CLOCK
from tests.server.tables import BOT, ID, MATCH, ME, OPEN, PEOPLE, Table

ANN, BEN = PEOPLE[:2]
PAUSE = PauseBots(ID, MATCH)


def bots() -> Table:
    """Return a match between bots that Ann has created and paused."""
    table = Table("", BOT, BOT, game="morris")
    table.obey(PAUSE, ANN, 1_000)
    return table


def test_its_creator_pauses_a_match_between_bots_and_no_bot_is_asked() -> None:
    table = bots()
    assert table.stored[-1].entry.event == Paused(None, 1_000 + PAUSE_MS)
    assert table.match.mover is None
    assert table.refusal_of(PAUSE, ANN) is Code.PAUSED


def test_one_step_is_one_ply() -> None:
    table = bots()
    assert table.obey(ResumeBots(ID, MATCH, 1), ANN, 2_000) == [PauseEnded(None, None, 0, plies=1)]
    assert table.match.mover == table.match.players[0]
    assert table.play("d6", 3_000) == [Moved(0, "d6", None), Paused(None, 3_000 + PAUSE_MS)]
    assert table.match.mover is None


def test_bots_go_on_for_good() -> None:
    table = bots()
    table.obey(ResumeBots(ID, MATCH), ANN, 2_000)
    for move in ("d6", "f4", "b4"):
        assert len(table.play(move, 3_000)) == 1
    assert table.refusal_of(ResumeBots(ID, MATCH), ANN) is Code.NOT_PAUSED


def test_the_clocks_of_paused_bots_stand_still() -> None:
    table = Table("", BOT, BOT, game="morris", clock=CLOCK)
    table.obey(PAUSE, ANN, 10_000)
    table.obey(ResumeBots(ID, MATCH, 1), ANN, 90_000)
    assert table.left_ms(90_000) == (50_000, 60_000)


@pytest.mark.parametrize("command", [PAUSE, ResumeBots(ID, MATCH)])
def test_nobody_else_pauses_a_match_between_bots(command: PauseBots | ResumeBots) -> None:
    assert bots().refusal_of(command, BEN) is Code.NOT_FOR_YOU


def test_people_agree_on_their_pauses() -> None:
    assert Table("", ME, OPEN, game="morris").refusal_of(PAUSE, ANN) is Code.NOT_FOR_YOU
