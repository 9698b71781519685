"""What tables of all endings are worth to the strongest level of Nine Men's Morris: wins, and draws lost (none).

    python -m benchmarks.solved_play FOLDER [--opponent 7] [--starts endings] [--pairs N] [--strongest-ms 1000]

The strongest level plays with the tables of a folder, once as it does in play and once without a hard bargain; its
opponent has none. Matches begin after random first plies (start), or at random drawn placements with men in hand (hand)
or without (endings).
Both matches of a pair begin alike, with seats swapped. A match ends when the tables say that it is decided. Each move
of the level with the tables is judged by them, or by a proof if it takes no more than a few seconds. The folder may
have full tables, the small edition or both. Full tables are not checked first: `millrace tablebase verify` does that.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, NamedTuple

import typer

from millrace.engine.game import EngineError
from millrace.engine.games import find_game
from millrace.engine.games.morris.points import POINTS
from millrace.engine.levels import solved_play
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.state import State
from millrace.engine.tablebase.morris_results import MorrisResults
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.tablebase.results import WIN, ProofBudget, value_of_state
from millrace.server.bots.tablebases.folder import TablebaseFolder
from millrace.server.bots.tablebases.small_files import small_tables_in
from millrace.server.bots.tablebases.table_files import GAME

MORRIS = find_game("morris")
LONGEST_MATCH = 200
JUDGE_NODES = 3_000_000
FIRST_PLIES = 4


class Tally(NamedTuple):
    """The results of matches, for the level with the tables."""

    won: int
    drawn: int
    lost: int
    judged: int
    """Its moves in states that are proved to be drawn, and after which the opponent's result is proved too."""
    spoilt: int
    """Those after which the opponent wins."""


def main(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="A folder with all tables.")],
    opponent: Annotated[list[str] | None, typer.Option(help="Levels without tables; 7 and 8 by default.")] = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of matches of each kind.")] = 20,
    starts: Annotated[
        list[str] | None, typer.Option(help="Kinds of start: start, hand, endings; all by default.")
    ] = None,
    strongest_ms: Annotated[int, typer.Option(min=1, help="Milliseconds of level 8 for a move.")] = 1_000,
    seed: int = 1,
) -> None:
    """Play matches and print a line for each opponent, kind of start, and way to choose."""
    tablebase = TablebaseFolder(folder, checks=False).tablebase(GAME)
    if tablebase is None:
        raise SystemExit(f"error: There are no tables in {folder}.")
    judge = MorrisResults(tablebase.tables, small_tables_in(folder))
    kinds: dict[str, Callable[[random.Random], State]] = {
        "start": after_first_plies,
        "hand": lambda chance: drawn_placement(chance, judge, in_hand=chance.randint(2, 5)),
        "endings": lambda chance: drawn_placement(chance, judge, in_hand=0),
    }
    for name in opponent or ["7", "8"]:
        for kind in starts or kinds:
            for bargains in (True, False):
                chance = random.Random(seed)
                drawn = [kinds[kind](chance) for _ in range(pairs)]
                with bargaining(bargains):
                    tally = play_all(drawn, name, tablebase, judge, strongest_ms, seed)
                print(
                    f"level {name}, {kind:<7} {'hard bargain' if bargains else 'search alone':<12} "
                    f"won {tally.won}, drawn {tally.drawn}, lost {tally.lost}; "
                    f"{tally.spoilt} of {tally.judged:,} judged moves lost a draw",
                    flush=True,
                )


@contextmanager
def bargaining(bargains: bool) -> Iterator[None]:
    """Have the level drive a hard bargain, or leave drawn states to its search."""
    usual = solved_play.DRIVES_BARGAIN
    solved_play.DRIVES_BARGAIN = bargains
    try:
        yield
    finally:
        solved_play.DRIVES_BARGAIN = usual


def play_all(
    starts: list[State], opponent: str, tablebase: Tablebase, judge: MorrisResults, strongest_ms: int, seed: int
) -> Tally:
    """Play two matches from each start."""
    scores, judged, spoilt = [0, 0, 0], 0, 0
    for number, start in enumerate(starts):
        for seat in (0, 1):
            state, result = start, 0
            while state.outcome is None and state.ply < LONGEST_MATCH:
                if not int(state.words[2]) and (result := value_of_state(judge, state, budget()) or 0) != 0:
                    break
                errors = (seed * 1_000 + number) * LONGEST_MATCH + state.ply
                is_ours = state.seat == seat
                level = str(STRONGEST_LEVEL) if is_ours else opponent
                movetime_ms = strongest_ms if level == str(STRONGEST_LEVEL) else None
                tables = tablebase if is_ours else None
                found = analyse_at_level(state, level, errors, perf_counter, movetime_ms, tables)
                assert found.best_move is not None
                after = state.play_text(found.best_move)
                if is_ours and after.outcome is None and value_of_state(judge, state, budget()) == 0:
                    wins = judge.reaches(after, WIN, budget())
                    judged, spoilt = judged + (wins is not None), spoilt + bool(wins)
                state = after
            if state.outcome is not None:
                winner = state.outcome.winner
                result = 0 if winner is None else 1 if winner == state.seat else -1
            ours = result if state.seat == seat else -result
            scores[1 - ours] += 1
    won, drawn, lost = scores
    return Tally(won, drawn, lost, judged, spoilt)


def budget() -> ProofBudget:
    """Return a budget of a few seconds."""
    return ProofBudget(JUDGE_NODES, lambda: False)


def after_first_plies(chance: random.Random) -> State:
    """Return a state after random first plies."""
    state = State.of(MORRIS)
    for _ in range(FIRST_PLIES):
        state = state.after(chance.choice(state.legal_moves))
    return state


def drawn_placement(chance: random.Random, judge: MorrisResults, in_hand: int) -> State:
    """Return a random drawn placement in which the mover has this many men in hand, and the opponent as many."""
    while True:
        mover = chance.randint(4, 9 - in_hand)
        opponent = min(max(mover + chance.randint(-1, 1), 3), 9 - in_hand)
        points = chance.sample(range(POINTS), mover + opponent)
        letters = ["W" if point in points[:mover] else "B" if point in points else "." for point in range(POINTS)]
        state = State.of(MORRIS, f"{''.join(letters)} w {in_hand} {in_hand}")
        if state.outcome is None and value_of_state(judge, state, budget()) == 0:
            return state


if __name__ == "__main__":
    try:
        typer.run(main)
    except EngineError as error:
        raise SystemExit(f"error: {error}") from None
