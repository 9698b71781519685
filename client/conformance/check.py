"""Runs the scenarios of the conformance run and reports the result of each. The caller starts server and bot."""

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import NamedTuple

from ..errors import RefusedError
from .bench import Bench, FaultError, SkippedError
from .scenarios import Scenario, scenarios


class Verdict(StrEnum):
    """The result of a scenario."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """The bot's rules do not allow this scenario."""


class Outcome(NamedTuple):
    """The result of a scenario, with its explanation."""

    title: str
    verdict: Verdict
    explanation: str = ""
    """What the bot did wrong, or why the scenario was skipped."""


async def check(bench: Bench) -> AsyncIterator[Outcome]:
    """Run each scenario and yield its outcome, until the bot's program ends. Raises: ConnectionLostError."""
    for scenario in scenarios(bench.rules, bench.me.games):
        yield await _outcome_of(scenario, bench)
        if bench.process is not None and bench.process.returncode is not None:
            return
        await bench.clear()


async def _outcome_of(scenario: Scenario, bench: Bench) -> Outcome:
    try:
        await scenario.run(bench)
    except FaultError as fault:
        return Outcome(scenario.title, Verdict.FAILED, str(fault))
    except RefusedError as refusal:
        return Outcome(scenario.title, Verdict.FAILED, refusal.message)
    except SkippedError as reason:
        return Outcome(scenario.title, Verdict.SKIPPED, str(reason))
    return Outcome(scenario.title, Verdict.PASSED)
