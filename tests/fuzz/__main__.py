"""Runs the fuzz targets, and prints how many inputs each has taken, and those that it did not bear."""

import argparse
import random
import sys
import time
import traceback
from collections.abc import Sequence

from tests.fuzz.mutation import mutations
from tests.fuzz.targets import TARGETS, Target

RUNS_BETWEEN_LOOKS = 256
"""Inputs between two looks at the clock."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=TARGETS, action="append", help="repeatable; by default all of them")
    parser.add_argument("--runs", type=int, default=0, help="inputs for all targets together")
    parser.add_argument("--minutes", type=float, default=1, help="for all targets together, unless --runs is given")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--engine", choices=("mutation", "atheris"), default="mutation")
    arguments = parser.parse_args()
    names: Sequence[str] = arguments.target or [*TARGETS]
    if arguments.engine == "atheris":
        run_atheris(TARGETS[names[0]], arguments.minutes)
    seed = random.SystemRandom().randrange(2**32) if arguments.seed is None else arguments.seed
    print(f"Seed {seed}")
    faults = 0
    for name in names:
        runs = arguments.runs // len(names)
        faults += run_mutations(name, runs, 60 * arguments.minutes / len(names), random.Random(f"{seed} {name}"))
    sys.exit(bool(faults))


def run_mutations(name: str, runs: int, seconds: float, chance: random.Random) -> int:
    """Run a target for so many inputs, or so long if `runs` is 0; return how many it did not bear, at most ten."""
    target, faults, done, began = TARGETS[name], 0, 0, time.monotonic()
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


def run_atheris(target: Target, minutes: float) -> None:
    """Run a target by coverage; atheris ends the process."""
    import atheris  # noqa: PLC0415  # not among the packages that the tests need

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-max_total_time={60 * minutes:.0f}", "-max_len=2000"], target.run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
