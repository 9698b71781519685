"""Studies: lines of play with variations, comments and drawings, in chapters, saved and shared by link.

link = await me.studies.save("1. d6 f4 {Solid.} (1... d2) 2. g1", "morris", title="A first line")
print((await me.studies.get(link)).text)
"""

from collections.abc import AsyncGenerator, Callable

from millrace import protocol

from .requests import Requests, new_id
from .subscriptions import FollowingClient
from .text_parts import split_text


class StudiesClient(FollowingClient[str, protocol.StudyNews]):
    """The player's studies; `Connection.studies` is one. Every method raises RefusedError and ConnectionLostError."""

    receives = (protocol.StudyNews,)

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._requests = requests
        super().__init__(post)

    async def save(
        self,
        text: str,
        game: str,
        *,
        setup: str = "",
        match: protocol.MatchId | None = None,
        title: str = "",
        study: str = "",
        part_of: str = "",
        name: str = "",
        based_on_ms: int = 0,
    ) -> str:
        """Save a study, a further chapter of the study `part_of`, or change a chapter that you may edit, and return the
        last part of its link, `/study/...`.

        `text` has moves with numbers, comments, glyphs and variations, as in the text format of matches. It begins at
        the start of `match`, or else at `setup`. With `based_on_ms`, the `updated_ms` of the text that was changed, a
        chapter that has been saved since is not replaced. Raises: RefusedError, also for a text that is too long.
        """
        upload = new_id()
        about = (game, setup, match, title, study, part_of, name, based_on_ms)
        whole = protocol.SaveStudy(new_id(), upload, 0, 1, "", *about)
        parts = tuple(split_text(text, protocol.MAX_PART_LENGTH, whole))
        for number, part in enumerate(parts[:-1]):
            command = protocol.SaveStudy(new_id(), upload, number, len(parts), part, game)
            await self._requests.ask(command, protocol.Done)
        command = protocol.SaveStudy(new_id(), upload, len(parts) - 1, len(parts), parts[-1], *about)
        return (await self._requests.ask(command, protocol.StudySaved)).study

    async def get(self, study: str) -> protocol.Study:
        """Return a chapter of a study by the last part of its link."""
        return await self._requests.ask(protocol.GetStudy(new_id(), study), protocol.Study)

    def follow(self, study: str) -> AsyncGenerator[protocol.StudyNews, None]:
        """Yield a chapter, now and after each change. One reader for each chapter."""
        return self._followed.read(study, protocol.WatchStudy(study), protocol.WatchStudy(study, on=False))

    async def own(self) -> tuple[protocol.StudySummary, ...]:
        """Return the studies that the player may edit without their texts, the newest first."""
        return (await self._requests.ask(protocol.ListStudies(new_id()), protocol.Studies)).studies

    async def change(
        self, study: str, *, title: str | None = None, name: str | None = None, place: int | None = None
    ) -> None:
        """Change the title of a study that you may edit, or a chapter's name or place, counted from 0."""
        await self._requests.ask(protocol.ChangeStudy(new_id(), study, title, name, place), protocol.Done)

    async def share(self, study: str, player: str, *, on: bool = True) -> None:
        """Let a player edit a study of your own, or no longer."""
        await self._requests.ask(protocol.ShareStudy(new_id(), study, player, on), protocol.Done)

    async def delete_chapter(self, study: str) -> None:
        """Delete a chapter of a study that you may edit, except the only one."""
        await self._requests.ask(protocol.DeleteChapter(new_id(), study), protocol.Done)

    async def delete(self, study: str) -> None:
        """Delete a study of your own with all its chapters, also for everyone with its link."""
        await self._requests.ask(protocol.DeleteStudy(new_id(), study), protocol.Done)

    # For the connection

    def receive(self, message: protocol.StudyNews) -> None:
        """Receive a chapter."""
        if (news := self._followed.get(message.study)) is not None:
            news.set(message)
