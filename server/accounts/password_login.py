"""Password login: checks a player's name and password, behind limits on wrong passwords."""

from ..identity.names import skeleton_of
from ..protocol import Code
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .hashing import PasswordHasherPool
from .rate_limits import SlidingWindow
from .store import Account, AccountStore

WINDOW_MS = 60_000
FAILURES_PER_ACCOUNT = 5
"""Maximum wrong passwords for one account in `WINDOW_MS`."""
FAILURES_PER_ADDRESS = 10
"""Maximum wrong passwords from one address in `WINDOW_MS`."""


class PasswordLogin:
    """Checks passwords."""

    def __init__(self, store: AccountStore, hasher: PasswordHasherPool, now_ms: NowMs) -> None:
        self._store = store
        self._hasher = hasher
        self._now_ms = now_ms
        self._failures_of_account = SlidingWindow(FAILURES_PER_ACCOUNT, WINDOW_MS)
        self._failures_of_address = SlidingWindow(FAILURES_PER_ADDRESS, WINDOW_MS)

    async def check_password(self, name: str, password: str, address: str) -> Account:
        """Return the account with that name and password. Raises: Refusal, StorageError.

        An unknown name is refused with the same text and after the same time as a wrong password.
        """
        skeleton = skeleton_of(name)
        self._count_failure(skeleton, address)
        try:
            account = await self._store.find_named(skeleton)
            if account is not None and account.name.casefold() != name.casefold():
                account = None
            is_right = await self._hasher.verify(password, None if account is None else account.password_hash)
        except BaseException:
            self._uncount_failure(skeleton, address)
            raise
        if account is None or not is_right:
            raise Refusal(Code.WRONG_PASSWORD, "The name or the password is wrong.")
        self._uncount_failure(skeleton, address)
        if self._hasher.is_outdated(account.password_hash):
            await self._store.set_password(account.id, await self._hasher.hash(password))
        return account

    def _count_failure(self, skeleton: str, address: str) -> None:
        """Count a failure before the check, so that simultaneous attempts stay within the limits. Raises: Refusal."""
        now_ms = self._now_ms()
        account, from_address = self._failures_of_account, self._failures_of_address
        if not (account.has_room(skeleton, now_ms) and from_address.has_room(address, now_ms)):
            raise Refusal(Code.TOO_MANY_ATTEMPTS, "Too many wrong passwords; please try again in a minute.")
        account.add(skeleton, now_ms)
        from_address.add(address, now_ms)

    def _uncount_failure(self, skeleton: str, address: str) -> None:
        self._failures_of_account.undo(skeleton)
        self._failures_of_address.undo(address)
