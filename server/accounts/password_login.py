"""Proves by a password who somebody is, behind limits on wrong ones."""

from ..identity.names import skeleton_of
from ..protocol import Code
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .hashing import Hasher
from .rate_limits import SlidingWindow
from .store import Account, AccountStore

WINDOW_MS = 60_000
FAILURES_OF_ACCOUNT = 5
FAILURES_OF_ADDRESS = 10
"""So many wrong passwords in a minute for one account, and from one address."""


class PasswordLogin:
    """Checks passwords."""

    def __init__(self, store: AccountStore, hasher: Hasher, now_ms: NowMs) -> None:
        self._store = store
        self._hasher = hasher
        self._now_ms = now_ms
        self._of_account = SlidingWindow(FAILURES_OF_ACCOUNT, WINDOW_MS)
        self._of_address = SlidingWindow(FAILURES_OF_ADDRESS, WINDOW_MS)

    async def prove(self, name: str, password: str, address: str) -> Account:
        """Return the account of that name and password. Raises: Refusal, StorageError.

        A name that nobody has is refused in the same words and after the same time as a wrong password.
        """
        skeleton = skeleton_of(name)
        self._begin(skeleton, address)
        try:
            account = await self._store.find_named(skeleton)
            if account is not None and account.name.casefold() != name.casefold():
                account = None
            is_right = await self._hasher.verify(password, None if account is None else account.password_hash)
        except BaseException:
            self._give_back(skeleton, address)
            raise
        if account is None or not is_right:
            raise Refusal(Code.WRONG_PASSWORD, "The name or the password is wrong.")
        self._give_back(skeleton, address)
        if self._hasher.is_outdated(account.password_hash):
            await self._store.set_password(account.id, await self._hasher.hash(password))
        return account

    def _begin(self, skeleton: str, address: str) -> None:
        now_ms = self._now_ms()
        if not (self._of_account.has_room(skeleton, now_ms) and self._of_address.has_room(address, now_ms)):
            raise Refusal(Code.TOO_MANY_ATTEMPTS, "Too many wrong passwords; please try again in a minute.")
        self._of_account.add(skeleton, now_ms)
        self._of_address.add(address, now_ms)

    def _give_back(self, skeleton: str, address: str) -> None:
        self._of_account.undo(skeleton)
        self._of_address.undo(address)
