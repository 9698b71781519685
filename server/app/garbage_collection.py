"""Garbage collection of a server: rare, and not of what it loaded at its start, so that no move waits long for it."""

import gc


def collect_rarely() -> None:
    """Let the collector leave alone what is there, and come less often for what is made from now on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
