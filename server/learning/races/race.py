"""The rules of a race: who takes part, when it starts and ends, and what a move is worth. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from millrace.protocol import Code, IdentityId, Player
from millrace.protocol.refusal import Refusal

from ..puzzles.solving import Verdict
from ..storms.storm import TOLERANCE_MS, bonus_level

MOST_RACERS = 10
PUZZLES = 90
"""The number of puzzles: one a second."""
COUNTDOWN_MS = 5_000


class Run(NamedTuple):
    """A player's part in a race."""

    player: Player
    number: int = 1
    """The number of the present puzzle, from 1."""
    plies: int = 0
    """The plies of the present puzzle so far."""
    score: int = 0
    combo: int = 0


class Race(NamedTuple):
    """A race. Its runs are in the order in which the players joined, by their places in it."""

    id: str
    game: str
    """Empty for all games."""
    puzzles: tuple[str, ...]
    """Each as `GAME/ID`."""
    duration_ms: int
    starts_ms: int = 0
    """When the first move may be made; 0 before the countdown."""
    next: str = ""
    """The race that follows this one, if there is one."""
    runs: Mapping[int, Run] = {}

    @property
    def ends_ms(self) -> int:
        """When the time is up; 0 before the countdown."""
        return self.starts_ms and self.starts_ms + self.duration_ms

    def place_of(self, identity: IdentityId) -> int:
        """Return the place of a player. Raises: Refusal."""
        for place, run in self.runs.items():
            if run.player.id == identity:
                return place
        raise Refusal(Code.NOT_JOINED, "You do not take part in this race.")

    def has(self, identity: IdentityId) -> bool:
        """Return whether a player takes part."""
        return any(run.player.id == identity for run in self.runs.values())

    def waits_for(self, identity: IdentityId) -> bool:
        """Return whether a player takes part, and the race has not started."""
        return not self.starts_ms and self.has(identity)


def joined(race: Race, player: Player, now_ms: int) -> Race:
    """Return a race after a player has joined; the last one that may starts it. Raises: Refusal."""
    if race.has(player.id):
        return race
    if player.bot:
        raise Refusal(Code.NOT_FOR_BOTS, "Races are for people.")
    _require_waiting(race)
    after = race._replace(runs={**race.runs, max(race.runs, default=0) + 1: Run(player)})
    return started(after, now_ms) if len(after.runs) == MOST_RACERS else after


def left(race: Race, identity: IdentityId) -> Race:
    """Return a race after a player has left it. Raises: Refusal."""
    if not race.has(identity):
        return race
    _require_waiting(race)
    return race._replace(runs={place: run for place, run in race.runs.items() if run.player.id != identity})


def started(race: Race, now_ms: int) -> Race:
    """Return a race whose countdown begins now. Raises: Refusal."""
    _require_waiting(race)
    return race._replace(starts_ms=now_ms + COUNTDOWN_MS)


def is_over(race: Race, now_ms: int) -> bool:
    """Return whether moves in a race that has started come too late."""
    return now_ms > race.ends_ms + TOLERANCE_MS


def require_playable(race: Race, now_ms: int) -> None:
    """Check that the time for moves has come. Raises: Refusal."""
    if not 0 < race.starts_ms <= now_ms:
        raise Refusal(Code.NOT_STARTED, "The race has not started yet.")


def followed(race: Race, identity: IdentityId, now_ms: int, following: str) -> Race:
    """Return a finished race to which one of its players adds a following one. Raises: Refusal."""
    race.place_of(identity)
    if not 0 < race.ends_ms <= now_ms:
        raise Refusal(Code.NOT_OVER, "The race is not over yet.")
    return race._replace(next=following)


def played(race: Race, place: int, verdict: Verdict) -> Race:
    """Return a race after a judged move of a player in the present puzzle."""
    run = race.runs[place]
    if verdict.is_right:
        combo = run.combo + 1
        run = run._replace(plies=run.plies + 2, score=run.score + 1 + bonus_level(combo), combo=combo)
    else:
        run = run._replace(combo=0)
    if verdict.is_solved or not verdict.is_right:
        run = run._replace(number=run.number + 1, plies=0)
    return race._replace(runs={**race.runs, place: run})


def _require_waiting(race: Race) -> None:
    if race.starts_ms:
        raise Refusal(Code.ALREADY_STARTED, "This race has already started. You can watch it, and join the next one.")
