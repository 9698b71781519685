"""The handler of teaching: lessons, and remarks on the matches that a player plays."""

from functools import cache

from millrace import protocol
from millrace.engine.game import Game, LessonStep
from millrace.engine.state import State
from millrace.protocol import Code, GetLesson, GetRemarks, Lesson, Line, Remarks, Scope
from millrace.protocol.refusal import Refusal

from ...archive.archive_query import ArchiveQuery
from ...archive.archive_store import ArchiveStore
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...journal.unavailable import refusing_failures
from ...matches.named_games import require_game
from ...rooms.rooms import Rooms
from .remarks import names_in, remarks_on, taking_text


class TeachingHandler(Feature):
    """Answers newcomers."""

    def __init__(self, rooms: Rooms, archive: ArchiveStore) -> None:
        self._rooms = rooms
        self._archive = archive
        self.routes = (
            Route(GetLesson, self.get_lesson, Scope.READ),
            Route(GetRemarks, self.get_remarks, Scope.READ),
        )

    async def get_lesson(self, command: GetLesson, caller: Caller) -> None:
        """Answer with a game's lesson and rules. Raises: Refusal."""
        game = require_game(command.game)
        rules = () if game.teaching is None else tuple(protocol.Rule(*rule) for rule in game.teaching.rules)
        caller.send(Lesson(command.id, game.name, rules, steps_of(game)))

    async def get_remarks(self, command: GetRemarks, caller: Caller) -> None:
        """Answer with the remarks on a match for one of its players. Raises: Refusal."""
        match = (await self._rooms.find(command.match)).match
        seats = match.seats_of(caller.identity)
        if not seats:
            raise Refusal(Code.NOT_YOUR_SEAT, "Only the players of a match can have its moves explained.")
        with refusing_failures("archive not read", "look this up", match=match.id):
            finished = await self._archive.search(ArchiveQuery(caller.identity, game=match.created.game), 1)
        state = match.state
        teaching = state.game.teaching
        taking_message = "" if teaching is None else teaching.taking
        remarks = remarks_on(state, seats)
        answer = Remarks(
            command.id, match.id, state.ply, remarks, taking_text(state), taking_message, names_in(state), not finished
        )
        caller.send(answer)


@cache
def steps_of(game: Game) -> tuple[protocol.LessonStep, ...]:
    """Return the steps of a game's lesson. They list every accepted move, so clients know no rules."""
    return () if game.teaching is None else tuple(_step_of(game, step) for step in game.teaching.lesson)


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
