"""Enforces the server's limits: counts uses, and refuses and reports those beyond a bound.

A use is charged to every bound of the user: the connection, the player, and the address.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, Player, Wording
from millrace.protocol.refusal import Refusal

from ..cluster.bus import Bus
from ..runtime import metrics
from ..runtime.security_log import SecurityLog
from ..runtime.settings import Settings
from ..runtime.system_clock import NowMs
from .buckets import TokenBucket
from .caller import ConnectionInfo
from .limit import Bound, Limit
from .shared_use import Key, SharedUse

COUNTS_ADDRESS = "This counts everyone at your address."
TRY_AGAIN = "Please try again in {wait_ms}."

_BOUNDS = frozenset(Bound)


class UnknownLimitError(ValueError):
    """A setting names a limit that does not exist; the text says which."""


class User(Protocol):
    """The user whose use is counted: a caller (`server.callers.caller`)."""

    @property
    def identity(self) -> IdentityId:
        """The player's identity."""

    @property
    def player(self) -> Player:
        """The player, with or without an account."""

    @property
    def connection_info(self) -> ConnectionInfo:
        """The network of the connection."""


class Present(NamedTuple):
    """The present number, counted by the caller of `Limits.require_room`."""

    of_player: int = 0
    of_address: int = 0
    of_everyone: int = 0


class Hold:
    """One of the things that a limit counts at a time."""

    __slots__ = ("_release",)

    def __init__(self, release: Callable[[], None]) -> None:
        self._release: Callable[[], None] | None = release

    def release(self) -> None:
        """Stop counting it; a second call does nothing."""
        release, self._release = self._release, None
        if release is not None:
            release()


class Limits:
    """The limits of one server.

    `settings` replace bounds, by names such as `chat_lines.guest`. `address_factor` multiplies the other bounds that
    the players at one address share.
    """

    def __init__(
        self,
        now_ms: NowMs,
        security_log: SecurityLog,
        settings: Mapping[str, float] | None = None,
        address_factor: float = 1.0,
    ) -> None:
        self._now_ms = now_ms
        self.security_log = security_log
        """The log for exceeded limits."""
        self._settings = dict(settings or {})
        self._address_factor = address_factor
        self._buckets: dict[tuple[str, Bound], TokenBucket] = {}
        self._held: Counter[tuple[str, Bound, object]] = Counter()
        self._bounds: dict[str, dict[Bound, float]] = {}
        self._limits: dict[str, Limit] = {}
        self._shared: SharedUse | None = None
        """The uses on other nodes; None for a server alone."""

    def require_known(self, limits: Iterable[Limit]) -> None:
        """Check that every setting is a bound of one of these limits. Raises: UnknownLimitError."""
        self._limits = {limit.name: limit for limit in limits}
        known = {f"{limit.name}.{bound}" for limit in self._limits.values() for bound, _ in limit.bounds()}
        for name in self._settings.keys() - known:
            alike = sorted(each for each in known if each.partition(".")[0] == name.partition(".")[0])
            choices = f"Its bounds are {', '.join(alike)}." if alike else "docs/limits.md lists them."
            raise UnknownLimitError(f"There is no limit {name}. {choices}")

    def share(self, bus: Bus) -> None:
        """Add the uses on all other nodes, with a short delay."""
        if not bus.is_alone:
            self._shared = SharedUse(bus, self._spend_elsewhere)

    def bound(self, limit: Limit, bound: Bound) -> float | None:
        """Return a bound of a limit as configured; None if it does not apply."""
        return self._bounds_of(limit).get(bound)

    # Uses over time

    def use(self, limit: Limit, user: User, amount: float = 1, subject: str = "") -> None:
        """Count a use, unless a bound is reached. Raises: Refusal.

        `subject` is the thing used, if each has its own bounds.
        """
        self.check(limit, user, amount, subject)
        self.spend(limit, user, amount, subject)

    def check(self, limit: Limit, user: User, amount: float = 1, subject: str = "") -> None:
        """Refuse a use beyond any bound, without counting it. Raises: Refusal."""
        now_ms, address = self._now_ms(), user.connection_info.address
        for bound, key in _keys(user, subject):
            bucket = self._bucket(limit, bound)
            if bucket is not None and bucket.left(key, now_ms) < amount:
                raise self.refusal(limit, bound, address, bucket.wait_ms(key, amount, now_ms))

    def spend(self, limit: Limit, user: User, amount: float, subject: str = "") -> None:
        """Count a use even beyond the bounds, which it then overdraws."""
        now_ms = self._now_ms()
        for bound, bucket, key in self._of(limit, user, subject):
            bucket.spend(key, amount, now_ms)
            self._tell(limit, bound, key, amount)

    def put_back(self, limit: Limit, user: User, amount: float = 1, subject: str = "") -> None:
        """Undo a use, for example a sign-in that succeeded; counting first keeps simultaneous uses within bounds."""
        for bound, bucket, key in self._of(limit, user, subject):
            bucket.put_back(key, amount, self._now_ms())
            self._tell(limit, bound, key, -amount)

    def left(self, limit: Limit, user: User) -> float:
        """Return the rest of the narrowest bound; negative after an overdraft."""
        return min((bucket.left(key, self._now_ms()) for _, bucket, key in self._of(limit, user)), default=float("inf"))

    def use_at(self, limit: Limit, address: str, amount: float = 1) -> int:
        """Count a use of an address without a known player, and return 0; or return the milliseconds to wait if its
        bound is overdrawn.

        A use may overdraw it once.
        """
        bucket = self._bucket(limit, Bound.ADDRESS)
        if bucket is None:
            return 0
        now_ms = self._now_ms()
        if bucket.left(address, now_ms) < 0:
            self.report(limit, Bound.ADDRESS, address)
            return 1 + bucket.wait_ms(address, 0, now_ms)
        bucket.spend(address, amount, now_ms)
        self._tell(limit, Bound.ADDRESS, address, amount)
        return 0

    def left_at(self, limit: Limit, address: str) -> float:
        """Return the rest for an address without a known player."""
        bucket = self._bucket(limit, Bound.ADDRESS)
        return float("inf") if bucket is None else bucket.left(address, self._now_ms())

    def is_busy_at(self, limit: Limit, address: str) -> bool:
        """Return whether an address has used more than half of its bound."""
        return self.left_at(limit, address) < (self.bound(limit, Bound.ADDRESS) or 0) / 2

    # How many at a time

    def hold(self, limit: Limit, user: User, subject: str = "") -> Hold:
        """Count one more until it is released, or refuse it at a bound. Raises: Refusal."""
        keys = [(Bound.CONNECTION, (user, subject)), *_keys(user, subject)]
        reached = self._reached(limit, keys)
        if reached is not None:
            raise self.refusal(limit, reached, user.connection_info.address)
        return self._hold(limit, keys)

    def hold_at(self, limit: Limit, address: str, account: IdentityId | None = None) -> Hold | None:
        """Count one more at an address, of an account or a visitor; None if a bound is reached."""
        own = (Bound.GUESTS, address) if account is None else (Bound.ACCOUNT, account)
        keys = [own, (Bound.ADDRESS, address), (Bound.EVERYONE, "")]
        reached = self._reached(limit, keys)
        if reached is not None:
            self.report(limit, reached, address)
            return None
        return self._hold(limit, keys)

    def require_room(self, limit: Limit, user: User, present: Present) -> None:
        """Refuse one more than the present number at a bound. Raises: Refusal."""
        is_registered = user.player.registered
        numbers = {
            Bound.ACCOUNT if is_registered else Bound.GUEST: present.of_player,
            Bound.ADDRESS: present.of_address,
            Bound.EVERYONE: present.of_everyone,
        }
        for bound, number in numbers.items():
            most = self.bound(limit, bound)
            if most is not None and number >= most:
                raise self.refusal(limit, bound, user.connection_info.address)

    # What happens at a bound

    def refusal(self, limit: Limit, bound: Bound, address: str, wait_ms: int = 0) -> Refusal:
        """Return the refusal of a use beyond a bound, and report it."""
        self.report(limit, bound, address)
        most = self.bound(limit, bound) or 0
        refusal = Refusal(limit.code, limit.refusal, **({"bound": f"{most:,g}"} if "{bound}" in limit.refusal else {}))
        if bound in (Bound.GUESTS, Bound.ADDRESS):
            refusal.add([Wording(COUNTS_ADDRESS)])
        if wait_ms > 0:
            refusal.add([Wording(TRY_AGAIN, {"wait_ms": wait_ms})])
        return refusal

    def report(self, limit: Limit, bound: Bound, address: str) -> None:
        """Count an exceeded bound in the metrics, and log it."""
        metrics.LIMITS_REACHED.labels(limit.name, bound.value).inc()
        self.security_log.note("limit reached", address, limit=limit.name, bound=bound.value)

    def _bounds_of(self, limit: Limit) -> dict[Bound, float]:
        bounds = self._bounds.get(limit.name)
        if bounds is None:
            bounds = self._bounds[limit.name] = {}
            for bound, default in limit.bounds():
                factor = self._address_factor if bound in (Bound.GUESTS, Bound.ADDRESS) else 1.0
                bounds[bound] = self._settings.get(f"{limit.name}.{bound}", default * factor)
        return bounds

    def _bucket(self, limit: Limit, bound: Bound) -> TokenBucket | None:
        burst = self.bound(limit, bound)
        if burst is None:
            return None
        bucket = self._buckets.get((limit.name, bound))
        if bucket is None:
            bucket = self._buckets[limit.name, bound] = TokenBucket(burst, limit.window_ms)
        return bucket

    def _tell(self, limit: Limit, bound: Bound, key: str, amount: float) -> None:
        if self._shared is not None:
            self._shared.note_use((limit.name, bound, key), amount)

    def _spend_elsewhere(self, key: Key, amount: float) -> None:
        """Count a use on another node."""
        name, bound, whose = key
        limit = self._limits.get(name)
        bucket = None if limit is None or bound not in _BOUNDS else self._bucket(limit, Bound(bound))
        if bucket is None:
            return
        if amount < 0:
            bucket.put_back(whose, -amount, self._now_ms())
        else:
            bucket.spend(whose, amount, self._now_ms())

    def _count_held(self, limit: Limit, bound: Bound, key: object) -> int:
        count = self._held[limit.name, bound, key]
        if self._shared is not None and isinstance(key, str):
            count += self._shared.held_elsewhere((limit.name, bound, key))
        return count

    def _of(self, limit: Limit, user: User, subject: str = "") -> Iterator[tuple[Bound, TokenBucket, str]]:
        for bound, key in _keys(user, subject):
            bucket = self._bucket(limit, bound)
            if bucket is not None:
                yield bound, bucket, key

    def _reached(self, limit: Limit, keys: Sequence[tuple[Bound, object]]) -> Bound | None:
        """Return the first bound that is reached. An address that holds nothing gets one even beyond everyone's."""
        held = {bound: self._count_held(limit, bound, key) for bound, key in keys}
        for bound, count in held.items():
            most = self.bound(limit, bound)
            if most is not None and count >= most and (bound is not Bound.EVERYONE or held[Bound.ADDRESS]):
                return bound
        return None

    def _hold(self, limit: Limit, bounds: Iterable[tuple[Bound, object]]) -> Hold:
        keys = [(limit.name, bound, key) for bound, key in bounds if self.bound(limit, bound) is not None]
        self._held.update(keys)
        self._tell_held(keys)

        def release() -> None:
            for key in keys:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]
            self._tell_held(keys)

        return Hold(release)

    def _tell_held(self, keys: Iterable[tuple[str, Bound, object]]) -> None:
        if self._shared is not None:
            for name, bound, key in keys:
                if isinstance(key, str):
                    self._shared.note_held((name, bound, key), self._held[name, bound, key])


def limits_of(settings: Settings, now_ms: NowMs) -> Limits:
    """Return the limits of a server."""
    security_log = SecurityLog(now_ms, settings.security_log)
    return Limits(now_ms, security_log, settings.limits, settings.address_factor)


def _keys(user: User, subject: str) -> Iterator[tuple[Bound, str]]:
    """Yield a user's bounds without that of the connection, each with the key of its uses."""
    end = f" {subject}" if subject else ""
    address = f"{user.connection_info.address}{end}"
    if user.player.registered:
        yield Bound.ACCOUNT, f"{user.identity}{end}"
    else:
        yield Bound.GUEST, f"{user.identity}{end}"
        yield Bound.GUESTS, address
    yield Bound.ADDRESS, address
    yield Bound.EVERYONE, subject
