"""Accounts as they are stored, by their names, with their password hashes and their e-mail addresses."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from sqlalchemy import Column, Executable, Index, bindparam, delete, false, insert, null, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.types import BigInteger, Boolean, Text

from millrace.protocol import IdentityId, Player, Role

from ...callers.presence import Credential
from ...journal.renaming_store import renaming_steps, replacing_steps
from ...journal.seats_store import matches_with
from ...storage.database import Database, Step
from ...storage.errors import StorageError
from ...storage.tables import define_table, optional, required
from ..mail.mail_store import withdrawing_step
from .token_store import (
    AUTHENTICATES,
    IS_ADMITTED,
    IS_API,
    IS_EMAIL,
    IS_MAILED,
    IS_TICKET,
    RECOVERS,
    StoredToken,
    delete_tokens,
    ends_with_password,
    grants,
    is_code,
    is_valid,
    token_step,
)


class Account(NamedTuple):
    """An account."""

    id: IdentityId
    """The identity of the guest who created the account."""
    name: str
    password_hash: str
    created_ms: int
    is_bot: bool = False
    """Whether a program plays with it. That is declared once and permanent."""

    @property
    def player(self) -> Player:
        """The account's owner, as others see them."""
        return Player(self.id, self.name, registered=True, bot=self.is_bot)


class Owner(NamedTuple):
    """The owner of an account, as far as others see them."""

    id: IdentityId
    name: str
    is_bot: bool

    @property
    def player(self) -> Player:
        """The owner, as others see them."""
        return Player(self.id, self.name, registered=True, bot=self.is_bot)


accounts = define_table(
    "accounts",
    ["id"],
    *required(Text, "id", "name", "skeleton", "password_hash"),
    *required(BigInteger, "created_ms"),
    *optional(BigInteger, "deleted_ms"),
    Column("is_bot", Boolean, nullable=False, server_default=false()),
    *optional(Text, "role"),
)
"""One row for each account. A deleted account keeps the skeleton of its name, which reserves the name for a while."""

Index("accounts_skeleton", accounts.c.skeleton, unique=True)

email_addresses = define_table(
    "email_addresses",
    ["identity"],
    *required(Text, "identity", "address"),
    *required(BigInteger, "confirmed_ms"),
)
"""The confirmed e-mail addresses of accounts."""


_ACCOUNT = (accounts.c.id, accounts.c.name, accounts.c.password_hash, accounts.c.created_ms, accounts.c.is_bot)
_EXISTING = select(*_ACCOUNT).where(accounts.c.deleted_ms.is_(None))
OWNER = (accounts.c.id, accounts.c.name, accounts.c.is_bot)
"""The columns of an `Owner`."""
_BY_ID = _EXISTING.where(accounts.c.id == bindparam("identity"))
_BY_SKELETON = _EXISTING.where(accounts.c.skeleton == bindparam("skeleton"))

DeletionSteps: TypeAlias = Callable[[IdentityId, Player], Sequence[Step]]
"""Returns the steps that delete a player's data of a feature, and put another player into that of others."""


class AccountStore:
    """Accounts and their tokens. Every method raises StorageError."""

    def __init__(self, database: Database, deletions: Sequence[DeletionSteps]) -> None:
        self._database = database
        self._deletions = deletions

    async def carry_out(self, *steps: Step) -> bool:
        """Run steps in one transaction. Returns False, with nothing stored, if one fails."""
        return await self._database.transact(steps)

    async def create(self, account: Account, skeleton: str, reserved_since_ms: int, *steps: Step) -> bool:
        """Store a new account, with further steps, and show its name on every seat that its identity has had.

        Returns False, with nothing stored, if the identity has an account, if another account has the name or one
        that looks like it, if one that had it was deleted after `reserved_since_ms`, or if a step fails.
        """
        is_free = (accounts.c.skeleton == skeleton, accounts.c.deleted_ms < reserved_since_ms)
        new = insert(accounts).values({**account._asdict(), "skeleton": skeleton})
        renaming = await renaming_steps(self._database, account.id, account.player)
        return await self._database.transact([Step(delete(accounts).where(*is_free)), Step(new), *renaming, *steps])

    async def find(self, identity: IdentityId) -> Account | None:
        """Return the account of an identity."""
        return await self._database.record(Account, _BY_ID, {"identity": identity})

    async def find_named(self, skeleton: str) -> Account | None:
        """Return the account whose name has that skeleton (`server.callers.names`)."""
        return await self._database.record(Account, _BY_SKELETON, {"skeleton": skeleton})

    async def rehash_password(self, identity: IdentityId, password_hash: str) -> None:
        """Store another hash of the same password."""
        await self._database.execute(_set_password(identity, password_hash))

    async def change_password(
        self, identity: IdentityId, password_hash: str, but: Credential | None, *steps: Step, ends_api: bool = False
    ) -> bool:
        """Change the password and delete the sessions and tickets except one, API tokens only if `ends_api`, and no
        recovery codes.

        Returns False, with nothing changed, if one of the further steps fails.
        """
        others = (
            grants.c.identity == identity,
            grants.c.credential != (but or ""),
            ends_with_password(ends_api=ends_api),
        )
        setting, signing_out = Step(_set_password(identity, password_hash)), Step(delete(grants).where(*others))
        return await self._database.transact([setting, signing_out, withdrawing_step(identity), *steps])

    async def has_recovery_code(self, identity: IdentityId, code: Credential, now_ms: int) -> bool:
        """Return whether a recovery code is an account's, has not been used, and has not expired."""
        is_it = is_code(identity, code, RECOVERS, now_ms)
        return await self._database.record(StoredToken, select(*grants.c).where(is_it)) is not None

    async def recover(
        self,
        identity: IdentityId,
        code: Credential,
        password_hash: str,
        now_ms: int,
        *steps: Step,
        ends_api: bool = False,
    ) -> bool:
        """Use up a recovery code, change the password, and delete all sessions, tickets and mailed codes, or nothing;
        API tokens only if `ends_api`.

        Returns False, with nothing changed, if the account does not have the code any more, or a further step fails.
        """
        using = delete(grants).where(is_code(identity, code, RECOVERS, now_ms))
        setting = Step(_set_password(identity, password_hash))
        signing_out = delete_tokens(identity, ends_with_password(ends_api=ends_api))
        return await self._database.transact(
            [Step(using, must_change=True), setting, signing_out, withdrawing_step(identity), *steps]
        )

    async def email_of(self, identity: IdentityId) -> str | None:
        """Return the confirmed e-mail address of an account."""
        found = select(email_addresses.c.address).where(email_addresses.c.identity == identity)
        return await self._database.value(str, found)

    async def address_to_confirm(self, identity: IdentityId, code: Credential, now_ms: int) -> str | None:
        """Return the e-mail address that a code confirms for an account; None if it does not, or has expired."""
        found = select(grants.c.label).where(is_code(identity, code, IS_EMAIL, now_ms))
        return await self._database.value(str, found)

    async def confirm_email(
        self, identity: IdentityId, code: Credential, address: str, now_ms: int, *steps: Step
    ) -> bool:
        """Use up a code that confirms an e-mail address, and store the address; mailed recovery codes are deleted.

        Returns False, with nothing changed, if the account does not have the code, it has expired, or a step fails.
        """
        is_it = is_code(identity, code, IS_EMAIL, now_ms)
        values = {"address": address, "confirmed_ms": now_ms}
        storing = upsert(email_addresses).values(identity=identity, **values)
        using = Step(delete(grants).where(is_it), must_change=True)
        setting = Step(storing.on_conflict_do_update(index_elements=["identity"], set_=values))
        ending = [delete_tokens(identity, IS_MAILED), withdrawing_step(identity)]
        return await self._database.transact([using, *ending, setting, *steps])

    async def remove_email(self, identity: IdentityId, *steps: Step) -> bool:
        """Delete the e-mail address of an account, with the codes that were sent there.

        Returns False, with nothing changed, if a further step fails.
        """
        removing = Step(delete(email_addresses).where(email_addresses.c.identity == identity))
        ending = [delete_tokens(identity, IS_MAILED), withdrawing_step(identity)]
        return await self._database.transact([removing, *ending, *steps])

    async def become_bot(self, identity: IdentityId) -> bool:
        """Turn an account into a bot's. Returns False, with nothing changed, if it has had a seat in any match."""
        has_sat = matches_with(identity).exists()
        marking = update(accounts).where(accounts.c.id == identity, ~has_sat).values(is_bot=True)
        return await self._database.execute(marking) > 0

    async def delete(self, identity: IdentityId, replacement: Player, scrubbed: IdentityId, now_ms: int) -> None:
        """Delete an account and all that is stored about its owner, or nothing: see `deletion_steps`."""
        if not await self._database.transact(await self.deletion_steps(identity, replacement, scrubbed, now_ms)):
            raise StorageError("the account cannot be deleted now; try again")

    async def deletion_steps(
        self, identity: IdentityId, replacement: Player, scrubbed: IdentityId, now_ms: int
    ) -> list[Step]:
        """Return the steps that delete an account and all that is stored about its owner.

        `replacement` is put on every seat that it has had, in its chat lines and in the reports that name it.

        The name is kept under the identity `scrubbed`, which has no account, so that it stays reserved for a time.
        """
        scrubbing = update(accounts).where(accounts.c.id == identity)
        scrubbing = scrubbing.values(id=scrubbed, name="", password_hash="", deleted_ms=now_ms, role=null())
        return [
            # First, so that a follow of this account that is being stored waits, and then finds no account.
            Step(scrubbing),
            Step(delete(email_addresses).where(email_addresses.c.identity == identity)),
            Step(delete(grants).where(grants.c.identity == identity)),
            *(step for steps in self._deletions for step in steps(identity, replacement)),
            *await replacing_steps(self._database, identity, replacement),
        ]

    async def add_token(self, token: StoredToken) -> None:
        """Store a token."""
        await self._database.execute(token_step(token).statement)

    async def find_by_token(
        self, credential: Credential, now_ms: int, *, even_banned: bool = False
    ) -> tuple[Account, StoredToken] | None:
        """Return the account of a token, unless the token has expired, or is a ticket or a recovery code, or the
        account is banned: its tokens are valid again when the ban is lifted."""
        joined = select(*_ACCOUNT, *grants.c).join_from(grants, accounts, accounts.c.id == grants.c.identity)
        is_admitted = [grants.c.credential == credential, AUTHENTICATES, is_valid(now_ms)]
        if not even_banned:
            is_admitted.append(IS_ADMITTED)
        found = await self._database.pairs(Account, StoredToken, joined.where(*is_admitted))
        return found[0] if found else None

    async def owners_of(self, credentials: Sequence[Credential], now_ms: int) -> Mapping[Credential, Player]:
        """Return the owners of those of some tokens that `find_by_token` would find; at most a thousand at a time."""
        joined = select(*OWNER, grants.c.credential).join_from(grants, accounts, accounts.c.id == grants.c.identity)
        are_admitted = (grants.c.credential.in_(credentials), AUTHENTICATES, is_valid(now_ms), IS_ADMITTED)
        found = await self._database.pairs(Owner, _Admitted, joined.where(*are_admitted))
        return {admitted.credential: owner.player for owner, admitted in found}

    async def players_of(self, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Player]:
        """Return the owners of the accounts that some identities have; at most a thousand at a time."""
        found = await self._database.records(Account, _EXISTING.where(accounts.c.id.in_(identities)))
        return {account.id: account.player for account in found}

    async def redeem(self, ticket: Credential, now_ms: int) -> IdentityId | None:
        """Delete a ticket and return its owner. None if there is none, it has expired, or its owner is banned."""
        redeeming = delete(grants).where(grants.c.credential == ticket, IS_TICKET, is_valid(now_ms), IS_ADMITTED)
        async with self._database.begin() as connection:
            owner = (await connection.execute(redeeming.returning(grants.c.identity))).scalar_one_or_none()
        return None if owner is None else IdentityId(owner)

    async def note_use(self, credential: Credential, now_ms: int) -> None:
        """Note that a token has been used."""
        await self._database.execute(update(grants).where(grants.c.credential == credential).values(used_ms=now_ms))

    async def api_tokens(self, identity: IdentityId) -> tuple[StoredToken, ...]:
        """Return the API tokens of an account, oldest first."""
        found = select(*grants.c).where(grants.c.identity == identity, IS_API).order_by(grants.c.created_ms)
        return tuple(await self._database.records(StoredToken, found))

    async def revoke(self, credential: Credential, *steps: Step) -> bool:
        """Delete a token, with further steps. Returns False, with nothing changed, if it is gone or a step fails."""
        deleting = Step(delete(grants).where(grants.c.credential == credential), must_change=True)
        return await self._database.transact([deleting, *steps])

    async def roles(self) -> Sequence[tuple[IdentityId, Role]]:
        """Return every player with a role."""
        found = select(accounts.c.id, accounts.c.role).where(accounts.c.role.is_not(None))
        return await self._database.records(_Role, found)

    async def role_of(self, identity: IdentityId) -> Role | None:
        """Return the role of a player."""
        found = select(accounts.c.role).where(accounts.c.id == identity, accounts.c.role.is_not(None))
        return await self._database.value(Role, found)

    async def sweep(self, now_ms: int) -> None:
        """Delete the tokens that have expired."""
        await self._database.execute(delete(grants).where(grants.c.expires_ms < now_ms))


class _Role(NamedTuple):
    identity: IdentityId
    role: Role


class _Admitted(NamedTuple):
    credential: Credential


def _set_password(identity: IdentityId, password_hash: str) -> Executable:
    return update(accounts).where(accounts.c.id == identity).values(password_hash=password_hash)


def role_step(identity: IdentityId, before: Role | None, after: Role | None) -> Step:
    """Return the step that changes the role of an account from one to another."""
    had_role = accounts.c.role.is_(None) if before is None else accounts.c.role == before.value
    giving = update(accounts).where(accounts.c.id == identity, had_role)
    return Step(giving.values(role=None if after is None else after.value), must_change=True)


def name_step(player: Player, skeleton: str, before: str) -> Step:
    """Return the step that gives an account another name, with its skeleton, if it has the name of a skeleton."""
    renaming = update(accounts).where(accounts.c.id == player.id, accounts.c.skeleton == before)
    return Step(renaming.values(name=player.name, skeleton=skeleton), must_change=True)


def reserving_step(skeleton: str, identity: IdentityId, created_ms: int, deleted_ms: int) -> Step:
    """Return the step that reserves a name as if an account with it had been deleted."""
    nobody = {"id": identity, "skeleton": skeleton, "name": "", "password_hash": ""}
    return Step(insert(accounts).values(**nobody, created_ms=created_ms, deleted_ms=deleted_ms))


def name_of(identity: ColumnElement[str]) -> ColumnElement[str]:
    """Return the present name of the account that a column names; null if there is none."""
    return select(accounts.c.name).where(accounts.c.id == identity).scalar_subquery()


def is_registered(identity: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a column names an account."""
    return select(accounts.c.id).where(accounts.c.id == identity).exists()
