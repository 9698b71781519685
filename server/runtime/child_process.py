"""Child processes that end with their parent."""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>."""


def end_with_parent() -> None:
    """Have this process killed when its parent dies for any reason.

    Elsewhere than on Linux, a worker ends when it is idle and finds its pipe to the server closed.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
