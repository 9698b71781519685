"""Commands that take effect once: the answer is stored with the effect, and sent again if the command is.

For every command whose effect is not repeated harmlessly, as setting a profile is, and that no key of a table
identifies, as it does a match's events, chat lines and reports.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from millrace.protocol import Code, CommandId, Message, encode
from millrace.protocol.frames import wire_frame
from millrace.protocol.refusal import Refusal

from ..journal.unavailable import refusing_failures
from ..runtime.system_clock import NowMs
from ..storage.database import Step
from .answer_store import AnswerStore, Asked, answering_step
from .caller import Caller
from .sealing import seal, unseal

KEPT_MS = 24 * 3_600_000
"""Age at which an answer is forgotten."""


class Command(Protocol):
    """A message with an id."""

    @property
    def id(self) -> CommandId:
        """The id, which its sender chooses anew for each command."""


C = TypeVar("C", bound=Command)


def require_first(is_stored: bool) -> None:
    """Refuse a command whose effect could only fail because its answer was stored meanwhile. Raises: Refusal."""
    if not is_stored:
        raise Refusal(Code.UNAVAILABLE, "The server is too busy. Nothing was changed; please try again.")


@dataclass(frozen=True, slots=True)
class Memory:
    """Remembers the answer to one command."""

    _store: AnswerStore
    _asked: Asked
    _now_ms: NowMs
    _write: Callable[[Message], str]

    def step(self, answer: Message) -> Step:
        """Return the step of the effect's transaction that stores the answer.

        It violates a constraint if the same command has been carried out meanwhile; then the handler's refusal is
        replaced by that answer.
        """
        return answering_step(self._asked, self._write(answer), self._now_ms())

    async def keep(self, answer: Message) -> None:
        """Store the answer to a command whose effect is stored already, and not repeated. Raises: StorageError."""
        await self._store.put(self._asked, self._write(answer), self._now_ms())


Handle = Callable[[C, Caller, Memory], Awaitable[Message]]
"""Carries out a command, stores its answer with its effect, and returns it. Raises: Refusal."""


class Answers:
    """Makes handlers carry out each command once."""

    def __init__(self, store: AnswerStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms

    def once(self, handle: Handle[C], *, is_secret: bool = False) -> Callable[[C, Caller], Awaitable[None]]:
        """Return a handler that carries out a command once and answers it each time.

        With `is_secret`, only the token with which the command was sent gets the answer again, for the same command.
        """

        async def answer(command: C, caller: Caller) -> None:
            assert isinstance(command, Message)
            asked = Asked(caller.identity, command.id, str(type(command).__struct_config__.tag))
            about, keys = encode(command), caller.authentication.sealing_keys

            def write(reply: Message) -> str:
                return seal(encode(reply), about, keys[-1]) if is_secret else encode(reply).decode()

            async def find() -> bytes | None:
                with refusing_failures("answers not read"):
                    stored = await self._store.find(asked)
                if stored is None:
                    return None
                found = unseal(stored, about, keys) if is_secret else stored.encode()
                if found is None:
                    raise Refusal(Code.NOTHING_TO_DO, "This was done already, by a command with the same id.")
                return found

            found = await find()
            if found is None:
                try:
                    reply = await handle(command, caller, Memory(self._store, asked, self._now_ms, write))
                except Refusal:
                    # Perhaps because the same command, on another connection, was first.
                    found = await find()
                    if found is None:
                        raise
                else:
                    found = await find() or encode(reply)
            caller.deliver((wire_frame(found),))

        return answer
