"""Accounts in a database: implements `server.players.accounts.account_store.AccountStore`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import Executable, bindparam, delete, insert, null, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.sql.elements import ColumnElement

from millrace.protocol import IdentityId, MatchId, Player, Seated, SeatFreed, encode, parse_event

from ..callers.presence import Credential
from ..journal.journal import StorageError
from ..players.accounts.account_store import Account, StoredToken, TokenKind
from .database import Database, Step
from .deletion import forgetting_steps
from .tables import accounts, email_addresses, events, grants, match_players, matches, rating_history, ratings

_ACCOUNT = (accounts.c.id, accounts.c.name, accounts.c.password_hash, accounts.c.created_ms, accounts.c.is_bot)
_EXISTING = select(*_ACCOUNT).where(accounts.c.deleted_ms.is_(None))
_PLAYER = (accounts.c.id, accounts.c.name, accounts.c.is_bot)
_BY_ID = _EXISTING.where(accounts.c.id == bindparam("identity"))
_BY_SKELETON = _EXISTING.where(accounts.c.skeleton == bindparam("skeleton"))
_IS_TICKET = grants.c.kind == TokenKind.TICKET.value
_IS_RECOVERY = grants.c.kind == TokenKind.RECOVERY.value
_IS_EMAIL = grants.c.kind == TokenKind.EMAIL.value
_IS_MAILED = grants.c.kind.in_([TokenKind.MAILED_RECOVERY.value, TokenKind.EMAIL.value])
_RECOVERS = grants.c.kind.in_([TokenKind.RECOVERY.value, TokenKind.MAILED_RECOVERY.value])
_IS_API = grants.c.kind == TokenKind.API.value
_SIGNS_IN = grants.c.kind.in_([TokenKind.SESSION.value, TokenKind.TICKET.value])
_AUTHENTICATES = grants.c.kind.in_([TokenKind.SESSION.value, TokenKind.API.value])


class DatabaseAccounts:
    """An `AccountStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, account: Account, skeleton: str, reserved_since_ms: int) -> bool:
        """Store a new account, and give its name to every seat that its identity has had.

        Returns False, with nothing stored, if another account has that name or one that looks like it, or had it and
        was deleted after `reserved_since_ms`, or if the identity has an account. Raises: StorageError.
        """
        is_free = (accounts.c.skeleton == skeleton, accounts.c.deleted_ms < reserved_since_ms)
        new = insert(accounts).values(
            id=account.id,
            name=account.name,
            skeleton=skeleton,
            password_hash=account.password_hash,
            created_ms=account.created_ms,
        )
        renaming = await self.renaming_steps(account.id, account.player)
        return await self._database.transact([Step(delete(accounts).where(*is_free)), Step(new), *renaming])

    async def find(self, identity: IdentityId) -> Account | None:
        """Return the account of an identity. Raises: StorageError."""
        return await self._database.record(Account, _BY_ID, {"identity": identity})

    async def find_named(self, skeleton: str) -> Account | None:
        """Return the account whose name has that skeleton. Raises: StorageError."""
        return await self._database.record(Account, _BY_SKELETON, {"skeleton": skeleton})

    async def rehash_password(self, identity: IdentityId, password_hash: str) -> None:
        """Store another hash of the same password. Raises: StorageError."""
        await self._database.execute(_set_password(identity, password_hash))

    async def change_password(self, identity: IdentityId, password_hash: str, but: Credential | None) -> None:
        """Change the password and revoke an account's sessions and tickets except one; mailed codes too, while API
        tokens and recovery codes stay. Raises: StorageError.
        """
        others = (grants.c.identity == identity, grants.c.credential != (but or ""), or_(_SIGNS_IN, _IS_MAILED))
        await self._database.transact(
            [Step(_set_password(identity, password_hash)), Step(delete(grants).where(*others))]
        )

    async def replace_recovery_codes(self, identity: IdentityId, codes: Sequence[Credential], now_ms: int) -> None:
        """Store an account's recovery codes in place of those that it had. Raises: StorageError."""
        new = [StoredToken(code, code[:12], identity, TokenKind.RECOVERY, now_ms) for code in codes]
        replacing = [Step(delete(grants).where(grants.c.identity == identity, _IS_RECOVERY))]
        await self._database.transact([*replacing, *(Step(insert(grants).values(_row(token))) for token in new)])

    async def has_recovery_code(self, identity: IdentityId, code: Credential, now_ms: int) -> bool:
        """Return whether a recovery code is an account's, has not been used, and has not expired.

        Raises: StorageError.
        """
        is_it = (grants.c.credential == code, grants.c.identity == identity, _RECOVERS, _is_valid(now_ms))
        return await self._database.record(_StoredGrant, select(*grants.c).where(*is_it)) is not None

    async def recover(self, identity: IdentityId, code: Credential, password_hash: str, now_ms: int) -> bool:
        """Use up a recovery code, change the password, and revoke all sessions, tickets and mailed codes; False, with
        nothing changed, if the account does not have the code any more. Raises: StorageError.
        """
        is_it = (grants.c.credential == code, grants.c.identity == identity, _RECOVERS, _is_valid(now_ms))
        using = delete(grants).where(*is_it)
        return await self._database.transact(
            [
                Step(using, must_change=True),
                Step(_set_password(identity, password_hash)),
                Step(delete(grants).where(grants.c.identity == identity, or_(_SIGNS_IN, _IS_MAILED))),
            ]
        )

    async def email_of(self, identity: IdentityId) -> str | None:
        """Return the confirmed e-mail address of an account. Raises: StorageError."""
        found = select(email_addresses.c.address).where(email_addresses.c.identity == identity)
        return await self._database.value(str, found)

    async def confirm_email(self, identity: IdentityId, code: Credential, now_ms: int) -> bool:
        """Use up a code that confirms an e-mail address, and store the address; False, with nothing changed, if the
        account does not have the code, or it has expired. Raises: StorageError.
        """
        is_it = (grants.c.credential == code, grants.c.identity == identity, _IS_EMAIL, _is_valid(now_ms))
        grant = await self._database.record(_StoredGrant, select(*grants.c).where(*is_it))
        if grant is None:
            return False
        values = {"address": grant.label, "confirmed_ms": now_ms}
        storing = upsert(email_addresses).values(identity=identity, **values)
        return await self._database.transact(
            [
                Step(delete(grants).where(*is_it), must_change=True),
                Step(delete(grants).where(grants.c.identity == identity, _IS_MAILED)),
                Step(storing.on_conflict_do_update(index_elements=["identity"], set_=values)),
            ]
        )

    async def remove_email(self, identity: IdentityId) -> None:
        """Delete the e-mail address of an account, with the codes that were sent there. Raises: StorageError."""
        await self._database.transact(
            [
                Step(delete(email_addresses).where(email_addresses.c.identity == identity)),
                Step(delete(grants).where(grants.c.identity == identity, _IS_MAILED)),
            ]
        )

    async def become_bot(self, identity: IdentityId) -> bool:
        """Make an account that of a bot; False, with nothing changed, if it has had a seat in any match.

        Raises: StorageError.
        """
        has_sat = select(match_players.c.match).where(match_players.c.identity == identity).exists()
        marking = update(accounts).where(accounts.c.id == identity, ~has_sat).values(is_bot=True)
        return await self._database.execute(marking) > 0

    async def delete(self, identity: IdentityId, replacement: Player, scrubbed: IdentityId, now_ms: int) -> None:
        """Delete an account and all that is stored about its owner; put `replacement` where others need one.

        Raises: StorageError.
        """
        scrubbing = update(accounts).where(accounts.c.id == identity)
        scrubbing = scrubbing.values(id=scrubbed, name="", password_hash="", deleted_ms=now_ms, role=null())
        steps = [
            # First, so that a follow of this account that is being stored waits, and then finds no account.
            Step(scrubbing),
            *forgetting_steps(identity, replacement),
            *await self.renaming_steps(identity, replacement),
            Step(update(match_players).where(match_players.c.identity == identity).values(identity=replacement.id)),
            Step(update(matches).where(matches.c.origin_by == identity).values(origin_by=replacement.id)),
            Step(update(rating_history).where(rating_history.c.identity == identity).values(identity=replacement.id)),
            Step(delete(ratings).where(ratings.c.identity == identity)),
            self.revoking_step(identity),
        ]
        if not await self._database.transact(steps):
            raise StorageError("the account cannot be deleted now; try again")

    async def add_token(self, grant: StoredToken) -> None:
        """Store a grant. Raises: StorageError."""
        await self._database.execute(insert(grants).values(_row(grant)))

    async def find_by_token(self, credential: Credential, now_ms: int) -> tuple[Account, StoredToken] | None:
        """Return the account that a secret admits, unless the secret has expired, or is a ticket or a recovery code.

        Raises: StorageError.
        """
        joined = select(*_ACCOUNT, *grants.c).join_from(grants, accounts, accounts.c.id == grants.c.identity)
        is_admitted = (grants.c.credential == credential, _AUTHENTICATES, _is_valid(now_ms))
        for account, stored in await self._database.pairs(Account, _StoredGrant, joined.where(*is_admitted)):
            return account, stored.grant
        return None

    async def owners_of(self, credentials: Sequence[Credential], now_ms: int) -> Mapping[Credential, Player]:
        """Return the owners of those of some secrets that admit them, as in `find_by_token`. Raises: StorageError."""
        joined = select(grants.c.credential, *_PLAYER).join_from(grants, accounts, accounts.c.id == grants.c.identity)
        are_admitted = (grants.c.credential.in_(credentials), _AUTHENTICATES, _is_valid(now_ms))
        found = await self._database.records(_Owner, joined.where(*are_admitted))
        return {owner.credential: owner.player for owner in found}

    async def players_of(self, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Player]:
        """Return the owners of the accounts that some identities have. Raises: StorageError."""
        found = await self._database.records(Account, _EXISTING.where(accounts.c.id.in_(identities)))
        return {account.id: account.player for account in found}

    async def redeem(self, ticket: Credential, now_ms: int) -> IdentityId | None:
        """Redeem a ticket and return its owner; None if there is no such ticket or it has expired.

        Raises: StorageError.
        """
        redeeming = delete(grants).where(grants.c.credential == ticket, _IS_TICKET, _is_valid(now_ms))
        async with self._database.begin() as connection:
            owner = (await connection.execute(redeeming.returning(grants.c.identity))).scalar_one_or_none()
        return None if owner is None else IdentityId(owner)

    async def note_use(self, credential: Credential, now_ms: int) -> None:
        """Note that a secret has been used. Raises: StorageError."""
        await self._database.execute(update(grants).where(grants.c.credential == credential).values(used_ms=now_ms))

    async def api_tokens(self, identity: IdentityId) -> tuple[StoredToken, ...]:
        """Return an account's API tokens, the oldest first. Raises: StorageError."""
        found = select(*grants.c).where(grants.c.identity == identity, _IS_API).order_by(grants.c.created_ms)
        return tuple(stored.grant for stored in await self._database.records(_StoredGrant, found))

    async def revoke(self, credential: Credential) -> None:
        """Revoke a secret. Raises: StorageError."""
        await self._database.execute(delete(grants).where(grants.c.credential == credential))

    async def revoke_all(self, identity: IdentityId) -> None:
        """Revoke all of an account's secrets, API tokens too. Raises: StorageError."""
        await self._database.transact([self.revoking_step(identity)])

    def revoking_step(self, identity: IdentityId) -> Step:
        """Return the step that revokes all of an account's secrets."""
        return Step(delete(grants).where(grants.c.identity == identity))

    async def sweep(self, now_ms: int) -> None:
        """Delete the grants that have expired. Raises: StorageError."""
        await self._database.execute(delete(grants).where(grants.c.expires_ms < now_ms))

    async def renaming_steps(self, identity: IdentityId, player: Player) -> list[Step]:
        """Return the steps that put a player in every seat that an identity has had or left. Raises: StorageError."""
        held = select(match_players.c.match).where(match_players.c.identity == identity)
        is_seated = or_(events.c.body.like('{"type":"seated"%'), events.c.body.like('{"type":"seat_freed"%'))
        found = select(events.c.match, events.c.seq, events.c.body).where(events.c.match.in_(held), is_seated)
        steps = []
        for match, seq, body in await self._database.records(_SeatedEvent, found):
            event = parse_event(body)
            assert isinstance(event, Seated | SeatFreed)
            if event.player.id == identity:
                rewriting = update(events).where(events.c.match == match, events.c.seq == seq)
                steps.append(Step(rewriting.values(body=encode(replace(event, player=player)).decode())))
        return steps


class _SeatedEvent(NamedTuple):
    match: MatchId
    seq: int
    body: str


class _Owner(NamedTuple):
    """The owner of a secret."""

    credential: Credential
    id: IdentityId
    name: str
    is_bot: bool

    @property
    def player(self) -> Player:
        """Return the owner as others see them."""
        return Player(self.id, self.name, registered=True, bot=self.is_bot)


class _StoredGrant(NamedTuple):
    """A row of `grants`."""

    credential: Credential
    id: str
    identity: IdentityId
    kind: TokenKind
    created_ms: int
    expires_ms: int | None
    label: str
    scopes: str
    """Separated by spaces."""
    used_ms: int | None

    @property
    def grant(self) -> StoredToken:
        """Return the grant."""
        return StoredToken(**{**self._asdict(), "scopes": tuple(self.scopes.split())})


def _row(grant: StoredToken) -> dict[str, object]:
    return {**grant._asdict(), "kind": grant.kind.value, "scopes": " ".join(grant.scopes)}


def _set_password(identity: IdentityId, password_hash: str) -> Executable:
    return update(accounts).where(accounts.c.id == identity).values(password_hash=password_hash)


def _is_valid(now_ms: int) -> ColumnElement[bool]:
    return or_(grants.c.expires_ms.is_(None), grants.c.expires_ms > now_ms)
