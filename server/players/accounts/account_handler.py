"""The messages about accounts: registering, signing in and out, passwords, deletion, and API tokens.

Passwords and tokens are stored only as hashes, and never logged.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from millrace.protocol import (
    BecomeBot,
    ChangePassword,
    Code,
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
    SwitchableFeature,
    TokenCreated,
    Tokens,
)
from millrace.protocol.refusal import Refusal

from ...callers.answers import Answers, Memory, require_first
from ...callers.caller import Authentication, Caller, account_of
from ...callers.credentials import credential_of, new_deleted_player, new_scrubbed_identity
from ...callers.feature import Access, Feature, Route
from ...callers.limit import HOUR_MS, Limit
from ...callers.limits import Limits
from ...callers.names import check_name, skeleton_of
from ...callers.presence import Presence, SessionFilter, SessionsEnded
from ...callers.restrictions import Restrictions
from ...callers.sealing import sealing_key_of
from ...cluster.bus import Bus
from ...cluster.events import AccountDeleted
from ...journal.journal_store import Journal
from ...journal.unavailable import refusing_failures
from ...rooms.farewells import give_up
from ...rooms.rooms import Rooms
from ...runtime.system_clock import NowMs
from ...storage.database import Step
from .account_store import Account, AccountStore
from .hashing import PasswordHasherPool
from .known_places import KnownPlaces
from .password_login import PasswordLogin
from .password_rules import require_acceptable_password
from .stored_tokens import recovery_code_steps
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
    _answers: Answers

    def __post_init__(self) -> None:
        self._bus.subscribe(AccountDeleted, lambda event: self._places.forget(event.identity))
        self._hasher = PasswordHasherPool(self._limits)
        self.login = PasswordLogin(self._store, self._hasher, self._places, self._limits)
        """Checks passwords, also for other features."""
        self._tokens = TokenIssuer(self._store, self._now_ms, self._limits)
        once = self._answers.once
        self.routes = (
            Route(
                Register,
                once(self.register, is_secret=True),
                Access.SIGNED_IN,
                feature=SwitchableFeature.REGISTRATION,
            ),
            Route(SignIn, once(self.sign_in, is_secret=True), Access.SIGNED_IN),
            Route(SignOut, self.sign_out, Access.SIGNED_IN),
            Route(ChangePassword, once(self.change_password), Access.SIGNED_IN),
            Route(Recover, once(self.recover, is_secret=True), Access.SIGNED_IN),
            Route(RenewRecoveryCodes, once(self.renew_recovery_codes, is_secret=True), Access.SIGNED_IN),
            Route(DeleteAccount, self.delete_account, Access.SIGNED_IN),
            Route(BecomeBot, self.become_bot, Access.SIGNED_IN),
            Route(CreateToken, once(self.create_token, is_secret=True), Access.SIGNED_IN),
            Route(ListTokens, self.list_tokens, Access.SIGNED_IN),
            Route(RevokeToken, once(self.revoke_token), Access.SIGNED_IN),
        )

    async def close(self) -> None:
        """Stop the threads that hash passwords."""
        self._hasher.close()

    # Registering and signing in

    async def register(self, command: Register, caller: Caller, memory: Memory) -> SignedIn:
        """Turn the caller, a guest, into the owner of an account. Raises: Refusal."""
        guest = caller.player
        if guest.registered:
            raise Refusal(
                Code.SIGNED_IN, "You are signed in as {name}; sign out to create another account.", name=guest.name
            )
        check_name(command.name, self._reserved_names)
        require_acceptable_password(command.password, command.name)
        with refusing_failures("account not stored"):
            reply = await self._create(command, caller, memory)
            self._places.learn(guest.id, caller.connection_info.address)
            credential = credential_of(reply.token) if reply.token else None
            new_keys = (sealing_key_of(reply.token),) if reply.token else ()
            keys = (*caller.authentication.sealing_keys, *new_keys)
            caller.authenticate_as(Authentication(reply.player, reply.token, credential, sealing_keys=keys))
            explanation = f"You created the account {command.name}; please sign in."
            ended = SessionsEnded(guest.id, SessionFilter(), Code.GUEST_REGISTERED, explanation)
            self._presence.disconnect(ended, spared=caller)
            await self._rooms.rename(await self._journal.matches_of(guest.id))
        return reply

    async def sign_in(self, command: SignIn, caller: Caller, memory: Memory) -> SignedIn:
        """Send a token or ticket for an account. The caller's own connection does not change. Raises: Refusal."""
        with refusing_failures("account not read", "sign you in"):
            account = await self.login.check_password(command.name, command.password, caller)
            self._restrictions.require_unbanned(account.id)
            reply, step = self._signed_in(command, account)
            require_first(await self._store.carry_out(step, memory.step(reply)))
        return reply

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

    async def _create(self, command: Register, caller: Caller, memory: Memory) -> SignedIn:
        """Store a new account with its session and recovery codes; return the answer. Raises: Refusal, StorageError."""
        name_taken = Refusal(Code.NAME_TAKEN, "That name, or one that looks like it, is taken; please choose another.")
        skeleton = skeleton_of(command.name)
        if await self._store.find_named(skeleton) is not None:
            raise name_taken
        self._limits.use(REGISTRATIONS, caller)
        password_hash = await self._hasher.hash(command.password, caller.connection_info.address)
        account = Account(caller.identity, command.name, password_hash, self._now_ms())
        reply, session = self._signed_in(command, account)
        codes, steps = self._new_recovery_codes(account.id)
        reply = replace(reply, recovery_codes=codes)
        reserved_since_ms = self._now_ms() - RESERVED_MS
        if not await self._store.create(account, skeleton, reserved_since_ms, session, *steps, memory.step(reply)):
            raise name_taken
        return reply

    def _signed_in(self, command: Register | SignIn | Recover, account: Account) -> tuple[SignedIn, Step]:
        """Return the answer with a new session or ticket, and the step that stores it."""
        if command.browser:
            ticket, step = self._tokens.ticket(account.id)
            return SignedIn(command.id, account.player, "", ticket), step
        token, step = self._tokens.session(account.id)
        return SignedIn(command.id, account.player, token, ""), step

    # Changing and deleting an account

    async def change_password(self, command: ChangePassword, caller: Caller, memory: Memory) -> Done:
        """Change the password, and end the account's other sessions. Raises: Refusal."""
        owner, done = account_of(caller), Done(command.id)
        with refusing_failures("password not stored"):
            account = await self.login.check_password(owner.name, command.password, caller)
            require_acceptable_password(command.new_password, owner.name)
            password_hash = await self._hasher.hash(command.new_password, caller.connection_info.address)
            ends_api = command.revoke_tokens
            require_first(
                await self._store.change_password(
                    account.id, password_hash, caller.credential, memory.step(done), ends_api=ends_api
                )
            )
        others = SessionFilter(other_than=caller.credential, spares_api=not ends_api)
        explanation = "Your password was changed; please sign in again."
        self._presence.disconnect(SessionsEnded(account.id, others, Code.SIGNED_OUT, explanation), spared=caller)
        return done

    async def recover(self, command: Recover, caller: Caller, memory: Memory) -> SignedIn:
        """Change the password with a recovery code, end all sessions, and send a token or ticket. Raises: Refusal."""
        require_acceptable_password(command.new_password, command.name)
        code = credential_of_code(command.code)
        with refusing_failures("account not recovered", "recover your account"):
            account = await self.login.check_recovery_code(command.name, code, caller, self._now_ms())
            self._restrictions.require_unbanned(account.id)
            password_hash = await self._hasher.hash(command.new_password, caller.connection_info.address)
            reply, session = self._signed_in(command, account)
            steps, ends_api = (session, memory.step(reply)), command.revoke_tokens
            if not await self._store.recover(
                account.id, code, password_hash, self._now_ms(), *steps, ends_api=ends_api
            ):
                raise Refusal(Code.WRONG_PASSWORD, "This recovery code has just been used.")
            explanation = "Your password was changed; please sign in again."
            others = SessionFilter(spares_api=not ends_api)
            self._presence.disconnect(SessionsEnded(account.id, others, Code.SIGNED_OUT, explanation))
        return reply

    async def renew_recovery_codes(self, command: RenewRecoveryCodes, caller: Caller, memory: Memory) -> RecoveryCodes:
        """Send new recovery codes once, replacing the old ones. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("recovery codes not stored"):
            account = await self.login.check_password(owner.name, command.password, caller)
            codes, steps = self._new_recovery_codes(account.id)
            reply = RecoveryCodes(command.id, codes)
            require_first(await self._store.carry_out(*steps, memory.step(reply)))
        return reply

    def _new_recovery_codes(self, identity: IdentityId) -> tuple[tuple[str, ...], Sequence[Step]]:
        """Return new codes of an account, and the steps that replace the old ones."""
        codes = tuple(new_code() for _ in range(CODES))
        return codes, recovery_code_steps(identity, list(map(credential_of_code, codes)), self._now_ms())

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
        replacement, scrubbed = new_deleted_player(), new_scrubbed_identity()
        matches = await self._journal.matches_of(identity)
        await self._store.delete(identity, replacement, scrubbed, self._now_ms())
        self._bus.publish(AccountDeleted(identity, replacement))
        await self._rooms.rename(matches)

    # API tokens

    async def create_token(self, command: CreateToken, caller: Caller, memory: Memory) -> TokenCreated:
        """Send a new API token once. Raises: Refusal."""
        account_of(caller)
        with refusing_failures("token not stored"):
            token, info, step = await self._tokens.api_token(caller, command)
            reply = TokenCreated(command.id, token, info)
            require_first(await self._store.carry_out(step, memory.step(reply)))
        return reply

    async def list_tokens(self, command: ListTokens, caller: Caller) -> None:
        """Send the account's API tokens without the secrets. Raises: Refusal."""
        with refusing_failures("tokens not read", "read your tokens"):
            caller.send(Tokens(command.id, await self._tokens.api_tokens(account_of(caller).id)))

    async def revoke_token(self, command: RevokeToken, caller: Caller, memory: Memory) -> Done:
        """Revoke an API token, and end its connections. Raises: Refusal."""
        owner, done = account_of(caller), Done(command.id)
        with refusing_failures("token not revoked", "revoke the token"):
            credential = await self._tokens.revoke(owner.id, command.token_id, memory.step(done))
        explanation = "This token was revoked."
        ended = SessionsEnded(owner.id, SessionFilter(credential=credential), Code.SIGNED_OUT, explanation)
        self._presence.disconnect(ended)
        return done
