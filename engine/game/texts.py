"""The texts of a game that clients show, in English: the messages of its catalogues in `languages`."""

from collections.abc import Iterator
from typing import NamedTuple

from .game import Game


class DataText(NamedTuple):
    """A text that the server sends as data."""

    message: str
    comment: str
    """What it is: for translators, and for `tools.languages.compilation`."""


def texts_of_game(game: Game) -> Iterator[DataText]:
    """Yield the texts of a game, without empty ones. What it draws beside the board is not among them."""
    return (each for each in _texts_of_game(game) if each.message)


def _texts_of_game(game: Game) -> Iterator[DataText]:
    yield DataText(game.title, "the name of the game")
    yield DataText(game.description, "the game, in one line")
    yield from (DataText(name, "the name of a seat") for name in game.seat_names)
    yield from (DataText(start.title, "where a match begins") for start in game.starts)
    for reason, text in game.rules.end_reasons.items():
        yield DataText(text, "how a match ended")
        yield DataText(reason.replace("_", " "), "how a match ended, in a list of matches")
    yield from (DataText(opening.name, "the name of an opening") for opening in game.named_openings)
    if game.teaching is not None:
        yield from _texts_of_teaching(game)
    if game.puzzles is not None:
        yield from (DataText(title, "the theme of a puzzle") for title in game.puzzles.themes.values())
        for texts in game.puzzles.texts.values():
            yield from (DataText(text, "what a puzzle asks for") for text in texts)
        yield from (DataText(text, "why a move of a puzzle is wrong") for text in game.puzzles.misses.values())


def _texts_of_teaching(game: Game) -> Iterator[DataText]:
    assert game.teaching is not None
    for rule in game.teaching.rules:
        yield DataText(rule.title, "the title of a rule")
        yield DataText(rule.text, "a rule")
    for step in game.teaching.lesson:
        yield DataText(step.title, "the title of a step of the lesson")
        yield DataText(step.text, "a step of the lesson")
        yield DataText(step.right, "a step of the lesson: the move is right")
        yield DataText(step.wrong, "a step of the lesson: the move is wrong")
    for remark in game.teaching.remarks.values():
        yield from (DataText(text, "explains a move to a newcomer") for text in remark)
    yield DataText(game.teaching.taking, "explains a move to a newcomer")
