"""The gain of several search threads: a table of positions, and the mean for each game.

    python -m benchmarks.threads [--game NAME] [--threads N] [--seconds S] [--repeats R]
    python -m benchmarks.threads --in-turns [--game NAME] [--threads N] [--nodes N]
    python -m benchmarks.threads --root-split [--game NAME] [--threads N] [--nodes N]

The positions are those of `benchmarks.positions` and positions a few plies later, since many are needed. The depth is
the first for which one thread takes at least `--seconds`. Several threads are not reproducible, so that each position
is searched several times with them. `ratio` is the time of one thread divided by theirs; `nodes` is the total of their
nodes divided by its own: what they search twice. `cores` is what the machine gives at that moment: how many independent
searches at the same time do the nodes of one. It is usually less than the number of cores; `ratio` divided by it is the
efficiency of the method.

All means are geometric, so that twice and half of the usual time weigh the same. They have 95% confidence intervals,
since one position's ratio may be a tenth of another's.

The machine must be idle. With `--in-turns` the threads search a few nodes each in turns, so that one core is enough and
nothing is random: the depth is the first that takes one thread `--nodes` nodes, and `ratio` is its nodes divided by
those of each thread. It is the best possible gain, with cores and memory that do not interfere.

`--root-split` computes the best possible gain of the other method: one thread searches the first move of the root, and
then all share the other moves (Young Brothers Wait at the root, chessprogramming.org/Young_Brothers_Wait_Concept). It
distributes the nodes that one thread spends below each move as evenly as whole moves allow, without double work or
waiting.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import exp, log, sqrt
from statistics import geometric_mean, stdev
from threading import Semaphore
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from benchmarks.positions import read_positions
from millrace.engine.analysis import NO_HANDICAP, TABLE_MEGABYTES, Analysis, Limits, analyse
from millrace.engine.analysis.aspiration_window import AspirationSearch, tree_at_root
from millrace.engine.analysis.helper_threads import plies_ahead
from millrace.engine.analysis.shared_progress import SharedProgress
from millrace.engine.analysis.stability import Stability
from millrace.engine.analysis.time_checks import TimeChecks
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import NODES, OpponentModel, make_search, new_histories
from millrace.engine.state import State
from millrace.engine.tablebase.probing import empty_index
from millrace.engine.transposition_table import Histories, TranspositionTable, new_table

COMPILING_DEPTH = 1
TURN_NODES = 20
LATEST_PLY, PLIES_BETWEEN = 8, 4
PLAYED_NODES = 2_000
LARGEST_LEAD = 600
"""The largest lead in the positions of the files, in hundredths of a man."""

DEVIATIONS = 1.96
"""Standard deviations of a normal distribution that contain 95% of the cases."""


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    threads: Annotated[int, typer.Option(help="Number of threads.", min=2)] = 2,
    seconds: Annotated[float, typer.Option(help="Minimum seconds of one thread.")] = 0.5,
    repeats: Annotated[int, typer.Option(help="Searches of each position with several threads.", min=1)] = 3,
    in_turns: Annotated[bool, typer.Option("--in-turns", help="Count nodes instead of time.")] = False,
    root_split: Annotated[bool, typer.Option("--root-split", help="Count the nodes of a root split.")] = False,
    nodes: Annotated[int, typer.Option(help="Minimum nodes of one thread, where nodes are counted.")] = 400_000,
    positions: Annotated[int, typer.Option(help="Maximum positions of each game.", min=1)] = 150,
) -> None:
    for name in game or GAMES:
        if root_split:
            count(name, positions, threads, nodes, nodes_by_root_split)
        elif in_turns:
            count(name, positions, threads, nodes, nodes_in_turns)
        else:
            measure(name, positions, threads, seconds, repeats)


def measure(name: str, positions: int, threads: int, seconds: float, repeats: int) -> None:
    """Print a game's table and its means."""
    chosen = find_game(name)
    analyse(State.of(chosen), Limits(depth=COMPILING_DEPTH), perf_counter)
    columns = f"{'depth':>5} {'ms alone':>9} {f'ms by {threads}':>9} {'ratio':>6} {'nodes':>6} {'cores':>6}"
    print(f"{name}: {columns} | position", flush=True)
    ratios, shares, cores = list[float](), list[float](), list[float]()
    for state in states_of(name, positions):
        alone = alone_until(state, lambda found: found.elapsed_ms >= seconds * 1000)
        if alone is None:
            continue
        found = [analyse(state, Limits(depth=alone.depth), perf_counter, threads=threads) for _ in range(repeats)]
        mean_ms = geometric_mean(each.elapsed_ms for each in found)
        ratios.append(alone.elapsed_ms / mean_ms)
        shares.append(geometric_mean(each.nodes for each in found) / alone.nodes)
        cores.append(threads * alone.elapsed_ms / ms_side_by_side(state, alone.depth, threads))
        print(
            f"{'':>{len(name) + 1}} {alone.depth:>5} {alone.elapsed_ms:>9.0f} {mean_ms:>9.0f} {ratios[-1]:>6.2f}"
            f" {shares[-1]:>6.2f} {cores[-1]:>6.2f} | {state.position_text[:50]}",
            flush=True,
        )
    if ratios:
        print(
            f"{name}: {threads} threads are {mean_of(ratios)} times as fast as one, and search {mean_of(shares)} times "
            f"its nodes; the machine does {mean_of(cores)} times the work of one core\n",
            flush=True,
        )


def ms_side_by_side(state: State, depth: int, searches: int) -> float:
    """Return the average time of several independent searches to a depth at the same time."""
    with ThreadPoolExecutor(searches) as pool:
        found = pool.map(lambda _: analyse(state, Limits(depth=depth), perf_counter), range(searches))
        return geometric_mean(each.elapsed_ms for each in found)


def count(name: str, positions: int, threads: int, nodes: int, nodes_of_each: Callable[[State, int, int], int]) -> None:
    """Print a game's table of the nodes of one thread and of each of several, and its mean."""
    print(f"{name}: {'depth':>5} {'alone':>9} {f'of {threads}':>9} {'ratio':>6} | position", flush=True)
    ratios = list[float]()
    for state in states_of(name, positions):
        alone = alone_until(state, lambda found: found.nodes >= nodes)
        if alone is None:
            continue
        each = nodes_of_each(state, alone.depth, threads)
        ratios.append(alone.nodes / each)
        print(
            f"{'':>{len(name) + 1}} {alone.depth:>5} {alone.nodes:>9} {each:>9} {ratios[-1]:>6.2f}"
            f" | {state.position_text[:50]}",
            flush=True,
        )
    if ratios:
        print(f"{name}: each of {threads} threads has {mean_of(ratios)} times fewer nodes\n", flush=True)


def mean_of(values: Sequence[float]) -> str:
    """Return the geometric mean and, with several values, its 95% confidence interval from the spread of the
    logarithms."""
    mean = geometric_mean(values)
    if len(values) == 1:
        return f"{mean:.2f}"
    reach = exp(DEVIATIONS * stdev(map(log, values)) / sqrt(len(values)))
    return f"{mean:.2f} ({mean / reach:.2f} to {mean * reach:.2f})"


def states_of(name: str, most: int) -> Iterable[State]:
    """Return the start, the positions of the file and later ones, with a progress bar."""
    states = [later for text in ["", *read_positions(name)] for later in stability_of(State.of(find_game(name), text))]
    return track(states[:most], console=Console(stderr=True), transient=True)


def stability_of(state: State) -> Iterator[State]:
    """Yield a state and later ones, each as the start of a match, until one side is far ahead."""
    for ply in range(LATEST_PLY + 1):
        if ply % PLIES_BETWEEN == 0:
            yield State.of(state.game, state.position_text)
        found = analyse(state, Limits(nodes=PLAYED_NODES), perf_counter)
        if found.best_move is None or abs(found.value) > LARGEST_LEAD:
            return
        state = state.play_text(found.best_move)


def alone_until(state: State, is_enough: Callable[[Analysis], bool]) -> Analysis | None:
    """Return the first iteration of one thread that takes long enough; None if it sees the end of play before."""
    enough: list[Analysis] = []

    def hear(found: Analysis) -> None:
        if is_enough(found):
            enough.append(found)

    analyse(state, Limits(), perf_counter, on_iteration=hear, should_stop=lambda: bool(enough))
    return enough[0] if enough else None


class Turns:
    """Lets several threads search in turns."""

    def __init__(self, threads: int) -> None:
        self._gates = [Semaphore(0) for _ in range(threads)]
        self._gates[0].release()

    def wait(self, thread: int) -> None:
        self._gates[thread].acquire()

    def pass_on(self, thread: int) -> None:
        self._gates[(thread + 1) % len(self._gates)].release()


class TurnPace:
    """The time checks of a thread that searches in turns, until the search is over."""

    limits = Limits()

    def __init__(self, thread: int, turns: Turns, progress: SharedProgress) -> None:
        self.thread = thread
        self.turns = turns
        self.progress = progress
        self.time_factor = 1.0

    def next_slice(self) -> int:
        return TURN_NODES

    def end_slice(self, _nodes: int) -> None:
        self.turns.pass_on(self.thread)
        self.turns.wait(self.thread)

    def is_spent(self) -> bool:
        return self.progress.is_over


def new_run(
    state: State, pace: TimeChecks, progress: SharedProgress, table: TranspositionTable, histories: Histories
) -> AspirationSearch:
    """Return the search of one thread, as `analyse` starts it."""
    tree = tree_at_root(state, NO_HANDICAP, OpponentModel.BEST_REPLY, histories)
    return AspirationSearch(
        state,
        pace,
        progress,
        make_search(state.game),
        table,
        tree,
        empty_index(state.game),
        state.game.strength.techniques,
    )


def nodes_in_turns(state: State, depth: int, threads: int) -> int:
    """Return the nodes that the first of several threads has searched when one of them has reached the depth."""
    turns, progress, table = Turns(threads), SharedProgress(None, threads), new_table(TABLE_MEGABYTES)
    histories = new_histories(state.game, state.seat)
    table.begin_search()
    runs = [new_run(state, TurnPace(thread, turns, progress), progress, table, histories) for thread in range(threads)]

    def follow(thread: int) -> None:
        run = runs[thread]
        turns.wait(thread)
        while not progress.is_over:
            run.catch_up()
            if run.depth < depth:
                run.iterate(min(run.depth + 1 + plies_ahead(thread), depth))
            if run.depth >= depth:
                progress.is_over = True
        turns.pass_on(thread)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(follow, range(threads)))
    return int(runs[0].tree.counters[NODES])


class SlicePace:
    """The time checks of a search without limits, in slices so small that each is below one root move."""

    limits = Limits()
    time_factor = 1.0

    def next_slice(self) -> int:
        return TURN_NODES

    def end_slice(self, _nodes: int) -> None:
        pass

    def is_spent(self) -> bool:
        return False


class MoveNodes(Stability):
    """A stability that also counts the nodes below each root move, in the order of their first search."""

    def __init__(self) -> None:
        super().__init__()
        self.by_move: Counter[int] = Counter()

    def add_effort(self, move: int, nodes: int) -> None:
        super().add_effort(move, nodes)
        self.by_move[move] += nodes


def nodes_by_root_split(state: State, depth: int, threads: int) -> int:
    """Return the nodes that the busiest of several threads would search to a depth, at best."""
    table = new_table(TABLE_MEGABYTES)
    table.begin_search()
    run = new_run(state, SlicePace(), SharedProgress(None, 1), table, new_histories(state.game, state.seat))
    run.stability = stability = MoveNodes()
    busiest = 0.0
    while run.depth < depth:
        stability.by_move.clear()
        run.iterate(run.depth + 1)
        first, *others = stability.by_move.values() or (0,)
        busiest += first + max(sum(others) / threads, max(others, default=0))
    return round(busiest)


if __name__ == "__main__":
    typer.run(main)
