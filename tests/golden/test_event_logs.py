"""The golden event logs cover the protocol, and the recording writes them."""

from itertools import chain
from typing import get_args

from millrace.engine.games import GAMES
from millrace.protocol import Event
from tests.golden.logs import PATH, read_logs
from tests.golden.recording import format_logs, record_logs


def test_there_is_an_event_of_every_kind() -> None:
    steps = chain.from_iterable(log.steps for log in read_logs())
    assert {type(step.sent.event) for step in steps} == set(get_args(Event))


def test_there_is_a_match_of_every_game_for_each_number_of_seats() -> None:
    covered = {(log.game, log.seats) for log in read_logs()}
    assert {(name, seats) for name, game in GAMES.items() for seats in game.seats} <= covered


def test_recording_reproduces_the_file() -> None:
    same = format_logs(record_logs()) == PATH.read_text(encoding="utf-8")
    assert same, "Run `python -m tests.golden.recording`, and read what differs before you commit it."
