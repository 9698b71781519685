"""Accounts in a database: what `server.accounts.store.AccountStore` promises.

No SQL here.
"""

from collections.abc import Sequence
from typing import cast

from msgspec.structs import replace

from ..accounts.store import Account, StoredToken, TokenKind
from ..identity.presence import Credential
from ..journal.store import StorageError
from ..protocol import IdentityId, Player, Seated, encode, parse_event
from .account_statements import compile_account_statements
from .writer import Database, Step

_ACCOUNT_COLUMNS = len(Account._fields)


class DatabaseAccounts:
    """An `AccountStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = compile_account_statements(database.dialect)

    async def create(self, account: Account, skeleton: str, reserved_since_ms: int) -> bool:
        """Store a new account, and put its name to every seat that its identity has had.

        Returns False, with nothing stored, if another has that name or one that looks like it, or had it and was
        deleted after `reserved_since_ms`, or if the identity has an account. Raises: StorageError.
        """
        row = (account.id, account.name, skeleton, account.password_hash, account.created_ms)
        return await self._database.transact(
            [
                Step(self._statements.release_name, (skeleton, reserved_since_ms)),
                Step(self._statements.insert_account, row),
                *await self.renaming_steps(account.id, account.player),
            ]
        )

    async def find(self, identity: IdentityId) -> Account | None:
        """Return somebody's account. Raises: StorageError."""
        return _first_account(await self._database.fetch(self._statements.find, identity))

    async def find_named(self, skeleton: str) -> Account | None:
        """Return the account whose name has that skeleton. Raises: StorageError."""
        return _first_account(await self._database.fetch(self._statements.find_named, skeleton))

    async def set_password(self, identity: IdentityId, password_hash: str) -> None:
        """Change the password. Raises: StorageError."""
        await self._database.execute(self._statements.set_password, password_hash, identity)

    async def become_bot(self, identity: IdentityId) -> bool:
        """Make an account that of a bot; False, with nothing changed, if it has had a seat in any match.

        Raises: StorageError.
        """
        return bool(await self._database.fetch(self._statements.become_bot, identity, identity))

    async def delete(self, identity: IdentityId, nobody: Player, scrubbed: IdentityId, now_ms: int) -> None:
        """Forget an account and all that lets its owner in; put `nobody` to every seat that it has had.

        Raises: StorageError.
        """
        steps = [
            *await self.renaming_steps(identity, nobody),
            Step(self._statements.hand_over_seats, (nobody.id, identity)),
            Step(self._statements.hand_over_origins, (nobody.id, identity)),
            Step(self._statements.hand_over_history, (nobody.id, identity)),
            Step(self._statements.forget_ratings, (identity,)),
            self.revoking_step(identity),
            Step(self._statements.scrub, (scrubbed, now_ms, identity)),
        ]
        if not await self._database.transact(steps):
            raise StorageError("the account cannot be deleted now")

    async def add_token(self, grant: StoredToken) -> None:
        """Store what lets somebody in. Raises: StorageError."""
        await self._database.execute(self._statements.insert_grant, *_row_of_grant(grant))

    async def find_by_token(self, credential: Credential, now_ms: int) -> tuple[Account, StoredToken] | None:
        """Return the account that a secret lets in, unless the secret has expired or is only a ticket.

        Raises: StorageError.
        """
        rows = await self._database.fetch(self._statements.admit, credential, now_ms)
        if not rows:
            return None
        row = tuple(rows[0])
        return _account(row[:_ACCOUNT_COLUMNS]), _grant(row[_ACCOUNT_COLUMNS:])

    async def redeem(self, ticket: Credential, now_ms: int) -> IdentityId | None:
        """Take a ticket back and return whose it was; None if there is no such ticket or it has expired.

        Raises: StorageError.
        """
        rows = await self._database.fetch(self._statements.redeem, ticket, now_ms)
        return cast(IdentityId, rows[0][0]) if rows else None

    async def note_use(self, credential: Credential, now_ms: int) -> None:
        """Note that a secret has been used. Raises: StorageError."""
        await self._database.execute(self._statements.note_use, now_ms, credential)

    async def api_tokens(self, identity: IdentityId) -> tuple[StoredToken, ...]:
        """Return somebody's API tokens, the oldest first. Raises: StorageError."""
        return tuple(_grant(row) for row in await self._database.fetch(self._statements.api_tokens, identity))

    async def revoke(self, credential: Credential) -> None:
        """Make a secret worthless. Raises: StorageError."""
        await self._database.execute(self._statements.revoke, credential)

    async def revoke_sessions(self, identity: IdentityId, but: Credential | None) -> None:
        """Make somebody's sessions and tickets worthless, but for one; API tokens stay. Raises: StorageError."""
        await self._database.execute(self._statements.revoke_sessions, identity, but or "")

    async def revoke_all(self, identity: IdentityId) -> None:
        """Make all that lets somebody in worthless, API tokens too. Raises: StorageError."""
        await self._database.execute(self._statements.revoke_all, identity)

    def revoking_step(self, identity: IdentityId) -> Step:
        """Return the step that makes all that lets somebody in worthless."""
        return Step(self._statements.revoke_all, (identity,))

    async def sweep(self, now_ms: int) -> None:
        """Forget what has expired. Raises: StorageError."""
        await self._database.execute(self._statements.sweep, now_ms)

    async def renaming_steps(self, identity: IdentityId, player: Player) -> list[Step]:
        """Return the steps that put a player to every seat that an identity has had. Raises: StorageError."""
        steps = []
        for match, seq, body in await self._database.fetch(self._statements.seats, identity):
            event = parse_event(cast(str, body))
            assert isinstance(event, Seated)
            if event.player.id == identity:
                new_body = encode(replace(event, player=player)).decode()
                steps.append(Step(self._statements.rewrite, (new_body, match, seq)))
        return steps


def _first_account(rows: Sequence[Sequence[object]]) -> Account | None:
    return _account(rows[0]) if rows else None


def _account(row: Sequence[object]) -> Account:
    identity, name, password_hash, created_ms, is_bot = cast("tuple[IdentityId, str, str, int, bool]", tuple(row))
    return Account(identity, name, password_hash, created_ms, bool(is_bot))


def _row_of_grant(grant: StoredToken) -> tuple[object, ...]:
    return (*grant[:7], " ".join(grant.scopes), grant.used_ms)


def _grant(row: Sequence[object]) -> StoredToken:
    credential, id_, identity, kind, created_ms, expires_ms, label, scopes, used_ms = cast(
        "tuple[Credential, str, IdentityId, str, int, int | None, str, str, int | None]", tuple(row)
    )
    return StoredToken(
        credential, id_, identity, TokenKind(kind), created_ms, expires_ms, label, tuple(scopes.split()), used_ms
    )
