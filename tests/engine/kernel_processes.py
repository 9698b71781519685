"""Processes that compile a kernel of Nine Men's Morris, or load it from a cache."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

from millrace.engine.kernel_cache import VARIABLE

KEY_SCRIPT = """
import numba.core.event as events
import numpy as np

from millrace.engine.games import find_game
from millrace.engine.bindings import bindings_of

game = find_game("morris")
with events.install_recorder("numba:compile") as compilations:
    print(bindings_of(game).key(np.zeros(game.rules.position_words, dtype=np.uint64)), len(compilations.buffer))
"""

_PR_CAPBSET_DROP = 24
"""From <sys/prctl.h>."""
_READ_AND_WRITE_ANYTHING = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, from <linux/capability.h>."""

_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def start(folder: Path | str, source: Path | None = None) -> "subprocess.Popen[bytes]":
    """Start a process that prints the key of a position without men, and how many kernels it compiled for that.

    `source` is the folder of another `millrace` than the one under test. The process may not ignore permissions, even
    if the tests run as root.
    """
    return subprocess.Popen(
        [sys.executable, "-c", KEY_SCRIPT],
        cwd=source,
        env={**os.environ, VARIABLE: str(folder), **({} if source is None else {"PYTHONPATH": str(source)})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_obey_permissions,
    )


def interpreted_lines(program: str) -> list[str]:
    """Return what a program prints with kernels as plain Python."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def finish(process: "subprocess.Popen[bytes]") -> tuple[int, int]:
    """Return what such a process prints: the key, and the number of compiled kernels."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    key, compilations = output.split()
    return int(key), int(compilations)


def run(folder: Path | str, source: Path | None = None) -> tuple[int, int]:
    """Run such a process to its end."""
    return finish(start(folder, source))


def check_compiled(folder: Path | str, key: int) -> None:
    """Check that such a process compiles kernels, and prints this key."""
    found, compilations = run(folder)
    assert found == key
    assert compilations > 0


def _obey_permissions() -> None:
    """Drop root's right to read and write everything, for the program that is started next."""
    if _prctl is not None:
        for capability in _READ_AND_WRITE_ANYTHING:
            _prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
