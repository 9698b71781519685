"""The texts that the server sends as data: of games, of bots, and of limits."""

from collections.abc import Iterator
from typing import NamedTuple

from millrace.engine.game import Game
from millrace.engine.levels.opponents import LEVEL_NAMES, LEVELS, PERSONALITIES
from millrace.engine.puzzles.goal import WIN_AT_ONCE, WIN_SOON
from millrace.server.app.limit_table import LIMITS
from millrace.server.callers.limits import COUNTS_ADDRESS, TRY_AGAIN
from millrace.server.callers.names import LENGTH_TEXT
from millrace.server.learning.analysis.searches import MORE_WITH_ACCOUNT
from millrace.server.matches import endings
from millrace.server.matches.offers import OFFER_TEXTS
from millrace.server.players.accounts.password_login import WRONG_CODE, WRONG_PASSWORD
from millrace.server.players.accounts.password_rules import TOO_LONG, TOO_SHORT
from millrace.server.ratings.eligibility import EXPLANATIONS as UNRATED
from millrace.server.rooms import interruptions
from millrace.server.spectating import exhibitions


class DataText(NamedTuple):
    """A text that the server sends as data."""

    message: str
    comment: str
    """What it is: for translators, and for `compilation.SHOWN_AT_ONCE`."""


def texts_of_game(game: Game) -> Iterator[DataText]:
    """Yield the texts of a game, without empty ones."""
    return (each for each in _texts_of_game(game) if each.message)


def texts_of_server() -> Iterator[DataText]:
    """Yield the server's own texts: of bots, endings, ratings, puzzles and limits."""
    for opponent in (*LEVELS.values(), *PERSONALITIES.values()):
        yield DataText(opponent.description, "a bot, in one line")
    yield from (DataText(each.title, "the name of a bot") for each in PERSONALITIES.values())
    yield from (DataText(name, "a level of bots") for name in LEVEL_NAMES)
    yield from (DataText(text, "how a match ended") for text in endings.EXPLANATIONS.values())
    for text in (endings.RESTARTED, endings.UNWATCHED, endings.AGREED):
        yield DataText(text, "how a match ended")
    for text in (exhibitions.PEOPLE_PLAY, exhibitions.NOBODY_WATCHED):
        yield DataText(text, "how a match between bots ended")
    for news in (interruptions.BEGUN, interruptions.OVER):
        yield DataText(news.explanation, "the database fails, or answers again")
    yield from (DataText(text, "why ratings did not change") for text in UNRATED.values())
    yield from (DataText(text, "what a puzzle asks for") for text in (WIN_AT_ONCE, WIN_SOON))
    yield from (DataText(limit.refusal, "why a request is refused") for limit in LIMITS)
    for text in (COUNTS_ADDRESS, TRY_AGAIN, MORE_WITH_ACCOUNT, LENGTH_TEXT, TOO_SHORT, TOO_LONG):
        yield DataText(text, "why a request is refused")
    yield from (DataText(text, "why a request is refused") for text in (*OFFER_TEXTS, WRONG_PASSWORD, WRONG_CODE))


def _texts_of_game(game: Game) -> Iterator[DataText]:
    yield DataText(game.title, "the name of the game")
    yield DataText(game.description, "the game, in one line")
    yield from (DataText(name, "the name of a seat") for name in game.seat_names)
    yield from (DataText(start.title, "where a match begins") for start in game.starts)
    yield from (DataText(text, "how a match ended") for text in game.rules.end_reasons.values())
    yield from (DataText(opening.name, "the name of an opening") for opening in game.named_openings)
    yield from (DataText(opening.name, "the name of an opening") for opening in game.named_openings)
    if game.teaching is not None:
        yield from _texts_of_teaching(game)
    if game.puzzles is not None:
        yield from (DataText(title, "the theme of a puzzle") for title in game.puzzles.themes.values())
        for texts in game.puzzles.texts.values():
            yield from (DataText(text, "what a puzzle asks for") for text in texts)


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
