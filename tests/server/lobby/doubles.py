"""Replacements for ratings and sessions in tests of the lobby."""

from collections.abc import Sequence

from millrace.protocol import Code, IdentityId, Player, Speed
from millrace.protocol.frames import WireFrame
from millrace.server.callers.presence import Credential
from millrace.server.ratings.ratings import Ratings


class EqualRatings(Ratings):
    """Ratings that are all equal."""

    def __init__(self) -> None:
        """Keep nothing."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return the initial rating."""
        return 1500

    def settled_speed(self, identity: IdentityId, game: str, seats: int) -> Speed | None:
        """Return that no rating is settled."""
        return None


class FakeSession:
    """A session of a player."""

    credential: Credential | None = None
    is_api = False
    opened_s = 0.0
    address = "192.0.2.7"

    def __init__(self, identity: IdentityId) -> None:
        self.identity = identity
        self.player = Player(identity, str(identity))
        self.frames: list[WireFrame] = []

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        self.frames += frames

    deliver_now = deliver

    def update_player(self, player: Player) -> None:
        raise AssertionError

    def send_elsewhere(self) -> bool:
        raise AssertionError

    def disconnect(self, code: Code, explanation: str) -> None:
        raise AssertionError
