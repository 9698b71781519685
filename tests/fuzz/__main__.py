"""Runs the fuzz targets, and prints the number of inputs of each, and failing inputs."""

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fuzz.mutation import mutations

if TYPE_CHECKING:
    from tests.fuzz.targets import Target

RUNS_BETWEEN_LOOKS = 256
"""Number of inputs between two clock checks."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", metavar="TARGET", action="append", help="repeatable; by default all of them")
    parser.add_argument("--runs", type=int, default=0, help="inputs for all targets together")
    parser.add_argument("--minutes", type=float, default=1, help="for all targets together, unless --runs is given")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--engine", choices=("mutation", "atheris"), default="mutation")
    arguments = parser.parse_args()
    targets = instrumented_targets() if arguments.engine == "atheris" else all_targets()
    names: Sequence[str] = arguments.target or [*targets]
    if not set(names) <= targets.keys():
        parser.error(f"the targets are {', '.join(targets)}")
    if arguments.engine == "atheris":
        run_atheris(targets[names[0]], arguments.minutes)
    seed = random.SystemRandom().randrange(2**32) if arguments.seed is None else arguments.seed
    print(f"Seed {seed}")
    faults = 0
    for name in names:
        runs, minutes = arguments.runs // len(names), arguments.minutes / len(names)
        faults += run_mutations(name, targets[name], runs, 60 * minutes, random.Random(f"{seed} {name}"))
    sys.exit(bool(faults))


def all_targets() -> "dict[str, Target]":
    from tests.fuzz.targets import TARGETS  # noqa: PLC0415  # atheris instruments what is imported

    return TARGETS


def instrumented_targets() -> "dict[str, Target]":
    """Return the targets, with the server's modules instrumented; the engine's kernels could not be compiled then."""
    import atheris  # noqa: PLC0415  # not among the packages that the tests need

    import_module("millrace.engine.state")
    import_module("millrace.engine.games")
    with atheris.instrument_imports(include=["millrace"]):
        return all_targets()


def run_mutations(name: str, target: "Target", runs: int, seconds: float, chance: random.Random) -> int:
    """Run a target for this many inputs, or this long if `runs` is 0; return up to ten failing inputs."""
    faults, done, began = 0, 0, time.monotonic()
    for data in mutations(target.seeds, target.words, chance):
        if (runs and done >= runs) or faults == 10:
            break
        if not runs and done % RUNS_BETWEEN_LOOKS == 0 and time.monotonic() - began > seconds:
            break
        done += 1
        try:
            target.run(data)
        except Exception:
            faults += 1
            print(f"{name}: {data!r}")
            traceback.print_exc()
    rate = done / (time.monotonic() - began)
    print(f"{name}: {done:,} inputs, {rate:,.0f}/s, {faults} faults", flush=True)
    return faults


def run_atheris(target: "Target", minutes: float) -> None:
    """Run a target by coverage, beginning with its seeds; atheris ends the process."""
    import atheris  # noqa: PLC0415  # not among the packages that the tests need

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds):
            target.run(seed)  # and kernels are compiled before the clock runs
            (Path(corpus) / str(number)).write_bytes(seed)
        limits = (f"-max_total_time={60 * minutes:.0f}", "-max_len=2000", "-print_final_stats=1")
        atheris.Setup([sys.argv[0], *limits, corpus], target.run)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
