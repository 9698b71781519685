"""Accounts: registering, signing in, and the API tokens of bots and scripts.

These requests are not repeated after a broken connection, but raise ConnectionLostError. The next sign-in shows whether
they took effect.

    token = await sign_in("localhost:8000", "Beatrix", "correct horse battery")
    async with connect("localhost:8000", token=token) as me:
        made = await me.account.create_token("my bot", ["read", "play", "challenge"])
"""

from collections.abc import Callable, Sequence

from millrace import protocol

from .requests import Answer, Requests, new_id


class AccountClient:
    """Requests about the player's account; `Connection.account` is one. Every method raises RefusedError."""

    def __init__(self, requests: Requests, become: Callable[[protocol.SignedIn], None]) -> None:
        self._requests = requests
        self._become = become
        self.recovery_codes: tuple[str, ...] = ()
        """The recovery codes of an account that this connection registered."""

    async def register(self, name: str, password: str) -> str:
        """Register an account for this guest, which keeps its matches and seats.

        This connection continues as the account's. Returns the token of its session, for `connect`. `recovery_codes`
        then has the account's recovery codes, which cannot be requested again.
        """
        answer = await self._ask(protocol.Register(new_id(), name, password), protocol.SignedIn)
        self._become(answer)
        self.recovery_codes = answer.recovery_codes
        return answer.token

    async def choose_name(self, name: str) -> None:
        """Choose a new name after moderators removed the old one."""
        await self._ask(protocol.ChooseName(new_id(), name), protocol.Done)

    async def sign_in(self, name: str, password: str) -> str:
        """Sign in to an account and return the session's token, for `connect`. This connection does not change."""
        return (await self._ask(protocol.SignIn(new_id(), name, password), protocol.SignedIn)).token

    async def recover(self, name: str, code: str, new_password: str, *, revoke_tokens: bool = False) -> str:
        """Set a new password with a recovery code. This ends every session, and may revoke the API tokens.

        Returns the token of a new session, for `connect`. This connection does not change.
        """
        command = protocol.Recover(new_id(), name, code, new_password, revoke_tokens=revoke_tokens)
        return (await self._ask(command, protocol.SignedIn)).token

    async def renew_recovery_codes(self, password: str) -> tuple[str, ...]:
        """Replace the account's recovery codes and return the new ones, which are shown only here."""
        return (await self._ask(protocol.RenewRecoveryCodes(new_id(), password), protocol.RecoveryCodes)).codes

    async def sign_out(self) -> None:
        """End this session. The server closes all its connections, including this one."""
        await self._ask(protocol.SignOut(new_id()), protocol.Done)

    async def change_password(self, password: str, new_password: str, *, revoke_tokens: bool = False) -> None:
        """Change the password, end every other session, and perhaps revoke the API tokens."""
        await self._ask(protocol.ChangePassword(new_id(), password, new_password, revoke_tokens), protocol.Done)

    async def delete(self, password: str) -> None:
        """Delete the account and resign its running matches. The server closes this connection."""
        await self._ask(protocol.DeleteAccount(new_id(), password), protocol.Done)

    async def email(self) -> protocol.Email:
        """Return the confirmed e-mail address, and whether this server sends e-mail."""
        return await self._ask(protocol.GetEmail(new_id()), protocol.Email)

    async def set_email(self, address: str, password: str) -> None:
        """Set the e-mail address, once it is confirmed with the code sent there; empty removes it at once."""
        await self._ask(protocol.SetEmail(new_id(), address, password), protocol.Done)

    async def confirm_email(self, code: str) -> None:
        """Confirm an e-mail address with the code that was sent there."""
        await self._ask(protocol.ConfirmEmail(new_id(), code), protocol.Done)

    async def mail_recovery_code(self, name: str) -> None:
        """Have a recovery code for `recover` sent to the e-mail address of an account.

        It is valid for half an hour. Nothing tells whether there are such an account and address.
        """
        await self._ask(protocol.MailRecoveryCode(new_id(), name), protocol.Done)

    async def become_bot(self) -> None:
        """Turn this account into a bot account, permanently. It must not have played any match.

        Other players see it at once; `Connection.player` shows it after the next reconnection.
        """
        await self._ask(protocol.BecomeBot(new_id()), protocol.Done)

    async def create_token(self, label: str, scopes: Sequence[protocol.Scope | str]) -> protocol.TokenCreated:
        """Create an API token. Its secret, `token`, is returned only here. Raises: ValueError for an unknown scope."""
        wanted = tuple(protocol.Scope(scope) for scope in scopes)
        return await self._ask(protocol.CreateToken(new_id(), label, wanted), protocol.TokenCreated)

    async def tokens(self) -> tuple[protocol.TokenInfo, ...]:
        """Return the account's API tokens, without their secrets."""
        return (await self._ask(protocol.ListTokens(new_id()), protocol.Tokens)).tokens

    async def revoke_token(self, token_id: str) -> None:
        """Revoke an API token and close its connections."""
        await self._ask(protocol.RevokeToken(new_id(), token_id), protocol.Done)

    async def _ask(self, command: protocol.AccountCommand | protocol.EmailCommand, kind: type[Answer]) -> Answer:
        return await self._requests.ask(command, kind, is_repeated=False)
