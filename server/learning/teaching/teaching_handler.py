"""The handler of teaching: lessons, and remarks on the matches that a player plays."""

from millrace.protocol import Code, GetLesson, GetRemarks, Lesson, Remarks, Scope
from millrace.protocol.refusal import Refusal

from ...archive.archive_store import ArchiveQuery, ArchiveStore
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...journal.unavailable import refusing_failures
from ...matches.named_games import require_game
from ...rooms.rooms import Rooms
from .lessons import rules_of, steps_of
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
        caller.send(Lesson(command.id, game.name, rules_of(game), steps_of(game)))

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
