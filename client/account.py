"""The account of a player: making one, entering it, and the API tokens of bots and scripts.

Not the connection, which `client.connection` keeps up. What is asked here is not sent again when a connection breaks:
then ConnectionLostError is raised, and the next sign-in shows what has become of it.

    token = await sign_in("localhost:8000", "Beatrix", "correct horse battery")
    async with connect("localhost:8000", token=token) as me:
        made = await me.account.create_token("my bot", ["read", "play", "challenge"])
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from client.asking import new_id, settle
from client.errors import ClientError, ProtocolError
from server.protocol import (
    AccountCommand,
    BecomeBot,
    ChangePassword,
    CommandId,
    CreateToken,
    DeleteAccount,
    Done,
    ListTokens,
    Register,
    RevokeToken,
    Scope,
    SignedIn,
    SignIn,
    SignOut,
    TokenCreated,
    TokenInfo,
    Tokens,
)

_Answer = TypeVar("_Answer", SignedIn, TokenCreated, Tokens, Done)


class AccountClient:
    """What a player may ask about accounts; got as `Connection.account`. Every method raises RefusedError."""

    def __init__(self, send: Callable[[AccountCommand], None], entered: Callable[[SignedIn], None]) -> None:
        self._send = send
        self._entered = entered
        self._waiting: dict[CommandId, asyncio.Future[object]] = {}

    async def register(self, name: str, password: str) -> str:
        """Make an account of this guest, whose matches and seats go over to it.

        From now on this connection is the account's. Returns the token of its session, for `connect`.
        """
        answer = _of(SignedIn, await self._ask(Register(new_id(), name, password)))
        self._entered(answer)
        return answer.token

    async def sign_in(self, name: str, password: str) -> str:
        """Return the token of a new session of an account, for `connect`; this connection stays whose it is."""
        return _of(SignedIn, await self._ask(SignIn(new_id(), name, password))).token

    async def sign_out(self) -> None:
        """End this session; the server then closes every connection of it, this one too."""
        _of(Done, await self._ask(SignOut(new_id())))

    async def change_password(self, password: str, new_password: str) -> None:
        """Change the password; every other session ends."""
        _of(Done, await self._ask(ChangePassword(new_id(), password, new_password)))

    async def delete(self, password: str) -> None:
        """Delete the account; matches that go on are given up, and the server closes this connection."""
        _of(Done, await self._ask(DeleteAccount(new_id(), password)))

    async def become_bot(self) -> None:
        """Make this account that of a bot, for ever; possible as long as it has had no seat in any match.

        Everyone hears of it at once, this connection with its next welcome.
        """
        _of(Done, await self._ask(BecomeBot(new_id())))

    async def create_token(self, label: str, scopes: Sequence[Scope | str]) -> TokenCreated:
        """Ask for an API token, whose secret is `token`: it is told this once. Raises: ValueError for no scope."""
        wanted = tuple(Scope(scope) for scope in scopes)
        return _of(TokenCreated, await self._ask(CreateToken(new_id(), label, wanted)))

    async def tokens(self) -> tuple[TokenInfo, ...]:
        """Return the account's API tokens, without their secrets."""
        return _of(Tokens, await self._ask(ListTokens(new_id()))).tokens

    async def revoke_token(self, token_id: str) -> None:
        """Make an API token worthless; its connections are closed."""
        _of(Done, await self._ask(RevokeToken(new_id(), token_id)))

    # For the connection

    def answered(self, command: CommandId, result: object) -> bool:
        """Hand an answer to who waits for it, and return whether anybody does."""
        if command not in self._waiting:
            return False
        settle(self._waiting[command], result)
        return True

    def fail(self, error: ClientError) -> None:
        """Raise `error` in everything that waits."""
        for answer in self._waiting.values():
            settle(answer, error)

    # Own

    async def _ask(self, command: AccountCommand) -> object:
        answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._send(command)
        self._waiting[command.id] = answer
        try:
            return await answer
        finally:
            del self._waiting[command.id]


def _of(kind: type[_Answer], answer: object) -> _Answer:
    if not isinstance(answer, kind):
        raise ProtocolError(f"The server answered by {type(answer).__name__} where {kind.__name__} was due.")
    return answer
