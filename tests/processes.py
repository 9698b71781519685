"""Processes that tests start: the system kills them when the test run dies, however that happens.

subprocess.Popen(command, preexec_fn=end_with_tests)
"""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>."""

_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None
"""Looked up before a process forks, since the loader must not be called after."""


def end_with_tests() -> None:
    """Have this process killed when the one that started it dies; it does nothing on systems other than Linux."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
