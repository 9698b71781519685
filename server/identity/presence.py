"""Who is connected: the sessions of this process, by identity and by the credential that let them in.

It knows neither sockets nor matches; whether somebody looks at a match is its room's business.
"""

from collections.abc import Callable, Sequence
from typing import NewType, Protocol

from ..protocol import Code, IdentityId, Player
from ..protocol.frames import WireFrame

Credential = NewType("Credential", str)
"""What let a session in, as its hash: a browser's session or an API token. Guests have none."""


class Recipient(Protocol):
    """Somebody connected who is told what happens."""

    @property
    def identity(self) -> IdentityId:
        """Who it is."""

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in order, without waiting; one who cannot keep up is disconnected."""

    def deliver_now(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in this turn of the event loop."""


class PlayerSession(Recipient, Protocol):
    """A session of somebody who has been welcomed."""

    @property
    def player(self) -> Player:
        """Who it is to others."""

    @property
    def credential(self) -> Credential | None:
        """What let it in."""

    @property
    def is_api(self) -> bool:
        """Whether an API token let it in."""

    def update_player(self, player: Player) -> None:
        """From now on this is who it is to others; the identity stays the same."""

    def dismiss(self, code: Code, words: str) -> None:
        """Say why, and close the connection, without waiting until it is closed."""


class Presence:
    """The sessions of this process."""

    def __init__(self) -> None:
        self._by_identity: dict[IdentityId, list[PlayerSession]] = {}
        self.observers: list[Callable[[Player, bool], None]] = []
        """Are told who has come with a first session, or gone with the last."""

    def add(self, present: PlayerSession) -> None:
        """Note that somebody is here."""
        sessions = self._by_identity.setdefault(present.identity, [])
        sessions.append(present)
        if len(sessions) == 1:
            self._tell(present.player, True)

    def remove(self, present: PlayerSession) -> None:
        """Note that a session is over; one that was never added is over already."""
        sessions = self._by_identity.get(present.identity, [])
        if present not in sessions:
            return
        sessions.remove(present)
        if not sessions:
            del self._by_identity[present.identity]
            self._tell(present.player, False)

    @property
    def players(self) -> tuple[Player, ...]:
        """Everyone who is here, each once, as others see them."""
        return tuple(sessions[0].player for sessions in self._by_identity.values())

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether somebody has a session."""
        return identity in self._by_identity

    def sessions_of(self, identity: IdentityId) -> tuple[PlayerSession, ...]:
        """Return the sessions of somebody, the first to come first."""
        return tuple(self._by_identity.get(identity, ()))

    def deliver(self, identity: IdentityId, frames: Sequence[WireFrame]) -> None:
        """Send frames to every session of somebody."""
        for session in self.sessions_of(identity):
            session.deliver(frames)

    def dismiss(self, identity: IdentityId, which: Callable[[PlayerSession], bool], code: Code, words: str) -> None:
        """Say why, and close those sessions of somebody for which `which` is true."""
        for session in self.sessions_of(identity):
            if which(session):
                session.dismiss(code, words)

    def _tell(self, player: Player, is_here: bool) -> None:
        for observer in self.observers:
            observer(player, is_here)
