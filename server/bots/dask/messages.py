"""The messages between servers, the scheduler and workers of a cluster: strings and numbers, as MessagePack.

Nothing is pickled, and no functions are sent: methods are called by name in the receiver's package. So servers,
scheduler and workers may have different releases with the same `VERSION`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from millrace.engine import game

from ..requests import (
    AnalysisResult,
    BotError,
    BotRequest,
    DrawnEnding,
    EndingJudgement,
    RequestHandler,
    TablebaseLookup,
)
from ..worker_process import RequestMethod

VERSION = 1
"""Version of requests and answers. Others are refused: increase it when an older release would misunderstand a
message.
"""

METHODS: Mapping[str, tuple[RequestMethod[Any], Any]] = MappingProxyType(
    {
        "choose": (RequestHandler.choose, str),
        "evaluate": (RequestHandler.evaluate, int),
        "analyse": (RequestHandler.analyse, AnalysisResult),
        "look_up": (RequestHandler.look_up, TablebaseLookup),
        "draw_endings": (RequestHandler.draw_endings, tuple[DrawnEnding, ...]),
        "judge_ending": (RequestHandler.judge_ending, EndingJudgement | None),
        "ponder": (RequestHandler.ponder, None),
    }
)
"""The methods of `RequestHandler` and the types of their answers, by name."""


class Ask(msgspec.Struct, tag=True, frozen=True):
    """A server asks for a search."""

    number: int
    method: str
    request: BotRequest


class Withdraw(msgspec.Struct, tag=True, frozen=True):
    """A server withdraws a request."""

    number: int


class Answered(msgspec.Struct, tag=True, frozen=True):
    """A request has its answer."""

    number: int
    answer: msgspec.Raw


class Failed(msgspec.Struct, tag=True, frozen=True):
    """A request has no answer."""

    number: int
    error: str
    """The name of the error, such as `IllegalMoveError`."""
    words: str


class Status(msgspec.Struct, tag=True, frozen=True):
    """The scheduler's report to every server at intervals, even without changes."""

    workers: int
    """Worker processes that can search."""
    is_busy: bool
    """Whether a bot's move in a match with a human player waits for a worker."""
    received: int | None = None
    """How many of the server's messages have arrived; None from a scheduler of an older release."""


class Refused(msgspec.Struct, tag=True, frozen=True):
    """The scheduler refuses a server."""

    words: str


FromServer: TypeAlias = Ask | Withdraw
FromScheduler: TypeAlias = Answered | Failed | Status | Refused

encode = msgspec.msgpack.Encoder().encode
decode_from_server = msgspec.msgpack.Decoder(FromServer).decode
decode_from_scheduler = msgspec.msgpack.Decoder(FromScheduler).decode
decode_request = msgspec.msgpack.Decoder(BotRequest).decode


def decode_answer(method: str, answer: bytes | msgspec.Raw) -> Any:
    """Return the answer of a method. Raises: msgspec.DecodeError."""
    return msgspec.msgpack.decode(answer, type=METHODS[method][1])


def error_of(name: str, words: str) -> Exception:
    """Return an error by its name: an engine error about an invalid request, or else a BotError."""
    kind = getattr(game, name, None)
    if isinstance(kind, type) and issubclass(kind, game.EngineError):
        return kind(words)
    return BotError(words)
