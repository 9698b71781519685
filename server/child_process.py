"""The end of a process with the one that started it."""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>."""


def end_with_parent() -> None:
    """Have this process killed when the one that started it dies, however that happens.

    On systems other than Linux a process of a pool ends once it is idle and finds its pipe to the server closed.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
