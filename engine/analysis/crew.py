"""Threads that search along with the one that keeps the time: Lazy SMP over a shared table.

Every run searches the whole tree to the same depth with killers and history of its own, and finds in the table
(`engine.table`, which needs no locks) what another has just searched; whoever completes an iteration first takes all
others along to the next. See chessprogramming.org/Lazy_SMP. Imported by `engine.analysis.deepening`.

`python -m benchmarks.threads --in-turns` counts what that gives at best: of two threads each has 1.84 times fewer nodes
to a depth than one alone in Nine Men's Morris, 1.50 in Ming Mang, 1.94 in Battle Sheep. The same command without the
option measures times. A root split would leave the first move, which is most of the work, to one thread.

Threads, not processes: `Advance` holds no interpreter lock, and between two slices there is little to do that needs it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from engine.analysis.front import Front
from engine.analysis.pace import Pace
from engine.analysis.records import Limits
from engine.analysis.run import Run


class FollowingPace:
    """The pace of a run that does not look at the clock: that of the run that does."""

    def __init__(self, leading: Pace, front: Front) -> None:
        self.leading = leading
        self.front = front
        self.stretch = 1.0

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
        return self.front.is_over


class Crew:
    """Runs that help another; they start when told, and have ended when the context is left."""

    def __init__(self, helpers: int, new_run: Callable[[], Run], front: Front, deepest: int) -> None:
        self._helpers = helpers
        self._new_run = new_run
        self._front = front
        self._deepest = deepest
        self._pool: ThreadPoolExecutor | None = None
        self._tasks: list[Future[None]] = []

    def __enter__(self) -> "Crew":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._front.is_over = True
        if self._pool is not None:
            self._pool.shutdown()
            for task in self._tasks:
                task.result()

    def start(self) -> None:
        """Let the helpers begin, if they have not yet."""
        if self._helpers == 0 or self._pool is not None:
            return
        self._pool = ThreadPoolExecutor(self._helpers, thread_name_prefix="search")
        self._tasks = [self._pool.submit(self._follow) for _ in range(self._helpers)]

    def _follow(self) -> None:
        run = self._new_run()
        while not (self._front.is_over or self._front.is_used_up):
            run.catch_up()
            if run.depth >= self._deepest:
                return
            run.iterate(run.depth + 1)
