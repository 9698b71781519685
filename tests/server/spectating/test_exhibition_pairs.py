"""Which bots play exhibitions."""

import random

import pytest

from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import find_opponent
from millrace.server.matches.built_in_bots import MIN_LEVEL, level_of_bot
from millrace.server.spectating.exhibition_pairs import choose_bots

CHOSEN_BOTS = {game: [choose_bots(game, random.Random(seed).randrange) for seed in range(200)] for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_the_bots_are_about_equally_strong_and_none_is_limited_by_time(game: str) -> None:
    for players in CHOSEN_BOTS[game]:
        opponents = [find_opponent(level_of_bot(player)) for player in players]
        levels = [opponent.level for opponent in opponents]
        assert min(levels) >= MIN_LEVEL
        assert max(levels) - min(levels) <= 2
        assert all(opponent.skill_in(GAMES[game]).movetime_ms is None for opponent in opponents)


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_seats_occurs_and_bots_vary(game: str) -> None:
    assert {len(players) for players in CHOSEN_BOTS[game]} == set(GAMES[game].seats)
    assert len({player.id for players in CHOSEN_BOTS[game] for player in players}) > 5
    assert all(len(set(players)) == len(players) for players in CHOSEN_BOTS[game] if len(players) == 2)
