"""The lessons of games, as sent to clients: every accepted move is listed, so clients know no rules. Pure."""

from functools import cache

from millrace import protocol
from millrace.engine.game import Game, LessonStep
from millrace.engine.state import State
from millrace.protocol import Line


@cache
def steps_of(game: Game) -> tuple[protocol.LessonStep, ...]:
    """Return the steps of a game's lesson; none if the game has no lesson."""
    return () if game.teaching is None else tuple(_step_of(game, step) for step in game.teaching.lesson)


def rules_of(game: Game) -> tuple[protocol.Rule, ...]:
    """Return a game's rules in short; none if the game does not provide them."""
    return () if game.teaching is None else tuple(protocol.Rule(*rule) for rule in game.teaching.rules)


def accepted_moves(state: State, step: LessonStep) -> tuple[str, ...]:
    """Return the texts of the legal moves that a step accepts in its position."""
    if isinstance(step.goal, tuple):
        return step.goal
    board, words = state.start.board, state.words
    accepted = [move for move in state.legal_moves if step.goal(board, words, move, state.after(move).words)]
    return tuple(state.format_move(move) for move in accepted)


def _step_of(game: Game, step: LessonStep) -> protocol.LessonStep:
    state = State.from_moves(game, step.setup, step.moves)
    line = Line(game.name, step.setup, moves=step.moves)
    accepted = accepted_moves(state, step)
    return protocol.LessonStep(step.title, step.text, line, accepted, step.right, step.wrong, step.reply)
