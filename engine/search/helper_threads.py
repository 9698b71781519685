"""Helper threads: Lazy SMP over a shared transposition table, with ABDADA's deferred moves.

Each thread searches the whole tree with its own killers, and finds in the table (`engine.transposition_table`, which
needs no locks) what another has just searched; every second thread searches deeper. All share history and correction
history; two simultaneous writes may spoil one update, nothing more. A thread that reaches a move being searched by
another tries its other moves first, and leaves a node that another has finished meanwhile (`engine.search.abdada`).
When a thread completes an iteration, all that are not deeper continue from its result. See
chessprogramming.org/Lazy_SMP and chessprogramming.org/ABDADA.

With `Parallel.YOUNG_BROTHERS_WAIT` the helpers search the same iteration as the leader, and begin it when the leader
has searched its first root move, the eldest brother (Feldmann, Mysliwietz and Monien, 1991:
chessprogramming.org/Young_Brothers_Wait_Concept). The marks of ABDADA then divide the younger brothers among them.

`docs/performance.md` has the measured gain. Splitting the root would leave the first move, which is most of the work,
to one thread: at best 1.2 times as fast.

Threads work here because `Advance` releases the interpreter lock, and little between two slices needs it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from .iterations import AspirationSearch
from .records import Limits, Parallel
from .shared_progress import SharedProgress
from .time_checks import LeaderTimeChecks

AHEAD = 2
"""Additional plies that every second thread searches. 0 is worse in Nine Men's Morris and Ming Mang; 1, 2 and 3 are
about equal.
"""


class HelperTimeChecks:
    """The time checks of a helper: it ends when the leader ends."""

    def __init__(self, leader: LeaderTimeChecks, progress: SharedProgress) -> None:
        self._leader = leader
        self.progress = progress
        self.time_factor = 1.0

    @property
    def limits(self) -> Limits:
        """The limits of the whole search."""
        return self._leader.limits

    def next_slice(self) -> int:
        """Return the number of nodes to search before the next pause."""
        return self._leader.latest_slice

    def end_slice(self, nodes: int) -> None:
        """Do nothing: the leader adapts the slices."""

    def is_spent(self) -> bool:
        """Return whether the leader has ended."""
        return self.progress.is_over


class HelperThreads:
    """Threads that help a search. They start at `start`, and have ended when the context is left."""

    def __init__(
        self,
        helpers: int,
        new_run: Callable[[], AspirationSearch],
        progress: SharedProgress,
        max_depth: int,
        depth_step: int,
        parallel: Parallel = Parallel.SHARED,
    ) -> None:
        self._helpers = helpers
        self._new_run = new_run
        self._progress = progress
        self._max_depth = max_depth
        self._depth_step = depth_step
        self._parallel = parallel
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
        """Start the helpers, if they have not started yet."""
        if self._helpers == 0 or self._pool is not None:
            return
        self._pool = ThreadPoolExecutor(self._helpers, thread_name_prefix="search")
        self._tasks = [self._pool.submit(self._help, plies_ahead(1 + helper)) for helper in range(self._helpers)]

    def _help(self, ahead: int) -> None:
        run = self._new_run()
        while not (self._progress.is_over or self._progress.is_exhausted):
            run.catch_up()
            if run.depth >= self._max_depth:
                return
            following = min(run.depth + self._depth_step, self._max_depth)
            if self._parallel is Parallel.YOUNG_BROTHERS_WAIT:
                if self._progress.wait_for_eldest(following):
                    run.iterate(following)
                continue
            run.iterate(min(following + ahead, self._max_depth))


def plies_ahead(thread: int) -> int:
    """Return how many plies deeper than the next iteration a thread searches; thread 0 is the timekeeper."""
    return AHEAD if thread % 2 else 0
