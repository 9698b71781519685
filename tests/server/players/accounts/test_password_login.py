"""Wrong passwords are counted by account and address: nobody locks an owner out from elsewhere, or keeps guessing."""

from collections.abc import AsyncIterator

import pytest

from millrace.protocol import Code, IdentityId
from millrace.protocol.refusal import Refusal
from millrace.server.app.stores import Stores
from millrace.server.callers.names import skeleton_of
from millrace.server.cluster.bus import LocalBus
from millrace.server.players.accounts import hashing
from millrace.server.players.accounts.account_store import Account
from millrace.server.players.accounts.hashing import PasswordHasherPool
from millrace.server.players.accounts.known_places import MAX_PLACES, KnownPlaces
from millrace.server.players.accounts.password_login import PasswordLogin
from tests.server.callers.users import LimitsOnClock, user

NAME, PASSWORD = "Beatrix", "a long password"
OWNER = IdentityId("owner")
HOME, ELSEWHERE = "192.0.2.1", "198.51.100.1"


class Login:
    """A server's sign-in with one account, whose owner has signed in from home."""

    def __init__(self, stores: Stores) -> None:
        self.on_clock, self.places = LimitsOnClock(), KnownPlaces(LocalBus())
        self.places.learn(OWNER, HOME)
        self.hasher = PasswordHasherPool(self.on_clock.limits)
        self._login = PasswordLogin(stores.accounts, self.hasher, self.places, self.on_clock.limits)
        self._guests = 0

    async def code(self, password: str, address: str, guest: str = "", *, name: str = NAME) -> Code | None:
        """Return how an attempt is refused, by default of a new guest; None if it is not."""
        self._guests += 1
        caller = user(guest or f"guest {self._guests}", address, registered=guest == OWNER)
        try:
            await self._login.check_password(name, password, caller)
        except Refusal as refusal:
            return refusal.code
        return None


@pytest.fixture
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "MEMORY_KIB", 64)


@pytest.fixture
async def login(stores: Stores, _cheap: None) -> AsyncIterator[Login]:
    made = Login(stores)
    account = Account(OWNER, NAME, await made.hasher.hash(PASSWORD, HOME), 0)
    assert await stores.accounts.create(account, skeleton_of(NAME), 0)
    yield made
    made.hasher.close()


async def test_wrong_passwords_from_elsewhere_do_not_lock_the_owner_out(login: Login) -> None:
    codes = [await login.code("guess", ELSEWHERE) for _ in range(12)]
    assert codes == [Code.WRONG_PASSWORD] * 5 + [Code.TOO_MANY_ATTEMPTS] * 7
    assert await login.code(PASSWORD, ELSEWHERE) is Code.TOO_MANY_ATTEMPTS, "not even the right one, there"
    assert await login.code(PASSWORD, HOME) is None
    assert await login.code(PASSWORD, "203.0.113.5") is None, "nor at a third address"


async def test_wrong_passwords_from_everywhere_lock_only_unknown_addresses(login: Login) -> None:
    codes = [await login.code("guess", f"198.51.100.{n % 20}") for n in range(80)]
    assert codes.count(Code.WRONG_PASSWORD) == 50
    assert await login.code(PASSWORD, "203.0.113.5") is Code.TOO_MANY_ATTEMPTS
    assert await login.code(PASSWORD, HOME) is None


async def test_a_neighbour_at_the_owners_address_cannot_lock_out_known_sessions_and_guests(
    login: Login,
) -> None:
    assert await login.code(PASSWORD, HOME, "returning guest") is None
    codes = [await login.code("guess", HOME) for _ in range(40)]
    assert codes == [Code.WRONG_PASSWORD] * 30 + [Code.TOO_MANY_ATTEMPTS] * 10
    assert await login.code(PASSWORD, HOME, "returning guest") is None
    assert await login.code(PASSWORD, HOME, OWNER) is None, "as to change the password or to delete the account"


async def test_a_session_has_limited_guesses_at_its_own_password(login: Login) -> None:
    codes = [await login.code("guess", HOME, OWNER) for _ in range(12)]
    assert codes == [Code.WRONG_PASSWORD] * 10 + [Code.TOO_MANY_ATTEMPTS] * 2


async def test_an_address_cannot_try_one_password_on_many_accounts(login: Login) -> None:
    codes = [await login.code("guess", ELSEWHERE, name=f"nobody{n}") for n in range(12)]
    assert codes == [Code.WRONG_PASSWORD] * 10 + [Code.TOO_MANY_ATTEMPTS] * 2


async def test_right_passwords_are_not_counted_as_wrong_ones(login: Login) -> None:
    assert [await login.code(PASSWORD, ELSEWHERE) for _ in range(15)] == [None] * 15
    assert await login.code("guess", ELSEWHERE) is Code.WRONG_PASSWORD


async def test_a_sign_in_makes_an_address_known(login: Login) -> None:
    assert await login.code(PASSWORD, ELSEWHERE) is None
    assert [await login.code("guess", ELSEWHERE) for _ in range(10)] == [Code.WRONG_PASSWORD] * 10
    assert await login.code(PASSWORD, ELSEWHERE) is None


def test_an_account_knows_its_latest_places() -> None:
    places = KnownPlaces(LocalBus())
    for number in range(MAX_PLACES + 1):
        places.learn(OWNER, HOME, f"address {number}")
    assert places.knows(OWNER, HOME)
    assert not places.knows(OWNER, "address 0")
    places.forget(OWNER)
    assert not places.knows(OWNER, HOME)
