"""The messages about accounts: registering, signing in and out, passwords, deletion, and API tokens.

Passwords and tokens are stored only as hashes, and never logged.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from millrace.protocol import (
    BecomeBot,
    ChangePassword,
    Code,
    CommandId,
    CreateToken,
    DeleteAccount,
    Done,
    IdentityId,
    ListTokens,
    Recover,
    RecoveryCodes,
    Register,
    RenewRecoveryCodes,
    RevokeToken,
    SignedIn,
    SignIn,
    SignOut,
    TokenCreated,
    Tokens,
)
from millrace.protocol.refusal import Refusal

from ...callers.caller import Authentication, Caller, account_of
from ...callers.credentials import credential_of, new_deleted_player
from ...callers.feature import Access, Feature, Route
from ...callers.limit import HOUR_MS, Limit
from ...callers.limits import Limits
from ...callers.names import check_name, skeleton_of
from ...callers.presence import Presence, SessionFilter, SessionsEnded
from ...callers.restrictions import Restrictions
from ...cluster.bus import Bus
from ...cluster.events import AccountDeleted
from ...journal.journal_store import Journal
from ...journal.unavailable import refusing_failures
from ...rooms.farewells import give_up
from ...rooms.rooms import Rooms
from ...runtime.system_clock import NowMs
from .account_store import Account, AccountStore
from .hashing import PasswordHasherPool
from .known_places import KnownPlaces
from .password_login import PasswordLogin
from .password_rules import require_acceptable_password
from .tokens import CODES, TokenIssuer, credential_of_code, new_code

RESERVED_MS = 90 * 24 * 3_600_000
"""Time for which the name of a deleted account stays reserved."""
REGISTRATIONS = Limit(
    name="registrations",
    counts="accounts created",
    refusal="Too many accounts were created from your address.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=HOUR_MS,
    address=20,
)


@dataclass(eq=False)
class AccountHandler(Feature):
    """Answers the messages about accounts."""

    _store: AccountStore
    _journal: Journal
    _presence: Presence
    _rooms: Rooms
    _restrictions: Restrictions
    _bus: Bus
    _now_ms: NowMs
    _reserved_names: Sequence[str]
    _places: KnownPlaces
    _limits: Limits

    def __post_init__(self) -> None:
        self._bus.subscribe(AccountDeleted, lambda event: self._places.forget(event.identity))
        self._hasher = PasswordHasherPool(self._limits)
        self.login = PasswordLogin(self._store, self._hasher, self._places, self._limits)
        """Checks passwords, also for other features."""
        self._tokens = TokenIssuer(self._store, self._now_ms, self._limits)
        self.routes = (
            Route(Register, self.register, Access.SIGNED_IN),
            Route(SignIn, self.sign_in, Access.SIGNED_IN),
            Route(SignOut, self.sign_out, Access.SIGNED_IN),
            Route(ChangePassword, self.change_password, Access.SIGNED_IN),
            Route(Recover, self.recover, Access.SIGNED_IN),
            Route(RenewRecoveryCodes, self.renew_recovery_codes, Access.SIGNED_IN),
            Route(DeleteAccount, self.delete_account, Access.SIGNED_IN),
            Route(BecomeBot, self.become_bot, Access.SIGNED_IN),
            Route(CreateToken, self.create_token, Access.SIGNED_IN),
            Route(ListTokens, self.list_tokens, Access.SIGNED_IN),
            Route(RevokeToken, self.revoke_token, Access.SIGNED_IN),
        )

    async def close(self) -> None:
        """Stop the threads that hash passwords."""
        self._hasher.close()

    # Registering and signing in

    async def register(self, command: Register, caller: Caller) -> None:
        """Turn the caller, a guest, into the owner of an account. Raises: Refusal."""
        guest = caller.player
        if guest.registered:
            raise Refusal(
                Code.SIGNED_IN, "You are signed in as {name}; sign out to create another account.", name=guest.name
            )
        check_name(command.name, self._reserved_names)
        require_acceptable_password(command.password, command.name)
        with refusing_failures("account not stored"):
            account = await self._create(command, caller)
            self._places.learn(account.id, caller.connection_info.address)
            reply = await self._signed_in(command.id, account, command.browser)
            reply = replace(reply, recovery_codes=await self._new_recovery_codes(account.id))
            credential = credential_of(reply.token) if reply.token else None
            caller.authenticate_as(Authentication(account.player, reply.token, credential))
            explanation = f"You created the account {account.name}; please sign in."
            ended = SessionsEnded(guest.id, SessionFilter(), Code.GUEST_REGISTERED, explanation)
            self._presence.disconnect(ended, spared=caller)
            await self._rooms.rename(await self._journal.matches_of(guest.id))
        caller.send(reply)

    async def sign_in(self, command: SignIn, caller: Caller) -> None:
        """Send a token or ticket for an account. The caller's own connection does not change. Raises: Refusal."""
        with refusing_failures("account not read", "sign you in"):
            account = await self.login.check_password(command.name, command.password, caller)
            self._restrictions.require_unbanned(account.id)
            caller.send(await self._signed_in(command.id, account, command.browser))

    async def sign_out(self, command: SignOut, caller: Caller) -> None:
        """End the caller's session, and its other connections. Raises: Refusal."""
        owner, credential = account_of(caller), caller.credential
        if credential is not None:
            with refusing_failures("session not revoked", "sign you out"):
                await self._store.revoke(credential)
        caller.send(Done(command.id))
        explanation = "You have signed out."
        if credential is None:
            caller.disconnect(Code.SIGNED_OUT, explanation)
        else:
            ended = SessionsEnded(owner.id, SessionFilter(credential=credential), Code.SIGNED_OUT, explanation)
            self._presence.disconnect(ended)

    async def _create(self, command: Register, caller: Caller) -> Account:
        """Store a new account. Raises: Refusal, StorageError."""
        name_taken = Refusal(Code.NAME_TAKEN, "That name, or one that looks like it, is taken; please choose another.")
        skeleton = skeleton_of(command.name)
        if await self._store.find_named(skeleton) is not None:
            raise name_taken
        self._limits.use(REGISTRATIONS, caller)
        password_hash = await self._hasher.hash(command.password, caller.connection_info.address)
        account = Account(caller.identity, command.name, password_hash, self._now_ms())
        if not await self._store.create(account, skeleton, self._now_ms() - RESERVED_MS):
            raise name_taken
        return account

    async def _signed_in(self, command: CommandId, account: Account, browser: bool) -> SignedIn:
        if browser:
            return SignedIn(command, account.player, "", await self._tokens.ticket(account.id))
        return SignedIn(command, account.player, await self._tokens.session(account.id), "")

    # Changing and deleting an account

    async def change_password(self, command: ChangePassword, caller: Caller) -> None:
        """Change the password, and end the account's other sessions. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("password not stored"):
            account = await self.login.check_password(owner.name, command.password, caller)
            require_acceptable_password(command.new_password, owner.name)
            password_hash = await self._hasher.hash(command.new_password, caller.connection_info.address)
            await self._store.change_password(account.id, password_hash, caller.credential)
        others = SessionFilter(other_than=caller.credential, spares_api=True)
        explanation = "Your password was changed; please sign in again."
        self._presence.disconnect(SessionsEnded(account.id, others, Code.SIGNED_OUT, explanation), spared=caller)
        caller.send(Done(command.id))

    async def recover(self, command: Recover, caller: Caller) -> None:
        """Change the password with a recovery code, end all sessions, and send a token or ticket. Raises: Refusal."""
        require_acceptable_password(command.new_password, command.name)
        code = credential_of_code(command.code)
        with refusing_failures("account not recovered", "recover your account"):
            account = await self.login.check_recovery_code(command.name, code, caller, self._now_ms())
            self._restrictions.require_unbanned(account.id)
            password_hash = await self._hasher.hash(command.new_password, caller.connection_info.address)
            if not await self._store.recover(account.id, code, password_hash, self._now_ms()):
                raise Refusal(Code.WRONG_PASSWORD, "This recovery code has just been used.")
            explanation = "Your password was changed; please sign in again."
            ended = SessionsEnded(account.id, SessionFilter(spares_api=True), Code.SIGNED_OUT, explanation)
            self._presence.disconnect(ended)
            caller.send(await self._signed_in(command.id, account, command.browser))

    async def renew_recovery_codes(self, command: RenewRecoveryCodes, caller: Caller) -> None:
        """Send new recovery codes once, replacing the old ones. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("recovery codes not stored"):
            account = await self.login.check_password(owner.name, command.password, caller)
            codes = await self._new_recovery_codes(account.id)
        caller.send(RecoveryCodes(command.id, codes))

    async def _new_recovery_codes(self, identity: IdentityId) -> tuple[str, ...]:
        """Return new codes of an account, replacing the old ones. Raises: StorageError."""
        codes = tuple(new_code() for _ in range(CODES))
        await self._store.replace_recovery_codes(identity, [credential_of_code(code) for code in codes], self._now_ms())
        return codes

    async def become_bot(self, command: BecomeBot, caller: Caller) -> None:
        """Turn the account into a bot account, on all its connections. Raises: Refusal."""
        owner = account_of(caller)
        if not owner.bot:
            with refusing_failures("bot account not stored"):
                if not await self._store.become_bot(owner.id):
                    raise Refusal(
                        Code.HAS_PLAYED, "This account has played already; please create another one for your bot."
                    )
            self._presence.update_player(replace(owner, bot=True))
        caller.send(Done(command.id))

    async def delete_account(self, command: DeleteAccount, caller: Caller) -> None:
        """Delete the account after resigning its unfinished matches. Raises: Refusal."""
        owner = account_of(caller)
        explanation = "Your account was deleted."
        with refusing_failures("account not deleted", "delete your account"):
            account = await self.login.check_password(owner.name, command.password, caller)
            ended = SessionsEnded(account.id, SessionFilter(), Code.SIGNED_OUT, explanation)
            self._presence.disconnect(ended, spared=caller)
            for match in await self._journal.matches_of(account.id, unfinished=True):
                await give_up(await self._rooms.find(match), account.player)
            await self._delete(account.id)
        caller.send(Done(command.id))
        caller.disconnect(Code.SIGNED_OUT, explanation)

    async def _delete(self, identity: IdentityId) -> None:
        """Delete an account and everything stored about its owner. Raises: Refusal, StorageError."""
        replacement, scrubbed = new_deleted_player(), IdentityId(f"scrubbed-{secrets.token_hex(12)}")
        matches = await self._journal.matches_of(identity)
        await self._store.delete(identity, replacement, scrubbed, self._now_ms())
        self._bus.publish(AccountDeleted(identity, replacement))
        await self._rooms.rename(matches)

    # API tokens

    async def create_token(self, command: CreateToken, caller: Caller) -> None:
        """Send a new API token once. Raises: Refusal."""
        account_of(caller)
        with refusing_failures("token not stored"):
            token, info = await self._tokens.api_token(caller, command)
        caller.send(TokenCreated(command.id, token, info))

    async def list_tokens(self, command: ListTokens, caller: Caller) -> None:
        """Send the account's API tokens without the secrets. Raises: Refusal."""
        with refusing_failures("tokens not read", "read your tokens"):
            caller.send(Tokens(command.id, await self._tokens.api_tokens(account_of(caller).id)))

    async def revoke_token(self, command: RevokeToken, caller: Caller) -> None:
        """Revoke an API token, and end its connections. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("token not revoked", "revoke the token"):
            credential = await self._tokens.revoke(owner.id, command.token_id)
        explanation = "This token was revoked."
        if credential is not None:
            ended = SessionsEnded(owner.id, SessionFilter(credential=credential), Code.SIGNED_OUT, explanation)
            self._presence.disconnect(ended)
        caller.send(Done(command.id))
