"""Requests: commands that wait for their answers. They are repeated on each new connection until answered."""

import asyncio
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias, TypeVar

from millrace import protocol
from millrace.protocol.refusal import Refusal, require_short

from .errors import ClientError, ConnectionLostError, ProtocolError, RefusedError

Request: TypeAlias = (
    protocol.Create
    | protocol.MatchCommand
    | protocol.PlanCommand
    | protocol.Preview
    | protocol.Describe
    | protocol.Say
    | protocol.Mute
    | protocol.Report
    | protocol.AccountCommand
    | protocol.EmailCommand
    | protocol.RatingCommand
    | protocol.ArchiveCommand
    | protocol.ImportMatches
    | protocol.PlayNow
    | protocol.GetFittingBot
    | protocol.Compose
    | protocol.Explore
    | protocol.GetLegalMoves
    | protocol.GetEngineLine
    | protocol.ExploreOpening
    | protocol.GetOpenings
    | protocol.Analyse
    | protocol.StopAnalysis
    | protocol.ProbeTablebase
    | protocol.PushCommand
    | protocol.StudyCommand
    | protocol.TeachingCommand
    | protocol.PuzzleCommand
    | protocol.EndingCommand
    | protocol.StormCommand
    | protocol.RaceCommand
    | protocol.MistakeCommand
    | protocol.AnalyseMatch
    | protocol.SetChallengeRules
    | protocol.Block
    | protocol.Unblock
    | protocol.GetBlocked
    | protocol.GetVacation
    | protocol.SetVacation
    | protocol.GetProfile
    | protocol.SetProfile
    | protocol.SetOnlineVisibility
    | protocol.GetPreferences
    | protocol.GetPageSettings
    | protocol.SetPageSettings
    | protocol.Follow
    | protocol.FindPlayers
    | protocol.MarkNotificationsRead
    | protocol.GetNotificationKinds
    | protocol.SetNotificationKinds
    | protocol.CreateTournament
    | protocol.GetTournamentMatches
    | protocol.JoinTournament
    | protocol.LeaveTournament
    | protocol.DisqualifyPlayer
    | protocol.GetLadders
    | protocol.JoinLadder
    | protocol.LeaveLadder
    | protocol.ChallengeOnLadder
    | protocol.ForbidPairing
    | protocol.AcceptPlayer
    | protocol.StartSimul
)
"""The commands that the server answers under their ids."""

Key: TypeAlias = protocol.CommandId | int
"""What identifies an answer: the id of a command, or the nonce of a ping."""

Answer = TypeVar("Answer", bound=protocol.Message)


UNAVAILABLE_RETRY_S = 1.0
"""Pause before repeating a command that the server could not store, or may have stored."""


@dataclass(frozen=True, slots=True)
class _Pending:
    frame: bytes
    answer: asyncio.Future[protocol.Message]
    is_repeated: bool
    is_retried: bool


class Requests:
    """The requests without an answer."""

    def __init__(self, post: Callable[[bytes], None], retries_unavailable: bool = True) -> None:
        self._post = post
        self._retries_unavailable = retries_unavailable
        self._open: dict[Key, _Pending] = {}
        self._end: ClientError | None = None

    async def ask(
        self, command: Request, kind: type[Answer], *, is_repeated: bool = True, is_retried: bool = False
    ) -> Answer:
        """Send a command and return its answer of the given class.

        If the connection breaks, the command is sent again, unless `is_repeated` is false: then ConnectionLostError is
        raised. With `is_retried`, a command that is refused as unavailable is sent again until it is not.
        Raises: RefusedError, ConnectionLostError, ProtocolError.
        """
        return await self._ask(command.id, command, kind, is_repeated, is_retried and self._retries_unavailable)

    async def ping(self, kind: type[Answer]) -> Answer:
        """Send a ping and return its answer of the given class. Raises: ConnectionLostError."""
        nonce = secrets.randbits(48)
        return await self._ask(nonce, protocol.Ping(nonce), kind, is_repeated=True, is_retried=False)

    def raise_if_ended(self) -> None:
        """Raise the error passed to `fail`, if it was called."""
        if self._end is not None:
            raise self._end

    # For the connection

    def resume(self) -> None:
        """Repeat the requests on a new connection."""
        for pending in self._open.values():
            if pending.is_repeated:
                self._post(pending.frame)
            else:
                _settle(
                    pending.answer,
                    ConnectionLostError("The connection broke before the server answered."),
                )

    def answer(self, key: Key | None, result: protocol.Message | ClientError) -> None:
        """Pass an answer or error to the request that waits for it, if any."""
        if key is None or (pending := self._open.get(key)) is None:
            return
        if pending.is_retried and isinstance(result, RefusedError) and result.code is protocol.Code.UNAVAILABLE:
            # Under its id, so that it takes effect once even if the server has stored it.
            asyncio.get_running_loop().call_later(UNAVAILABLE_RETRY_S, self._retry, key)
        else:
            _settle(pending.answer, result)

    def fail(self, error: ClientError) -> None:
        """Raise an error in everything that waits, and in all later requests."""
        self._end = error
        for pending in self._open.values():
            _settle(pending.answer, error)

    # Own

    async def _ask(
        self, key: Key, message: protocol.Message, kind: type[Answer], is_repeated: bool, is_retried: bool
    ) -> Answer:
        self.raise_if_ended()
        pending = _Pending(_checked(message), asyncio.get_running_loop().create_future(), is_repeated, is_retried)
        self._open[key] = pending
        self._post(pending.frame)
        try:
            answer = await pending.answer
        finally:
            del self._open[key]
        if not isinstance(answer, kind):
            raise ProtocolError(f"The server answered with {type(answer).__name__} instead of {kind.__name__}.")
        return answer

    def _retry(self, key: Key) -> None:
        if (pending := self._open.get(key)) is not None:
            self._post(pending.frame)


def new_id() -> protocol.CommandId:
    """Return a unique id for a command. The server keeps it with the match, and packs ids that begin alike."""
    return protocol.CommandId(f"{_process_name(os.getpid())}-{next(_numbers)}")


_numbers = count(1)


@cache
def _process_name(_pid: int) -> str:
    """Return what the ids of a process begin with; another one after a fork."""
    return secrets.token_urlsafe(6)


def _settle(future: asyncio.Future[protocol.Message], result: protocol.Message | ClientError) -> None:
    if future.done():
        return
    if isinstance(result, ClientError):
        future.set_exception(result)
    else:
        future.set_result(result)


def _checked(command: protocol.Message) -> bytes:
    """Return a command's frame. Raises: RefusedError for a frame that every server would reject."""
    frame = protocol.encode(command)
    try:
        protocol.parse_client_message(frame)
        require_short(frame)
    except protocol.MalformedError as error:
        raise RefusedError(protocol.Code.MALFORMED, str(error)) from None
    except Refusal as refusal:
        raise RefusedError(refusal.code, refusal.message) from None
    return frame
