"""Remarks on a match for one of its players: the effect of the latest move, and what the turn allows. Pure."""

from collections.abc import Collection

from millrace.engine import game as engine_game
from millrace.engine.state import State
from millrace.protocol import Remark


def remarks_on(state: State, seats: Collection[int]) -> tuple[Remark, ...]:
    """Return the remarks on a state for the player of some seats, addressed to that player."""
    return (*_about_move(state, seats), *_about_turn(state, seats))


def taking_text(state: State) -> str:
    """Return the text for a move that lacks only its captured piece; empty if there is no such step."""
    teaching = state.game.teaching
    return "" if teaching is None else teaching.taking.format(next=_name_of(state, (state.seat + 1)))


def names_in(state: State) -> dict[str, str]:
    """Return the names in remarks: of the seat that moved, of the seat that moves next, and of the one after that."""
    return {each: _name_of(state, state.seat + step) for each, step in (("mover", -1), ("next", 0), ("after", 1))}


def _about_move(state: State, seats: Collection[int]) -> tuple[Remark, ...]:
    before = state.previous
    if before is None or before.game.teaching is None or before.start is not state.start:
        return ()
    teaching = before.game.teaching
    found = teaching.explain(before.start.board, before.words, state.move, state.words)
    texts = [(remark, teaching.remarks[remark.code]) for remark in found]
    if before.seat in seats:
        return _spoken(state, [(remark, each.to_mover) for remark, each in texts])
    return _spoken(state, [(remark, each.to_next) for remark, each in texts]) if state.seat in seats else ()


def _about_turn(state: State, seats: Collection[int]) -> tuple[Remark, ...]:
    teaching = state.game.teaching
    if teaching is None or state.seat not in seats or state.outcome is not None:
        return ()
    found = teaching.describe_turn(state.start.board, state.words)
    return _spoken(state, [(remark, teaching.remarks[remark.code].to_next) for remark in found])


def _spoken(state: State, texts: list[tuple[engine_game.Remark, str]]) -> tuple[Remark, ...]:
    names = names_in(state)
    return tuple(
        Remark(remark.code, text.format(**remark.parameters, **names), text, {**remark.parameters})
        for remark, text in texts
        if text
    )


def _name_of(state: State, seat: int) -> str:
    return state.game.seat_names[seat % state.start.seats]
