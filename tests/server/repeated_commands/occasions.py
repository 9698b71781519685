"""Occasions of commands: what comes before one, who sends it, and its fields."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import NamedTuple

from millrace.protocol import Message, ModerationAction
from tests.server.in_process_server import Frame, Served, SteppedClock, Visitor
from tests.server.moderation.console import Console
from tests.server.players.accounts.registered_players import PASSWORD, register
from tests.server.players.mail.mail_server import MailServer


class Command(NamedTuple):
    """A command that a player is about to send."""

    by: Visitor
    fields: Frame


class World:
    """The server on which the occasions are made."""

    def __init__(self, served: Served, clock: SteppedClock, console: Console, mails: MailServer) -> None:
        self.served = served
        self.clock = clock
        self.console = console
        self.mails = mails
        self._numbers = count(1)

    async def guest(self) -> Visitor:
        """Return a new guest."""
        return await self.served.visitor()

    async def guests(self) -> tuple[Visitor, Visitor]:
        """Return two new guests."""
        return await self.guest(), await self.guest()

    def name(self) -> str:
        """Return a new name."""
        return f"Name{next(self._numbers):03}xyz"

    async def owner(self) -> Visitor:
        """Return a visitor with a new account."""
        return await register(self.served, self.name())

    async def moderator(self) -> Visitor:
        """Return a new moderator."""
        owner = await self.owner()
        await self.console.do(ModerationAction.MAKE_MODERATOR, owner.player["name"])
        await owner.hear_until("your_restrictions")
        return owner

    async def with_mailed_code(self) -> tuple[Visitor, str]:
        """Return an owner, and the code to confirm an e-mail address that was sent there."""
        owner = await self.owner()
        address = f"{owner.player['name']}@example.org"
        await owner.ask("set_email", address=address, password=PASSWORD)
        while (mail := await self.mails.mails.get()).to != address:
            pass
        return owner, mail.code


Occasion = Callable[[World], Awaitable[Command]]
OCCASIONS: dict[type[Message], Occasion] = {}
"""By the type of the command."""


def on(kind: type[Message]) -> Callable[[Occasion], Occasion]:
    """Register the occasion of a command."""

    def register_occasion(occasion: Occasion) -> Occasion:
        assert kind not in OCCASIONS
        OCCASIONS[kind] = occasion
        return occasion

    return register_occasion
