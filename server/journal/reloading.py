"""Keeping a copy of stored truth in memory right while the truth is read again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Reloading:
    """The changes of a copy that come while it is being replaced: the reading may not have seen them."""

    def __init__(self) -> None:
        self._meanwhile: list[Callable[[], None]] | None = None

    def apply(self, change: Callable[[], None]) -> None:
        """Make a change, which can be repeated without harm, and make it again when the copy has been replaced."""
        change()
        if self._meanwhile is not None:
            self._meanwhile.append(change)

    @contextmanager
    def replacing(self) -> Iterator[None]:
        """Surround reading the truth and replacing the copy; one at a time."""
        assert self._meanwhile is None
        meanwhile = self._meanwhile = []
        try:
            yield
        finally:
            self._meanwhile = None
        for change in meanwhile:
            change()
