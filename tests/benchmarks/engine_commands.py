"""Commands that start engines, for tests of benchmarks."""

import sys


def command(manner: str) -> str:
    return f"{sys.executable} -m tests.benchmarks.fake_engine {manner} {{game}}"
