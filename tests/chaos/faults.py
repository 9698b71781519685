"""The faults of a run, planned from a seed: which processes fail, how, when, and for how long.

Pure. `tests.chaos.chaotic_cluster` carries them out.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What is done to a process."""

    KILL = "killed"
    """SIGKILL; it is started again when the fault ends."""
    PAUSE = "paused"
    """SIGSTOP, and SIGCONT when the fault ends."""
    RESTART = "restarted"
    """It is told to end cleanly, and started again when the fault ends."""


class Fault(NamedTuple):
    """A fault that is planned."""

    kind: Kind
    part: str
    """What kind of process: a key of `KINDS_BY_PART`."""
    numbers: tuple[int, ...]
    """Which of these, from 0; several if they fail at once."""
    calm_s: float
    """Time without faults before it, in seconds."""
    length_s: float
    """How long it lasts."""

    @property
    def name(self) -> str:
        """Its name in the figures: "node killed"."""
        return f"{self.part}{'s' if len(self.numbers) > 1 else ''} {self.kind}"


NODES, WORKERS = 3, 2

_ALL = tuple(Kind)
KINDS_BY_PART: Mapping[str, Sequence[Kind]] = {
    "node": _ALL,
    "PostgreSQL": _ALL,
    "Redis": (Kind.KILL, Kind.PAUSE),
    "scheduler": (Kind.KILL, Kind.PAUSE),
    "worker": (Kind.KILL, Kind.PAUSE),
}
LANES = (("node",), ("PostgreSQL", "Redis", "scheduler", "worker"))
"""Faults of the parts of one lane follow one another; those of different lanes overlap."""

_COUNTS = {"node": NODES, "worker": WORKERS}
_TWO_AT_ONCE = 0.2
"""Share of node faults that affect two nodes at once."""
_CALM_S = (0.5, 4.0)
_LENGTHS_S = {Kind.KILL: (0.0, 3.0), Kind.PAUSE: (0.5, 8.0), Kind.RESTART: (0.0, 1.0)}
_SHORT_CALM_S = (0.5, 1.5)
_SHORT_LENGTHS_S = {Kind.KILL: (0.0, 1.0), Kind.PAUSE: (1.0, 4.0), Kind.RESTART: (0.0, 1.0)}


def plan_faults(seed: int, lane: Sequence[str]) -> Iterator[Fault]:
    """Yield the faults of a lane endlessly; the same for the same seed."""
    chance = random.Random(f"{seed} {lane}")
    while True:
        part = chance.choice(lane)
        kind = chance.choice(KINDS_BY_PART[part])
        at_once = 2 if part == "node" and chance.random() < _TWO_AT_ONCE else 1
        numbers = _choose(chance, part, at_once)
        yield Fault(kind, part, numbers, chance.uniform(*_CALM_S), chance.uniform(*_LENGTHS_S[kind]))


def plan_one_of_each(seed: int, lane: Sequence[str]) -> Iterator[Fault]:
    """Yield one fault of each kind for each part of a lane, and two nodes that are killed at once; short ones."""
    chance = random.Random(f"{seed} {lane}")
    kinds = [(part, kind, 1) for part in lane for kind in KINDS_BY_PART[part]]
    kinds += [(part, Kind.KILL, 2) for part in lane if part == "node"]
    for part, kind, at_once in chance.sample(kinds, len(kinds)):
        numbers = _choose(chance, part, at_once)
        yield Fault(kind, part, numbers, chance.uniform(*_SHORT_CALM_S), chance.uniform(*_SHORT_LENGTHS_S[kind]))


def _choose(chance: random.Random, part: str, at_once: int) -> tuple[int, ...]:
    return tuple(chance.sample(range(_COUNTS.get(part, 1)), at_once))
