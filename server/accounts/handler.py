"""The desk where accounts are made, entered, changed and deleted.

It answers messages about accounts; who a connection is finds `server.accounts.authentication`. Secrets pass through
here and are stored as hashes alone; none is ever logged or part of an event.
"""

import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import get_args

from msgspec.structs import replace

from ..identity.caller import Authentication, Caller
from ..identity.credentials import credential_of, new_deleted_player
from ..identity.names import BadNameError, check_name, skeleton_of
from ..identity.presence import PlayerSession, Presence
from ..journal.store import Journal
from ..journal.unavailable import refusing_failures
from ..protocol import (
    AccountCommand,
    BecomeBot,
    ChangePassword,
    ChooseName,
    Code,
    CommandId,
    CreateToken,
    DeleteAccount,
    Done,
    IdentityId,
    ListTokens,
    Player,
    Register,
    RevokeToken,
    SignedIn,
    SignIn,
    SignOut,
    TokenCreated,
    Tokens,
)
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .hashing import Hasher
from .password_login import PasswordLogin
from .passwords import BadPasswordError, check_password
from .rate_limits import SlidingWindow
from .restrictions import Restrictions
from .store import Account, AccountStore
from .tokens import TokenIssuer

RESERVED_MS = 90 * 24 * 3_600_000
"""So long nobody gets the name of a deleted account."""
REGISTRATIONS_WINDOW_MS = 3_600_000
"""In this time an address may make a limited number of accounts."""

Farewell = Callable[[IdentityId, Player], Awaitable[None]]
"""Is told whose account is being deleted, and who is nobody in its place; forgets what it keeps of the identity."""

ChooseAnother = Callable[[Player, str, CommandId], Awaitable[None]]
"""Gives an account another name in place of the neutral one that moderators gave it. Raises: Refusal, StorageError."""


class AccountHandler:
    """Answers what is asked about accounts."""

    def __init__(
        self,
        store: AccountStore,
        journal: Journal,
        presence: Presence,
        rooms: Rooms,
        now_ms: NowMs,
        restrictions: Restrictions,
        choose_name: ChooseAnother,
        titles: Iterable[str],
        registrations: int,
    ) -> None:
        self._store, self._journal = store, journal
        self._presence, self._rooms, self._now_ms = presence, rooms, now_ms
        self._standings = restrictions
        self._choose_name = choose_name
        self._titles = tuple(titles)
        self._hasher = Hasher()
        self._prover = PasswordLogin(self._store, self._hasher, now_ms)
        self._issuer = TokenIssuer(self._store, now_ms)
        self._registrations = SlidingWindow(registrations, REGISTRATIONS_WINDOW_MS)
        self.farewells: list[Farewell] = []
        """Whoever keeps something of an identity is told here when its account is deleted."""

    commands = get_args(AccountCommand)

    async def handle(self, command: AccountCommand, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        with refusing_failures("accounts not stored"):
            await self._handle(command, caller)

    def leave(self, caller: PlayerSession) -> None:
        """Nothing is kept of a connection."""

    def close(self) -> None:
        """Let go of what hashes."""
        self._hasher.close()

    async def _handle(self, command: AccountCommand, caller: Caller) -> None:
        match command:
            case Register():
                await self._register(command, caller)
            case SignIn(id_, name, password, browser):
                account = await self._prover.prove(name, password, caller.connection_info.address)
                self._standings.require_unbanned(account.id)
                caller.send(await self._signed_in(id_, account, browser))
            case SignOut(id_):
                await self._sign_out(id_, caller)
            case ChangePassword():
                await self._change_password(command, caller)
            case ChooseName(id_, name):
                self._check_name(name)
                await self._choose_name(_owner(caller), name, id_)
                caller.send(Done(id_))
            case DeleteAccount(id_, password):
                await self._delete(id_, password, caller)
            case BecomeBot(id_):
                await self._become_bot(_owner(caller))
                caller.send(Done(id_))
            case CreateToken(id_):
                secret, info = await self._issuer.api_token(_owner(caller).id, command)
                caller.send(TokenCreated(id_, secret, info))
            case ListTokens(id_):
                caller.send(Tokens(id_, await self._issuer.api_tokens(_owner(caller).id)))
            case RevokeToken(id_, token_id):
                owner = _owner(caller)
                credential = await self._issuer.revoke(owner.id, token_id)
                words = "This token has been revoked."
                self._presence.disconnect(
                    owner.id, lambda session: session.credential == credential, Code.SIGNED_OUT, words
                )
                caller.send(Done(id_))

    # Coming

    async def _register(self, command: Register, caller: Caller) -> None:
        guest = caller.authentication.player
        if guest.registered:
            raise Refusal(Code.SIGNED_IN, f"You are signed in as {guest.name}; sign out to make another account.")
        self._check_name(command.name)
        _check_password(command.password, command.name)
        skeleton = skeleton_of(command.name)
        if await self._store.find_named(skeleton) is not None:
            raise _name_taken()
        self._count_registration(caller.connection_info.address)
        password_hash = await self._hasher.hash(command.password)
        account = Account(guest.id, command.name, password_hash, self._now_ms())
        if not await self._store.create(account, skeleton, self._now_ms() - RESERVED_MS):
            raise _name_taken()
        answer = await self._signed_in(command.id, account, command.browser)
        credential = credential_of(answer.token) if answer.token else None
        caller.authenticate_as(Authentication(account.player, answer.token, credential))
        words = f"You have made the account {account.name}; please sign in."
        self._presence.disconnect(guest.id, lambda session: session is not caller, Code.GUEST_REGISTERED, words)
        await self._rooms.rename(await self._journal.matches_of(guest.id))
        caller.send(answer)

    async def _signed_in(self, command: CommandId, account: Account, browser: bool) -> SignedIn:
        if browser:
            return SignedIn(command, account.player, "", await self._issuer.ticket(account.id))
        return SignedIn(command, account.player, await self._issuer.session(account.id), "")

    def _check_name(self, name: str) -> None:
        try:
            check_name(name, self._titles)
        except BadNameError as error:
            raise Refusal(Code.BAD_NAME, str(error)) from None

    def _count_registration(self, address: str) -> None:
        now_ms = self._now_ms()
        if not self._registrations.try_add(address, now_ms):
            raise Refusal(Code.TOO_MANY_ATTEMPTS, "Too many accounts were made from here; please try again in an hour.")

    # Changing

    async def _change_password(self, command: ChangePassword, caller: Caller) -> None:
        owner = _owner(caller)
        account = await self._prover.prove(owner.name, command.password, caller.connection_info.address)
        _check_password(command.new_password, owner.name)
        await self._store.set_password(account.id, await self._hasher.hash(command.new_password))
        staying = caller.authentication.credential
        await self._store.revoke_sessions(account.id, staying)
        self._dismiss_sessions(account.id, staying, caller, "The password was changed; please sign in again.")
        caller.send(Done(command.id))

    async def _become_bot(self, owner: Player) -> None:
        """Make an account that of a bot, on all its connections too; of one that is a bot's already, it stays so."""
        if owner.bot:
            return
        if not await self._store.become_bot(owner.id):
            words = "This account has played already; please make another for your bot."
            raise Refusal(Code.HAS_PLAYED, words)
        for session in self._presence.sessions_of(owner.id):
            session.update_player(replace(owner, bot=True))

    def _dismiss_sessions(self, identity: IdentityId, staying: str | None, caller: Caller, words: str) -> None:
        def is_over(session: PlayerSession) -> bool:
            is_same = session is caller or (staying is not None and session.credential == staying)
            return not (is_same or session.is_api)

        self._presence.disconnect(identity, is_over, Code.SIGNED_OUT, words)

    # Going

    async def _sign_out(self, command: CommandId, caller: Caller) -> None:
        owner, credential = _owner(caller), caller.authentication.credential
        if credential is not None:
            await self._store.revoke(credential)
        caller.send(Done(command))
        self._presence.disconnect(
            owner.id,
            lambda session: session is caller or (credential is not None and session.credential == credential),
            Code.SIGNED_OUT,
            "You have signed out.",
        )

    async def _delete(self, command: CommandId, password: str, caller: Caller) -> None:
        owner = _owner(caller)
        account = await self._prover.prove(owner.name, password, caller.connection_info.address)
        words = "The account has been deleted."
        self._presence.disconnect(account.id, lambda session: session is not caller, Code.SIGNED_OUT, words)
        for match in await self._journal.matches_of(account.id, unfinished=True):
            await self._rooms.give_up(match, account.player)
        nobody, scrubbed = new_deleted_player(), IdentityId(f"scrubbed-{secrets.token_hex(12)}")
        matches = await self._journal.matches_of(account.id)
        for farewell in self.farewells:
            await farewell(account.id, nobody)
        await self._store.delete(account.id, nobody, scrubbed, self._now_ms())
        await self._rooms.rename(matches)
        caller.send(Done(command))
        caller.disconnect(Code.SIGNED_OUT, words)


def _owner(caller: Caller) -> Player:
    player = caller.authentication.player
    if not player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "You are a guest; make an account or sign in first.")
    return player


def _check_password(password: str, name: str) -> None:
    try:
        check_password(password, name)
    except BadPasswordError as error:
        raise Refusal(Code.BAD_PASSWORD, str(error)) from None


def _name_taken() -> Refusal:
    return Refusal(Code.NAME_TAKEN, "That name, or one that looks like it, is taken; please choose another.")
