"""Garbage collection of a server: rare, and without the objects loaded at the start, so moves do not wait for it."""

import gc


def collect_rarely() -> None:
    """Exclude existing objects from collection, and collect new ones less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
