"""The texts that the server sends as data, of bots and of limits; those of games are `engine.game.texts`."""

from collections.abc import Iterator

from millrace.engine.game.texts import DataText
from millrace.engine.levels.opponents import LEVEL_NAMES, OPPONENTS
from millrace.engine.puzzles import missing
from millrace.engine.puzzles.goal import WIN_AT_ONCE, WIN_SOON
from millrace.server.app.limit_table import LIMITS
from millrace.server.archive.record_reader import CHANGES
from millrace.server.callers.limits import COUNTS_ADDRESS, TRY_AGAIN
from millrace.server.callers.names import LENGTH_TEXT
from millrace.server.callers.site_rules import BLOCKED_TEXT
from millrace.server.learning.analysis.searches import MORE_WITH_ACCOUNT
from millrace.server.matches import endings
from millrace.server.matches.offers import OFFER_TEXTS
from millrace.server.players.accounts.password_login import WRONG_CODE, WRONG_PASSWORD
from millrace.server.players.accounts.password_rules import TOO_LONG, TOO_SHORT
from millrace.server.ratings.eligibility import EXPLANATIONS as UNRATED
from millrace.server.rooms import bot_availability, interruptions
from millrace.server.runtime.settings import SHIPPED_CALENDAR
from millrace.server.spectating import exhibitions
from millrace.server.tournaments.calendar import parse_calendar


def texts_of_server() -> Iterator[DataText]:
    """Yield the server's own texts: of bots, endings, ratings, puzzles and limits."""
    for opponent in OPPONENTS.values():
        yield DataText(opponent.description, "a bot, in one line")
    yield from (DataText(each.title, "the name of a bot") for each in OPPONENTS.values())
    yield from (DataText(name, "a level of bots") for name in LEVEL_NAMES)
    yield from (DataText(text, "how a match ended") for text in endings.EXPLANATIONS.values())
    for text in (endings.RESTARTED, endings.UNWATCHED, endings.AGREED):
        yield DataText(text, "how a match ended")
    for text in (exhibitions.PEOPLE_PLAY, exhibitions.NOBODY_WATCHED):
        yield DataText(text, "how a match between bots ended")
    for news in (interruptions.BEGUN, interruptions.OVER):
        yield DataText(news.explanation, "the database fails, or answers again")
    for text in (bot_availability.STARTING, bot_availability.UNAVAILABLE, bot_availability.FAULTY):
        yield DataText(text, "why a bot does not move")
    yield from (DataText(text, "why ratings did not change") for text in UNRATED.values())
    yield from (DataText(text, "what an import of matches changed") for text in CHANGES)
    yield from (DataText(text, "what a puzzle asks for") for text in (WIN_AT_ONCE, WIN_SOON))
    yield from (DataText(text, "why a move of a puzzle is wrong") for text in missing.TEXTS)
    yield from (DataText(limit.refusal, "why a request is refused") for limit in LIMITS)
    for text in (BLOCKED_TEXT, COUNTS_ADDRESS, TRY_AGAIN, MORE_WITH_ACCOUNT, LENGTH_TEXT, TOO_SHORT, TOO_LONG):
        yield DataText(text, "why a request is refused")
    yield from (DataText(text, "why a request is refused") for text in (*OFFER_TEXTS, WRONG_PASSWORD, WRONG_CODE))
    for entry in parse_calendar(SHIPPED_CALENDAR.read_text("utf-8")):
        yield DataText(entry.plan.name, "a tournament of the calendar")
        if entry.plan.description:
            yield DataText(entry.plan.description, "a tournament of the calendar")
