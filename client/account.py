"""The account of a player: making one, entering it, and the API tokens of bots and scripts.

Not the connection, which `client.connection` keeps up. What is asked here is not sent again when a connection breaks:
then ConnectionLostError is raised, and the next sign-in shows what has become of it.

    token = await sign_in("localhost:8000", "Beatrix", "correct horse battery")
    async with connect("localhost:8000", token=token) as me:
        made = await me.account.create_token("my bot", ["read", "play", "challenge"])
"""

from collections.abc import Callable, Sequence

from millrace.server.protocol import (
    AccountCommand,
    BecomeBot,
    ChangePassword,
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

from .requests import Answer, Requests, new_id


class AccountClient:
    """What a player may ask about accounts; got as `Connection.account`. Every method raises RefusedError."""

    def __init__(self, requests: Requests, entered: Callable[[SignedIn], None]) -> None:
        self._requests = requests
        self._entered = entered

    async def register(self, name: str, password: str) -> str:
        """Make an account of this guest, whose matches and seats go over to it.

        From now on this connection is the account's. Returns the token of its session, for `connect`.
        """
        answer = await self._ask(Register(new_id(), name, password), SignedIn)
        self._entered(answer)
        return answer.token

    async def sign_in(self, name: str, password: str) -> str:
        """Return the token of a new session of an account, for `connect`; this connection stays whose it is."""
        return (await self._ask(SignIn(new_id(), name, password), SignedIn)).token

    async def sign_out(self) -> None:
        """End this session; the server then closes every connection of it, this one too."""
        await self._ask(SignOut(new_id()), Done)

    async def change_password(self, password: str, new_password: str) -> None:
        """Change the password; every other session ends."""
        await self._ask(ChangePassword(new_id(), password, new_password), Done)

    async def delete(self, password: str) -> None:
        """Delete the account; matches that go on are given up, and the server closes this connection."""
        await self._ask(DeleteAccount(new_id(), password), Done)

    async def become_bot(self) -> None:
        """Make this account that of a bot, for ever; possible as long as it has had no seat in any match.

        Everyone hears of it at once, this connection with its next welcome.
        """
        await self._ask(BecomeBot(new_id()), Done)

    async def create_token(self, label: str, scopes: Sequence[Scope | str]) -> TokenCreated:
        """Ask for an API token, whose secret is `token`: it is told this once. Raises: ValueError for no scope."""
        wanted = tuple(Scope(scope) for scope in scopes)
        return await self._ask(CreateToken(new_id(), label, wanted), TokenCreated)

    async def tokens(self) -> tuple[TokenInfo, ...]:
        """Return the account's API tokens, without their secrets."""
        return (await self._ask(ListTokens(new_id()), Tokens)).tokens

    async def revoke_token(self, token_id: str) -> None:
        """Make an API token worthless; its connections are closed."""
        await self._ask(RevokeToken(new_id(), token_id), Done)

    async def _ask(self, command: AccountCommand, kind: type[Answer]) -> Answer:
        return await self._requests.ask(command, kind, is_lasting=False)
