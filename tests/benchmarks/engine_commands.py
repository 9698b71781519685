"""The command lines of fake engines, for tests of the benchmarks."""

import sys


def command(manner: str) -> str:
    return f"{sys.executable} -m tests.benchmarks.fake_engine {manner} {{game}}"
