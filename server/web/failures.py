"""The refusals of messages whose answers failed, and what a refusal names of its message."""

from collections.abc import Mapping

import msgspec
import structlog

from millrace.protocol import ClientMessage, Code, CommandId, MatchId
from millrace.protocol.refusal import Refusal

from ..journal.unavailable import refusal_of
from ..storage.errors import StorageError

log = structlog.get_logger()


class Envelope(msgspec.Struct):
    """The fields of a message that its refusal names."""

    id: CommandId | None = None
    match: MatchId | None = None

    @property
    def names_anything(self) -> bool:
        """Whether a client can find out from it what was refused."""
        return self.id is not None or self.match is not None


def envelope_of(message: ClientMessage) -> Envelope:
    """Return what a refusal names of a message."""
    return Envelope(getattr(message, "id", None), getattr(message, "match", None))


def envelope_in(frame: str | bytes) -> Envelope:
    """Return what a refusal names of a frame that is no message."""
    try:
        return msgspec.json.decode(frame, type=Envelope)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Envelope()


def refusal_of_failure(message: ClientMessage, error: BaseException, ids: Mapping[str, str]) -> Refusal:
    """Log why a message could not be answered, once, and return its refusal; `ids` are further ones for the log."""
    if isinstance(error, Refusal) and not isinstance(error.__context__, StorageError):
        return error
    envelope = envelope_of(message)
    about = {"request": envelope.id, "match": envelope.match, **ids}
    logged = log.bind(message_kind=type(message).__name__, **{name: each for name, each in about.items() if each})
    if isinstance(error, StorageError):
        logged.error("message failed", error=str(error))
        return refusal_of(error, "The server cannot do this right now; please try again.")
    if isinstance(error, Refusal):
        # What failed has been logged where it failed, without knowing for whom.
        logged.warning("message refused", error=error.message)
        return error
    logged.error("message failed", exc_info=error)
    return Refusal(
        Code.INTERNAL_ERROR, "Something went wrong on the server. It has been logged; please try again later."
    )
