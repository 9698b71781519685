"""Studies: lines of play with variations, comments and drawings, saved and shared by link.

link = await me.studies.save("1. d6 f4 {Solid.} (1... d2) 2. g1", "morris", title="A first line")
print((await me.studies.get(link)).text)
"""

from millrace import protocol

from .requests import Requests, new_id
from .text_parts import split_text


class StudiesClient:
    """The player's studies; `Connection.studies` is one. Every method raises RefusedError and ConnectionLostError."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def save(
        self,
        text: str,
        game: str,
        *,
        setup: str = "",
        match: protocol.MatchId | None = None,
        title: str = "",
        study: str = "",
    ) -> str:
        """Save a study, or change one of your own, and return the last part of its link, `/study/...`.

        `text` has moves with numbers, comments, glyphs and variations, as in the text format of matches. It begins at
        the start of `match`, or else at `setup`. Raises: RefusedError, also for a text that is too long.
        """
        upload = new_id()
        whole = protocol.SaveStudy(new_id(), upload, 0, 1, "", game, setup, match, title, study)
        parts = tuple(split_text(text, protocol.MAX_PART_LENGTH, whole))
        for number, part in enumerate(parts[:-1]):
            command = protocol.SaveStudy(new_id(), upload, number, len(parts), part, game)
            await self._requests.ask(command, protocol.Done)
        command = protocol.SaveStudy(
            new_id(), upload, len(parts) - 1, len(parts), parts[-1], game, setup, match, title, study
        )
        return (await self._requests.ask(command, protocol.StudySaved)).study

    async def get(self, study: str) -> protocol.Study:
        """Return a study by the last part of its link."""
        return await self._requests.ask(protocol.GetStudy(new_id(), study), protocol.Study)

    async def own(self) -> tuple[protocol.StudySummary, ...]:
        """Return the player's studies without their texts, the newest first."""
        return (await self._requests.ask(protocol.ListStudies(new_id()), protocol.Studies)).studies

    async def delete(self, study: str) -> None:
        """Delete a study of your own, also for everyone with its link."""
        await self._requests.ask(protocol.DeleteStudy(new_id(), study), protocol.Done)
