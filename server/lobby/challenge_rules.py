"""Decides whether a bot's rules allow a challenge. Pure."""

from collections.abc import Iterator

from msgspec.structs import replace

from millrace.engine.games import GAMES
from millrace.protocol import ChallengeRules, ClockSettings, Create, Player

from ..matches.clock import starting_ms
from ..matches.creation import is_offered_start


def find_objection(rules: ChallengeRules, command: Create, challenger: Player) -> str | None:
    """Return why the rules forbid a challenge, as the end of a sentence about the bot; None if they allow it.

    Only the first reason. An unknown game is never allowed.
    """
    return next(_objections(rules, command, challenger), None)


def _objections(rules: ChallengeRules, command: Create, challenger: Player) -> Iterator[str]:
    if command.game not in rules.games:
        yield f"plays only {_listed([GAMES[name].title for name in rules.games if name in GAMES])}."
        return
    if rules.positions == "offered" and not is_offered_start(command.game, command.setup, len(command.seats)):
        yield "plays only from the starting positions that the game offers."
    if len(command.seats) > rules.most_seats:
        yield f"plays with at most {rules.most_seats} seats."
    if command.rated and not rules.rated:
        yield "plays no rated matches."
    if not command.rated and not rules.casual:
        yield "plays only rated matches."
    if challenger.bot and not rules.bots:
        yield "does not play against bots."
    yield from _objections_to_clock(rules, _clock_of_invited(command))


def _clock_of_invited(command: Create) -> ClockSettings | None:
    """Return the clock with the time of the open seat."""
    own_ms = next((plan.initial_ms for plan in command.seats if plan.occupant == "open"), None)
    return command.clock if command.clock is None or own_ms is None else replace(command.clock, initial_ms=own_ms)


def _objections_to_clock(rules: ChallengeRules, clock: ClockSettings | None) -> Iterator[str]:
    if clock is None:
        if not rules.untimed:
            yield "plays only with a clock."
        return
    if clock.renews:
        if not rules.correspondence:
            yield "does not play by correspondence."
        return
    if starting_ms(clock) < rules.least_initial_ms:
        yield f"needs at least {_duration(rules.least_initial_ms)} on the clock."
    if starting_ms(clock) > rules.most_initial_ms:
        yield f"plays with at most {_duration(rules.most_initial_ms)} on the clock."
    if max(clock.increment_ms, clock.delay_ms, clock.period_ms) < rules.least_increment_ms:
        yield f"needs at least {_duration(rules.least_increment_ms)} of increment for each move."


def _listed(titles: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(titles[:-1]), titles[-1])))


def _duration(duration_ms: int) -> str:
    """Return a duration as text.

    >>> _duration(60_000), _duration(300_000), _duration(2_000), _duration(1_000)
    ('1 minute', '5 minutes', '2 seconds', '1 second')
    """
    count, unit = (duration_ms / 60_000, "minute") if duration_ms >= 60_000 else (duration_ms / 1_000, "second")
    return f"{count:g} {unit}{'' if count == 1 else 's'}"
