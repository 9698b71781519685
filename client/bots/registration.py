"""Registering the account of a bot, without a browser."""

from collections.abc import Callable
from typing import NamedTuple

from millrace.protocol import Scope

from ..connection import connect

BOT_SCOPES = (Scope.READ, Scope.PLAY, Scope.CHALLENGE, Scope.CHAT)
"""What the token of a bot may do."""


class BotAccount(NamedTuple):
    """The secrets of a new bot account."""

    token: str
    """The API token with which the bot connects."""
    recovery_codes: tuple[str, ...]
    """Each sets a new password once."""


async def register_bot(
    address: str, name: str, password: str, keep_codes: Callable[[tuple[str, ...]], None] = lambda _: None
) -> BotAccount:
    """Register an account at a server, turn it into a bot's, and create its token.

    `keep_codes` is called with the recovery codes as soon as there is an account, whatever fails later.

    Raises: RefusedError if the name or the password is not allowed, UnreachableError and other ClientErrors.
    """
    async with connect(address) as owner:
        await owner.account.register(name, password)
        keep_codes(owner.account.recovery_codes)
        await owner.account.become_bot()
        made = await owner.account.create_token("bot", BOT_SCOPES)
        return BotAccount(made.token, owner.account.recovery_codes)
