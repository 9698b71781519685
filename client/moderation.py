"""Keeping order: telling moderators what they should see. What moderators do is not for programs.

`Connection.moderation` is one of these.
"""

from millrace.server.protocol import Done, IdentityId, MatchId, Report, ReportReason

from .asking import Requests, new_id


class ModerationClient:
    """What a connection tells moderators."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def report(
        self,
        match: MatchId | None,
        reason: ReportReason,
        *,
        player: IdentityId | None = None,
        line: int | None = None,
        words: str = "",
    ) -> None:
        """Tell moderators of a player or of a line, whose text is kept with the report.

        Without a match it is about the name of an account, or the words about oneself. Raises: RefusedError.
        """
        await self._requests.ask(Report(new_id(), reason, match, player, line, words), Done)
