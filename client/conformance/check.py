"""Goes through the scenarios of the conformance run and tells how the bot has borne each.

It starts no server and no program: whoever calls it does.
"""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import NamedTuple

from ..errors import RefusedError
from .bench import Bench, FaultError, SkippedError
from .scenarios import Scenario, scenarios


class Verdict(StrEnum):
    """How a bot has borne a situation."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It does not come to that by the bot's rules."""


class Outcome(NamedTuple):
    """What has come of a situation."""

    title: str
    verdict: Verdict
    words: str = ""
    """What the bot did wrong, or why the situation was skipped."""


async def check(bench: Bench) -> AsyncIterator[Outcome]:
    """Yield what comes of each situation, until the bot's program has ended. Raises: ConnectionLostError."""
    for situation in scenarios(bench.rules, bench.me.games):
        yield await _outcome_of(situation, bench)
        if bench.process is not None and bench.process.returncode is not None:
            return
        await bench.clear()


async def _outcome_of(situation: Scenario, bench: Bench) -> Outcome:
    try:
        await situation.meet(bench)
    except FaultError as fault:
        return Outcome(situation.title, Verdict.FAILED, str(fault))
    except RefusedError as refusal:
        return Outcome(situation.title, Verdict.FAILED, refusal.message)
    except SkippedError as reason:
        return Outcome(situation.title, Verdict.SKIPPED, str(reason))
    return Outcome(situation.title, Verdict.PASSED)
