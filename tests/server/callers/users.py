"""Users of limits, and limits on a simulated clock."""

from typing import Any, cast

from millrace.protocol import IdentityId, Player
from millrace.server.callers.caller import Caller, ConnectionInfo
from millrace.server.callers.limits import Limits
from millrace.server.runtime.security_log import SecurityLog


class User:
    """One connection, with everything that limits ask of it."""

    def __init__(self, name: str, address: str, *, registered: bool) -> None:
        self.identity = IdentityId(name)
        self.player = Player(self.identity, name, registered=registered)
        self.connection_info = ConnectionInfo(address)


def user(name: str, address: str = "192.0.2.1", *, registered: bool = False) -> Caller:
    """Return a caller of whom limits know all that they ask for."""
    return cast(Caller, User(name, address, registered=registered))


class LimitsOnClock:
    """Limits, and the time by which they go."""

    def __init__(self, **settings: Any) -> None:
        self.now_ms = 1_000_000
        self.limits = Limits(self._read, SecurityLog(self._read), **settings)

    def _read(self) -> int:
        return self.now_ms
