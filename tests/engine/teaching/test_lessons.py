"""Lessons and rules in short: the engine plays every position and move in them."""

import string

import pytest

from millrace.engine.game import Game, LessonStep
from millrace.engine.games import GAMES
from millrace.engine.state import State
from millrace.server.learning.teaching.teaching_handler import accepted_moves

TEACHING = [game for game in GAMES.values() if game.teaching is not None]
LONGEST_TEXT = 240
"""Maximum length of a text that a reader takes in at once."""

every_game = pytest.mark.parametrize("game", TEACHING, ids=lambda game: game.name)
every_step = pytest.mark.parametrize(
    ("game", "step"),
    [
        pytest.param(game, step, id=f"{game.name}-{step.title.lower().replace(' ', '-')}")
        for game in TEACHING
        for step in (game.teaching.lesson if game.teaching is not None else ())
    ],
)


def state_of(game: Game, step: LessonStep) -> State:
    return State.from_moves(game, step.setup, step.moves)


def test_the_shipped_games_teach() -> None:
    assert {game.name for game in TEACHING} >= {"morris", "mingmang", "battlesheep"}


@every_game
def test_a_lesson_has_five_to_ten_steps_with_distinct_titles(game: Game) -> None:
    assert game.teaching is not None
    titles = [step.title for step in game.teaching.lesson]
    assert 5 <= len(titles) <= 10
    assert len(set(titles)) == len(titles)


@every_step
def test_a_step_accepts_legal_moves_and_answers_the_others(game: Game, step: LessonStep) -> None:
    state = state_of(game, step)
    legal = {state.format_move(move) for move in state.legal_moves}
    accepted = set(accepted_moves(state, step))
    assert accepted
    assert accepted <= legal
    assert bool(step.wrong) == (accepted != legal)


@every_step
def test_the_reply_of_a_step_is_legal_after_every_accepted_move(game: Game, step: LessonStep) -> None:
    state = state_of(game, step)
    for move in accepted_moves(state, step):
        after = state.play_text(move)
        if step.reply:
            after = after.play_text(step.reply)
        assert ("won" in step.right) == (after.outcome is not None and after.outcome.winner == state.seat)


@every_step
def test_the_texts_of_a_step_are_short(step: LessonStep, game: Game) -> None:
    assert max(map(len, (step.text, step.right, step.wrong))) <= LONGEST_TEXT


@every_game
def test_the_rules_fit_on_a_screen(game: Game) -> None:
    assert game.teaching is not None
    assert 5 <= len(game.teaching.rules) <= 9
    assert max(len(rule.text) for rule in game.teaching.rules) <= 120


@every_game
def test_the_texts_of_remarks_use_only_given_names(game: Game) -> None:
    assert game.teaching is not None
    texts = [text for texts in game.teaching.remarks.values() for text in texts]
    fields = {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}
    assert fields <= {"mover", "next", "count"}


def test_a_man_taken_in_a_lesson_is_the_only_free_one() -> None:
    game = GAMES["morris"]
    assert game.teaching is not None
    step = next(step for step in game.teaching.lesson if step.title == "What you may take")
    assert accepted_moves(state_of(game, step), step) == ("a1xd2",)


def test_a_repetition_that_a_lesson_shows_is_refused() -> None:
    game = GAMES["mingmang"]
    assert game.teaching is not None
    step = next(step for step in game.teaching.lesson if step.title == "No repetition")
    state = state_of(game, step)
    assert [state.format_move(move) for move in state.refused_moves] == ["a3-a1"]


def test_the_wall_of_a_lesson_holds_the_territory_that_its_text_names() -> None:
    game = GAMES["mingmang"]
    assert game.teaching is not None
    step = next(step for step in game.teaching.lesson if step.title == "Pass and count")
    territory = state_of(game, step).play_text("pass").play_text("pass").territory
    assert territory is not None
    assert (territory.count(0), territory.count(1)) == (40, 24)
