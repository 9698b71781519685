"""The event logs have every event, game and number of seats."""

from typing import get_args

from millrace.engine.games import GAMES
from millrace.protocol import Event
from tests.event_logs.recording import SCRIPTS, event_log


def test_there_is_an_event_of_every_kind() -> None:
    assert {type(step.sent.event) for name in SCRIPTS for step in event_log(name).steps} == set(get_args(Event))


def test_there_is_a_match_of_every_game_for_each_number_of_seats() -> None:
    covered = {(log.game, log.seats) for log in map(event_log, SCRIPTS)}
    assert {(name, seats) for name, game in GAMES.items() for seats in game.seats} <= covered
