"""Growing a book: which match to play next, playing it, and adding its result.

It is a Monte Carlo tree search whose simulations are whole matches of the engine (Chaslot and others, Meta Monte-Carlo
Tree Search for Automatic Opening Book Generation, 2009). In a book position the move with the best score is played
(quasi best-first). If no move is good enough, the engine proposes one. Since it would propose the same move again, it
is asked again only when the matches there have doubled (progressive widening), with noise in its evaluation, and every
second time with few nodes. Positions with several matches are scored by a long search (`engine.book.position_scoring`).
Sometimes a random move is played. Beyond the book both sides play with few nodes and some noise, so that no two matches
are alike.

Matches are planned in rounds, each as if those planned before it in the round were lost for the side to move (virtual
loss, chessprogramming.org/Parallel_Search), and added in order. So a book depends neither on the number of processes
nor on interruptions of its growth. No processes or files here.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ..game import Game
from ..search import Handicap, Limits, analyse, no_clock
from ..state import State
from ..transposition_table import PROVEN, new_table
from .book import HALF_POINTS, Book, BookMove, Node, Recipe
from .canonical_form import Clicks, Key
from .seeded_random import derive_seed, random_fraction, weighted_choice

ROUND = 16
"""Number of matches planned at once. After each round, the positions with enough matches are scored."""

GOOD_ENOUGH = 0.55
"""Below this score the engine is asked for another move."""

RANDOM_SHARE = 0.06
"""The share of random moves, in positions with at least `RANDOM_FROM` matches."""
RANDOM_FROM = 8

PROPOSAL_NOISE = 15
MATCH_NOISE = 8
"""Noise of the evaluation for variety, in hundredths of a man."""

PROPOSAL_MEGABYTES = 32
MATCH_MEGABYTES = 1

MAX_MATCH_PLIES = 120
CLEAR_LEAD = 150
"""The lead with which a match counts as won after `MAX_MATCH_PLIES`, in hundredths of a man; otherwise it is drawn."""


class MatchTask(NamedTuple):
    """A match to play, as strings and numbers, so that any process can play it."""

    number: int
    """The number of the match, from 0."""
    moves: tuple[str, ...]
    """Its first moves."""
    proposal_nodes: int
    """Nodes of the search for the next move, or 0 to search it like later ones."""
    noise: int
    """Noise of that search."""


class BookMatch(NamedTuple):
    """The result of a match."""

    moves: tuple[str, ...]
    """The match's moves, as far as the book needs them."""
    half_points: int
    """The result for seat 0."""


def plan_round(book: Book, goal: int | None = None) -> tuple[MatchTask, ...]:
    """Return the next matches to play, for at most `goal` matches in the book, if given.

    A round cut short by `goal` is planned like the start of a whole one. With goals of whole rounds, a book does not
    depend on interruptions.
    """
    whole = book.matches - book.matches % ROUND + ROUND
    end = whole if goal is None else min(whole, goal)
    asked: Counter[Key] = Counter()
    walked: list[BookMove] = []
    tasks = []
    for number in range(book.matches, end):
        task, path = _plan(book, number, asked)
        walked += path
        for book_move in path:
            book_move.matches += 1
        tasks.append(task)
    for book_move in walked:
        book_move.matches -= 1
    return tuple(tasks)


def play_match(game: Game, recipe: Recipe, task: MatchTask) -> BookMatch:
    """Play a match to its end."""
    state = State.from_moves(game, "", task.moves)
    if task.proposal_nodes:
        handicap = Handicap(task.noise, derive_seed(recipe.seed, task.number))
        found = analyse(
            state, Limits(nodes=recipe.nodes), no_clock, table=new_table(PROPOSAL_MEGABYTES), handicap=handicap
        )
        assert found.best_move is not None
        state = state.play_text(found.best_move)
    state, half_points = _play_on(state, recipe, Handicap(MATCH_NOISE, derive_seed(recipe.seed, task.number, 0)))
    return BookMatch(state.move_texts[: recipe.deepest], half_points)


def add_round(book: Book, matches: Iterable[BookMatch]) -> None:
    """Add the matches of a round, in the order in which they were planned."""
    for played in matches:
        book.add(played.moves, played.half_points)


def _plan(book: Book, number: int, asked: Counter[Key]) -> tuple[MatchTask, list[BookMove]]:
    """Return a match to play, and the book moves with which it starts. `asked` counts, for each position, how often the
    engine is about to be asked there.
    """
    canonicalizer, recipe = book.canonicalizer, book.recipe
    state, path = State.of(book.game), list[BookMove]()
    while state.outcome is None and state.ply < recipe.deepest:
        form = canonicalizer.canonical_form(state)
        moves = canonicalizer.equivalent_moves(state, form, state.legal_moves)
        node = {clicks: book_move for clicks, book_move in book.nodes.get(form.key, {}).items() if clicks in moves}
        visits = sum(book_move.matches for book_move in node.values()) + asked[form.key]
        best = _best_of(node)
        if visits >= RANDOM_FROM and random_fraction(recipe.seed, number, state.ply) < RANDOM_SHARE:
            best = weighted_choice(list(moves), [1] * len(moves), random_fraction(recipe.seed, number, state.ply, 1))
        elif best is None or (node[best].score < GOOD_ENOUGH and visits.bit_count() == 1):
            asked[form.key] += 1
            return MatchTask(number, state.move_texts, *_proposal_after(visits, recipe)), path
        state = state.play(moves[best][0])
        if best not in node:
            break
        path.append(node[best])
        if node[best].matches == 0:
            break
    return MatchTask(number, state.move_texts, 0, 0), path


def _proposal_after(visits: int, recipe: Recipe) -> tuple[int, int]:
    """Return nodes and noise of a proposal, by the number of earlier matches: long after 0, 2, 8, ..., brief after 1,
    4, ...
    """
    is_long = visits.bit_length() % 2 == 0
    return recipe.nodes if is_long else recipe.match_nodes, PROPOSAL_NOISE if visits else 0


def _best_of(node: Node) -> Clicks | None:
    """Return the move with the best score, among equals the one played least."""
    return min(node, key=lambda clicks: (-node[clicks].score, node[clicks].matches, clicks), default=None)


def _play_on(state: State, recipe: Recipe, handicap: Handicap) -> tuple[State, int]:
    """Play a match to its end, or until it is decided; return its last state and the result for seat 0."""
    table = new_table(MATCH_MEGABYTES)
    while state.outcome is None:
        found = analyse(state, Limits(nodes=recipe.match_nodes), no_clock, table=table, handicap=handicap)
        if abs(found.value) > (PROVEN if state.ply < MAX_MATCH_PLIES else CLEAR_LEAD):
            return state, HALF_POINTS if (found.value > 0) == (state.seat == 0) else 0
        if state.ply >= MAX_MATCH_PLIES:
            return state, HALF_POINTS // 2
        assert found.best_move is not None
        state = state.play_text(found.best_move)
    winner = state.outcome.winner
    return state, HALF_POINTS // 2 if winner is None else HALF_POINTS * (winner == 0)
