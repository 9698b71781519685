"""The stored answers to commands, for those that are sent again."""

from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Index, Text, delete, insert, select
from sqlalchemy.dialects import postgresql

from millrace.protocol import CommandId, IdentityId, Player

from ..storage.database import Step, Store
from ..storage.tables import define_table, required


class Asked(NamedTuple):
    """A command that a player has sent."""

    identity: IdentityId
    command_id: CommandId
    kind: str
    """The type of the message."""


answers = define_table(
    "answers",
    ["identity", "command_id", "kind"],
    *required(Text, "identity", "command_id", "kind", "answer"),
    *required(BigInteger, "at_ms"),
)
"""The answers to commands, each stored with its effect: messages as JSON, sealed if they have secrets."""

Index("answers_at", answers.c.at_ms)


class AnswerStore(Store):
    """The stored answers. Every method raises StorageError."""

    async def find(self, asked: Asked) -> str | None:
        """Return the answer to a command, if it was carried out."""
        return await self._database.value(str, select(answers.c.answer).where(*_is_to(asked)))

    async def put(self, asked: Asked, answer: str, at_ms: int) -> None:
        """Store the answer to a command, unless it has one."""
        values = {**asked._asdict(), "answer": answer, "at_ms": at_ms}
        await self._database.execute(postgresql.insert(answers).values(values).on_conflict_do_nothing())

    async def delete_before(self, at_ms: int) -> None:
        """Delete the answers from before a time."""
        await self._database.execute(delete(answers).where(answers.c.at_ms < at_ms))


def answering_step(asked: Asked, answer: str, at_ms: int) -> Step:
    """Return the step that stores the answer to a command, and violates a constraint if it has one."""
    return Step(insert(answers).values(**asked._asdict(), answer=answer, at_ms=at_ms))


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete the answers to a player."""
    return [Step(delete(answers).where(answers.c.identity == identity))]


def _is_to(asked: Asked) -> list[ColumnElement[bool]]:
    return [answers.c[name] == value for name, value in asked._asdict().items()]
