"""The choice of a move by a level or a personality.

`engine.levels.opponents` defines the opponents; `engine.search` searches.

Levels below the strongest are limited by depth or nodes, so that they are cheap and the same seed plays the same match.
Only the strongest level uses time.

Only the strongest level uses the tablebase: learners need an opponent who errs in endgames too.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from ..bindings import bindings_of
from ..game.skill import Skill
from ..search import Analysis, Clock, Handicap, Limits, analyse
from ..state import State
from ..tablebase.probing import Tablebase
from ..transposition_table import PROVEN, TranspositionTable, new_table
from .classic import choose_classically
from .opponents import DRAW_PENALTY, MAX_RISKS, NO_STYLE, STRONGEST_LEVEL, Opponent, PlayingStyle, find_opponent
from .passing_out import barred_passes, passes_out
from .solved_play import search_solved

Search: TypeAlias = Callable[[Limits, tuple[int, ...]], Analysis]
"""Searches a state within limits; only the given candidate moves, if there are any."""

PASS_SHARE = 0.1
"""The share of the limits spent on evaluating a pass, where nothing is left to play for."""

CANDIDATES = 4
"""Number of best moves from which a style chooses, besides the best capture if it likes captures."""


def analyse_at_level(
    state: State,
    level: int | str,
    seed: int,
    clock: Clock,
    movetime_ms: float | None = None,
    tablebase: Tablebase | None = None,
    *,
    soft_ms: float | None = None,
    should_stop: Callable[[], bool] | None = None,
    table: TranspositionTable | None = None,
    threads: int = 1,
    ends_when_settled: bool = False,
    draw_penalty: int = DRAW_PENALTY,
) -> Analysis:
    """Search like a level or a personality; the other arguments are those of `analyse`.

    With `ends_when_settled` the strongest level ends when its move is settled; The Timekeeper never does. The
    `draw_penalty` is for the strongest level only.
    Raises: EngineError if there is no such opponent.
    """
    opponent = find_opponent(level, state.game)
    if opponent.classic is not None:
        return choose_classically(
            state, opponent.classic, Limits(movetime_ms=movetime_ms, soft_ms=soft_ms), clock, should_stop
        )
    skill = opponent.skill_in(state.game)
    table = table or new_table(skill.table_megabytes)
    handicap = handicap_of(skill, seed)
    solved = tablebase if opponent.level == STRONGEST_LEVEL else None

    def search(limits: Limits, candidates: tuple[int, ...], probed: Tablebase | None = solved) -> Analysis:
        return analyse(
            state,
            limits,
            clock,
            should_stop=should_stop,
            threads=threads,
            table=table,
            handicap=handicap,
            draw_penalty=draw_penalty if opponent.level == STRONGEST_LEVEL else 0,
            tablebase=probed,
            candidates=candidates,
            barred=barred_passes(state),
        )

    if opponent.is_random:
        return search(Limits(depth=1), (any_move(state, seed),))
    limits = Limits(
        movetime_ms=movetime_ms or skill.movetime_ms,
        soft_ms=soft_ms,
        wants_doubling=opponent.takes_twentieth,
        ends_when_settled=ends_when_settled and opponent.level == STRONGEST_LEVEL and not opponent.takes_twentieth,
    )
    if solved is not None and solved.results is not None:
        return search_solved(state, solved, limits, clock, search, should_stop)
    return search_to_play(state, opponent, limits, search)


def any_move(state: State, seed: int) -> int:
    """Return the legal move that a seed picks: no pass while there is another."""
    moves = [move for move in state.legal_moves if move != state.game.rules.free_pass] or state.legal_moves
    return moves[spread_seed(seed) * len(moves) >> 63]


def search_to_play(state: State, opponent: Opponent, limits: Limits, search: Search) -> Analysis:
    """Return the analysis of the move that an opponent plays: the best in its style, or a pass where nothing is left to
    play for (`engine.levels.passing_out`).

    `search` leaves out `barred_passes`. A level without oversights passes also where every other move loses by force.
    All searches share `limits`; each also respects the limits of the level.
    """
    skill = opponent.skill_in(state.game)
    own = Limits(skill.depth, skill.nodes)
    share = 1 - PASS_SHARE if passes_out(state) else 1.0
    found = _search_in_style(state, opponent.style, _share_of(own, share), _share_of(limits, share), search)
    if share < 1 and abs(found.value) <= PROVEN:
        return search(within(_share_of(own, PASS_SHARE), _share_of(limits, PASS_SHARE)), (state.game.rules.free_pass,))
    if found.value < -PROVEN and not skill.oversights and (passes := barred_passes(state)):
        passed = search(within(own, _rest_of(limits, found)), passes)
        return passed if passed.value > found.value else found
    return found


def within(own: Limits | Skill, limits: Limits) -> Limits:
    """Return limits that also respect the depth and nodes of a level."""
    depth = min((bound for bound in (limits.depth, own.depth) if bound is not None), default=None)
    nodes = min((bound for bound in (limits.nodes, own.nodes) if bound is not None), default=None)
    return replace(limits, depth=depth, nodes=nodes)


def _rest_of(limits: Limits, found: Analysis) -> Limits:
    """Return limits with the nodes and the time that a search has left, at least for one ply."""
    return replace(
        limits,
        nodes=None if limits.nodes is None else max(limits.nodes - found.nodes, 1),
        movetime_ms=None if limits.movetime_ms is None else max(limits.movetime_ms - found.elapsed_ms, 1.0),
        soft_ms=None,
    )


def _share_of(limits: Limits, share: float) -> Limits:
    """Return limits with a share of the nodes and the time."""
    if share == 1:
        return limits
    return replace(
        limits,
        nodes=None if limits.nodes is None else max(1, round(limits.nodes * share)),
        movetime_ms=None if limits.movetime_ms is None else limits.movetime_ms * share,
        soft_ms=None if limits.soft_ms is None else limits.soft_ms * share,
    )


def handicap_of(skill: Skill, seed: int) -> Handicap:
    """Return the handicap of a level."""
    return Handicap(skill.noise, spread_seed(seed), skill.quiescence, skill.oversights)


def spread_seed(seed: int) -> int:
    """Return a seed of 63 bits that all depend on a small number."""
    return (seed + 1) * 0x9E3779B97F4A7C15 % (1 << 63)


def _search_in_style(state: State, style: PlayingStyle, own: Limits, limits: Limits, search: Search) -> Analysis:
    """Return the analysis of the move with the highest value plus style bonus. Proven values take precedence.

    Without a style this is one search. Otherwise several searches share `limits`, and each has all of its `own`.
    """
    if style == NO_STYLE:
        return search(within(own, limits), ())
    each = within(own, _share_of(replace(limits, soft_ms=None), 1 / (CANDIDATES + 1)))
    first = search(each, ())
    if first.best_move is None or abs(first.value) > PROVEN:
        return first
    found = {state.parse_move(first.best_move): first}
    captures = tuple(move for move in state.legal_moves if _is_noisy(state, move))
    barred = barred_passes(state)
    for choices in [captures if style.captures else (), *[state.legal_moves] * (CANDIDATES - 1)]:
        left = tuple(move for move in choices if move not in found and move not in barred)
        if left:
            another = search(each, left)
            assert another.best_move is not None
            found[state.parse_move(another.best_move)] = another
    return found[max(found, key=lambda move: found[move].value + style_bonus(state, move, style))]


def style_bonus(state: State, move: int, style: PlayingStyle) -> int:
    """Return the bonus of a move in a style, in hundredths of a man."""
    after = state.after(move)
    answers = after.generated_moves
    risks = sum(_is_noisy(after, answer) for answer in answers) if style.risk else 0
    return (
        style.captures * _is_noisy(state, move)
        + round(style.mobility * math.log2(1 + len(answers)))
        + style.risk * min(risks, MAX_RISKS)
    )


def _is_noisy(state: State, move: int) -> bool:
    return bool(bindings_of(state.game).is_noisy(state.start.board, state.words, move))
