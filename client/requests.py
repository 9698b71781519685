"""Asking: commands that wait for their answers, sent again on each new socket until they have them.

No connection: `client.connection` hands over what the server answers.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from millrace.server.protocol import (
    MAX_FRAME_BYTES,
    AccountCommand,
    Analyse,
    AnalyseMatch,
    ArchiveCommand,
    Block,
    Code,
    CommandId,
    Create,
    Describe,
    Explore,
    FindPlayers,
    Follow,
    GetBlocked,
    GetNotificationKinds,
    GetPreferences,
    GetProfile,
    ImportMatches,
    MalformedError,
    MarkNotificationsRead,
    MatchCommand,
    Message,
    Mute,
    Ping,
    Preview,
    ProbeTablebase,
    RatingCommand,
    Report,
    Say,
    SetChallengeRules,
    SetNotificationKinds,
    SetOnlineVisibility,
    SetProfile,
    Unblock,
    encode,
    parse_client_message,
)

from .errors import ClientError, ConnectionLostError, ProtocolError, RefusedError

Request: TypeAlias = (
    Create
    | MatchCommand
    | Preview
    | Describe
    | Say
    | Mute
    | Report
    | AccountCommand
    | RatingCommand
    | ArchiveCommand
    | ImportMatches
    | Explore
    | Analyse
    | ProbeTablebase
    | AnalyseMatch
    | SetChallengeRules
    | Block
    | Unblock
    | GetBlocked
    | GetProfile
    | SetProfile
    | SetOnlineVisibility
    | GetPreferences
    | Follow
    | FindPlayers
    | MarkNotificationsRead
    | GetNotificationKinds
    | SetNotificationKinds
)
"""What the server answers under its id."""

Key: TypeAlias = CommandId | int
"""By what an answer is known: the id of a command, or the number of a ping."""

Answer = TypeVar("Answer", bound=Message)


@dataclass(frozen=True, slots=True)
class _Question:
    frame: bytes
    answer: asyncio.Future[Message]
    is_lasting: bool


class Requests:
    """What was asked and not yet answered."""

    def __init__(self, post: Callable[[bytes], None]) -> None:
        self._post = post
        self._open: dict[Key, _Question] = {}
        self._end: ClientError | None = None

    async def ask(self, command: Request, kind: type[Answer], *, is_lasting: bool = True) -> Answer:
        """Send a command and return its answer, which is of that kind.

        One that is not lasting is not sent again when the connection breaks; then ConnectionLostError is raised.
        Raises: RefusedError, ConnectionLostError, ProtocolError.
        """
        return await self._ask(command.id, command, kind, is_lasting)

    async def ping(self, kind: type[Answer]) -> Answer:
        """Ask for a sign of life, which is of that kind. Raises: ConnectionLostError."""
        nonce = secrets.randbits(48)
        return await self._ask(nonce, Ping(nonce), kind, is_lasting=True)

    def raise_if_ended(self) -> None:
        """Raise what `fail` was told, if it was."""
        if self._end is not None:
            raise self._end

    # For the connection

    def resume(self) -> None:
        """Ask again on a new socket."""
        for question in self._open.values():
            if question.is_lasting:
                self._post(question.frame)
            else:
                _settle(question.answer, ConnectionLostError("The connection broke before the server answered."))

    def answer(self, key: Key | None, result: Message | ClientError) -> None:
        """Hand an answer or error to who waits for it, if anybody does."""
        if key in self._open:
            _settle(self._open[key].answer, result)

    def fail(self, error: ClientError) -> None:
        """Raise an error in everything that waits, and in whatever is asked for from now on."""
        self._end = error
        for question in self._open.values():
            _settle(question.answer, error)

    # Own

    async def _ask(self, key: Key, message: Message, kind: type[Answer], is_lasting: bool) -> Answer:
        self.raise_if_ended()
        question = _Question(_checked(message), asyncio.get_running_loop().create_future(), is_lasting)
        self._open[key] = question
        self._post(question.frame)
        try:
            answer = await question.answer
        finally:
            del self._open[key]
        if not isinstance(answer, kind):
            raise ProtocolError(f"The server answered by {type(answer).__name__} where {kind.__name__} was due.")
        return answer


def new_id() -> CommandId:
    """Return an id that no other command has."""
    return CommandId(secrets.token_urlsafe(12))


def _settle(future: asyncio.Future[Message], result: Message | ClientError) -> None:
    if future.done():
        return
    if isinstance(result, ClientError):
        future.set_exception(result)
    else:
        future.set_result(result)


def _checked(command: Message) -> bytes:
    """Return a command's frame. A frame that no server would take is refused here, where it is known whose it was."""
    frame = encode(command)
    try:
        parse_client_message(frame)
    except MalformedError as error:
        raise RefusedError(Code.MALFORMED, str(error)) from None
    if len(frame) > MAX_FRAME_BYTES:
        raise RefusedError(Code.MALFORMED, f"The frame would be longer than {MAX_FRAME_BYTES} bytes.")
    return frame
