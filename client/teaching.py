"""Teaching: short rules, lessons, and explanations of the latest move of a match.

lesson = await me.teaching.lesson("morris")
print(lesson.rules[0].text, lesson.steps[0].accepted)
"""

from millrace.protocol import GetLesson, GetRemarks, Lesson, MatchId, Remarks

from .requests import Requests, new_id


class TeachingClient:
    """Requests for lessons and explanations; `Connection.teaching` is one."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def lesson(self, game: str) -> Lesson:
        """Return a game's short rules and its lesson. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(GetLesson(new_id(), game), Lesson)

    async def remarks(self, match: MatchId) -> Remarks:
        """Return what has just happened in a match of this player's. Raises: RefusedError, ConnectionLostError."""
        return await self._requests.ask(GetRemarks(new_id(), match), Remarks)
