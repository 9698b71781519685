"""Threads that search along with the one that keeps the time: Lazy SMP over a shared table.

Every run searches the whole tree with killers of its own, and finds in the table (`engine.transposition_table`, which
needs no locks) what another has just searched; every other one is ahead. They share history and corrections too, so
that each learns from the nodes of all. Two that write at once may spoil one lesson, nothing more. Where a run comes to
a move that another is at, it tries its other moves first, and it leaves a node with which another was through meanwhile
(`engine.search.abdada`). Whoever completes an iteration takes all others along that are not ahead of it. See
chessprogramming.org/Lazy_SMP and chessprogramming.org/ABDADA.

`python -m benchmarks.threads` measures what that gives; with `--in-turns` it counts what it gives at best. A root split
would leave the first move, which is most of the work, to one thread: with `--root-split` that counts 1.2 times at best.

Threads, not processes: `Advance` holds no interpreter lock, and between two slices there is little to do that needs it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from .aspiration_window import AspirationSearch
from .records import Limits
from .shared_progress import SharedProgress
from .time_checks import LeaderTimeChecks

AHEAD = 2
"""In plies. None is worse in Nine Men's Morris and Ming Mang; between one, two and three little can be told."""


class HelperTimeChecks:
    """The time_checks of a run that does not look at the clock: that of the run that does."""

    def __init__(self, leading: LeaderTimeChecks, progress: SharedProgress) -> None:
        self.leading = leading
        self.progress = progress
        self.time_factor = 1.0

    @property
    def limits(self) -> Limits:
        """Those of the whole search."""
        return self.leading.limits

    def next_slice(self) -> int:
        """Return for how many nodes to search before the next pause."""
        return self.leading.latest_slice

    def end_slice(self, nodes: int) -> None:
        """Learn nothing: the leading run does."""

    def is_spent(self) -> bool:
        """Return whether the leading run has ended."""
        return self.progress.is_over


class HelperThreads:
    """Runs that help another; they start when told, and have ended when the context is left."""

    def __init__(
        self, helpers: int, new_run: Callable[[], AspirationSearch], progress: SharedProgress, deepest: int
    ) -> None:
        self._helpers = helpers
        self._new_run = new_run
        self._progress = progress
        self._deepest = deepest
        self._pool: ThreadPoolExecutor | None = None
        self._tasks: list[Future[None]] = []

    def __enter__(self) -> "HelperThreads":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.is_over = True
        if self._pool is not None:
            self._pool.shutdown()
            for task in self._tasks:
                task.result()

    def start(self) -> None:
        """Let the helpers begin, if they have not yet."""
        if self._helpers == 0 or self._pool is not None:
            return
        self._pool = ThreadPoolExecutor(self._helpers, thread_name_prefix="search")
        self._tasks = [self._pool.submit(self._follow, plies_ahead(1 + helper)) for helper in range(self._helpers)]

    def _follow(self, ahead: int) -> None:
        run = self._new_run()
        while not (self._progress.is_over or self._progress.is_used_up):
            run.catch_up()
            if run.depth >= self._deepest:
                return
            run.iterate(min(run.depth + 1 + ahead, self._deepest))


def plies_ahead(thread: int) -> int:
    """Return by how much deeper than is needed next a thread of a search looks; 0 is the one that keeps the time."""
    return AHEAD if thread % 2 else 0
