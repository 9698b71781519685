"""Password login: checks names with passwords or recovery codes, and limits wrong ones.

Wrong passwords are counted by account and address, so that nobody can lock an owner out from elsewhere. The account's
sessions, guests who have signed in to it before, and known addresses have separate limits.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller
from ...callers.limit import MINUTE_MS, Limit
from ...callers.limits import Limits
from ...callers.names import skeleton_of
from ...callers.presence import Credential
from .account_store import Account, AccountStore
from .hashing import PasswordHasherPool
from .known_places import KnownPlaces

SIGN_INS = Limit(
    name="sign_ins",
    counts="passwords checked, right or wrong, except those of players known to the account",
    refusal="Too many players are signing in at once.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=MINUTE_MS,
    account=20,
    guest=20,
    address=60,
)
FAILED_SIGN_INS = Limit(
    name="failed_sign_ins",
    counts="wrong passwords from addresses that have never signed in to the account",
    refusal="Too many wrong passwords.",
    code=Code.TOO_MANY_ATTEMPTS,
    window_ms=MINUTE_MS,
    account=10,
    guest=10,
    address=10,
)
WRONG_PASSWORDS = replace(
    FAILED_SIGN_INS,
    name="wrong_passwords",
    counts="wrong passwords for one account, from addresses that have never signed in to it",
    account=5,
    guest=5,
    address=5,
    everyone=50,
)
WRONG_PASSWORDS_AT_KNOWN_ADDRESS = replace(
    FAILED_SIGN_INS,
    name="wrong_passwords_at_known_address",
    counts="wrong passwords for one account, from an address that has signed in to it",
    address=30,
)
WRONG_PASSWORDS_OF_KNOWN_PLAYER = replace(
    FAILED_SIGN_INS,
    name="wrong_passwords_of_known_player",
    counts="wrong passwords for one account, from its own session or a guest who has signed in to it",
    address=None,
)

WRONG_PASSWORD = "The name or the password is wrong."
WRONG_CODE = "The name or the recovery code is wrong."


class PasswordLogin:
    """Checks passwords."""

    def __init__(self, store: AccountStore, hasher: PasswordHasherPool, places: KnownPlaces, limits: Limits) -> None:
        self._store = store
        self._hasher = hasher
        self._places = places
        self._limits = limits

    async def check_password(self, name: str, password: str, caller: Caller) -> Account:
        """Return the account with that name and password. Raises: Refusal, StorageError.

        An unknown name is refused with the same text and after the same time as a wrong password.
        """
        address = caller.connection_info.address

        async def is_right(account: Account | None) -> bool:
            password_hash = None if account is None else account.password_hash
            return await self._hasher.verify(password, password_hash, address)

        account = await self._check(name, caller, is_right, WRONG_PASSWORD)
        if self._hasher.is_outdated(account.password_hash):
            await self._store.rehash_password(account.id, await self._hasher.hash(password, address))
        return account

    async def check_recovery_code(self, name: str, code: Credential, caller: Caller, now_ms: int) -> Account:
        """Return the account with that name and recovery code. Wrong codes count as wrong passwords.

        Raises: Refusal, StorageError.
        """

        async def is_right(account: Account | None) -> bool:
            return account is not None and await self._store.has_recovery_code(account.id, code, now_ms)

        return await self._check(name, caller, is_right, WRONG_CODE)

    async def _check(
        self, name: str, caller: Caller, is_right: Callable[[Account | None], Awaitable[bool]], refusal: str
    ) -> Account:
        """Return the account with a name, if the caller's password or code is right. Raises: Refusal, StorageError."""
        skeleton, address = skeleton_of(name), caller.connection_info.address
        account = await self._store.find_named(skeleton)
        if account is not None and account.name.casefold() != name.casefold():
            account = None
        counting = self._limits_for(account, caller)
        # Count first, so that simultaneous attempts stay within the limits.
        for limit in counting:
            self._limits.check(limit, caller, subject=_subject(limit, skeleton))
        for limit in counting:
            self._limits.use(limit, caller, subject=_subject(limit, skeleton))
        try:
            is_owner = await is_right(account)
        except BaseException:
            self._put_back(counting, caller, skeleton)
            raise
        if account is None or not is_owner:
            owner = "none" if account is None else account.name
            self._limits.security_log.note("sign-in failed", address, account=owner)
            raise Refusal(Code.WRONG_PASSWORD, refusal)
        self._put_back(counting, caller, skeleton)
        self._places.learn(account.id, address, *([] if caller.player.registered else [caller.identity]))
        return account

    def _limits_for(self, account: Account | None, caller: Caller) -> tuple[Limit, ...]:
        """Return the limits that apply to an attempt."""
        if account is not None:
            if caller.identity == account.id or self._places.knows(account.id, caller.identity):
                return (WRONG_PASSWORDS_OF_KNOWN_PLAYER,)
            if self._places.knows(account.id, caller.connection_info.address):
                return SIGN_INS, WRONG_PASSWORDS_AT_KNOWN_ADDRESS
        return SIGN_INS, FAILED_SIGN_INS, WRONG_PASSWORDS

    def _put_back(self, limits: tuple[Limit, ...], caller: Caller, skeleton: str) -> None:
        """Uncount an attempt that did not fail; it still counts as a sign-in."""
        for limit in limits:
            if limit is not SIGN_INS:
                self._limits.put_back(limit, caller, subject=_subject(limit, skeleton))


def _subject(limit: Limit, skeleton: str) -> str:
    """Return the account by which a limit counts; empty for limits on all accounts together."""
    return "" if limit in (SIGN_INS, FAILED_SIGN_INS) else skeleton
