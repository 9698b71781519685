"""The command lines of the fake engines that the benchmarks of engines are tested with."""

import sys


def command(manner: str) -> str:
    return f"{sys.executable} -m tests.benchmarks.fake_engine {manner} {{game}}"
