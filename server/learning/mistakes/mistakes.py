"""Which of a player's mistakes are due, and what a review says about a move there. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from millrace.protocol import JudgedPly, Judgement, MatchId, MistakeVerdict

from ...callers.limit import DAY_MS

RETURN_MS = 3 * DAY_MS
"""Time after which a missed mistake is due again."""
COUNTED = frozenset({Judgement.MISTAKE, Judgement.BLUNDER})
"""The judgements on moves that come back as puzzles."""


class Place(NamedTuple):
    """A mistake's match, and the number of plies before it."""

    match: MatchId
    ply: int


class OwnMistake(NamedTuple):
    """A mistake, as the review of its match judged it."""

    place: Place
    judged: JudgedPly


class Attempt(NamedTuple):
    """The last attempt that counted."""

    solved: bool
    at_ms: int


def is_due(attempt: Attempt | None, now_ms: int) -> bool:
    """Return whether a mistake is due: never tried, or missed some days ago."""
    return attempt is None or (not attempt.solved and now_ms - attempt.at_ms >= RETURN_MS)


def mistakes_in(match: MatchId, seat: int, plies: Iterable[JudgedPly]) -> Iterator[OwnMistake]:
    """Yield a seat's mistakes in a reviewed match, in order."""
    for ply, judged in enumerate(plies):
        if judged.seat == seat and judged.judgement in COUNTED and judged.best.moves:
            yield OwnMistake(Place(match, ply), judged)


def verdict_on(judged: JudgedPly, move: str) -> MistakeVerdict:
    """Return what a review says about a move in place of the one that it judged."""
    if not move:
        return MistakeVerdict.SHOWN
    if move == judged.best.moves[0]:
        return MistakeVerdict.BEST
    return MistakeVerdict.REPEATED if move == judged.move else MistakeVerdict.UNKNOWN


def after(verdict: MistakeVerdict, before: Attempt | None, now_ms: int) -> Attempt | None:
    """Return the attempt to store, or None if nothing changes: only a mistake that is due counts."""
    if verdict is MistakeVerdict.UNKNOWN or not is_due(before, now_ms):
        return None
    return Attempt(verdict is MistakeVerdict.BEST, now_ms)


def due(mistakes: Iterable[OwnMistake], attempts: Mapping[Place, Attempt], now_ms: int) -> list[OwnMistake]:
    """Return those of some mistakes that are due, in the same order."""
    return [each for each in mistakes if is_due(attempts.get(each.place), now_ms)]
