"""Desks: who follows which commands of a session.

A session hands each command to the desk that names its class; those that name none it obeys itself. So a kind of
message is added in the protocol, at its desk, and in the list that `server.app.application` makes.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..protocol import Message


class Desk(Protocol):
    """What follows commands of some classes."""

    @property
    def commands(self) -> tuple[type[Message], ...]:
        """The classes."""

    async def handle(self, command: Any, caller: Caller) -> None:
        """Follow a command, which is of one of the classes, and answer it. Raises: Refusal."""

    def leave(self, caller: PlayerSession) -> None:
        """Note that a connection is over."""


def by_command(desks: Iterable[Desk]) -> Mapping[type[Message], Desk]:
    """Return the desk for each class of command; no two may name the same."""
    found: dict[type[Message], Desk] = {}
    for desk in desks:
        for command in desk.commands:
            assert command not in found, command
            found[command] = desk
    return MappingProxyType(found)
