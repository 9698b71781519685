"""Reporting players to the moderators. Moderating itself is not for programs.

`Connection.moderation` is a `ModerationClient`.
"""

from millrace.protocol import Done, IdentityId, MatchId, Report, ReportReason

from .requests import Requests, new_id


class ModerationClient:
    """Sends reports to the moderators."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def report(
        self,
        match: MatchId | None,
        reason: ReportReason,
        *,
        player: IdentityId | None = None,
        line: int | None = None,
        note: str = "",
        study: str | None = None,
    ) -> None:
        """Report a player, a chat line of a match, an imported match, or a study. The server keeps a copy of the
        reported text.

        With neither a match nor a study, the report is about the name or profile text of an account.
        Raises: RefusedError.
        """
        await self._requests.ask(Report(new_id(), reason, match, player, line, note, study), Done)
