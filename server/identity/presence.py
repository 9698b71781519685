"""Presence: which players are connected to this server, by identity and by the credential of each session.

Whether a player is watching a match is known to the match's room.
"""

from collections.abc import Callable, Sequence
from typing import NewType, Protocol

from ..bus.bus import Bus
from ..bus.events import PresenceChanged
from ..protocol import Code, IdentityId, Player
from ..protocol.frames import WireFrame

Credential = NewType("Credential", str)
"""The hash of the token that a session was authenticated by: a browser's session or an API token."""


class Recipient(Protocol):
    """A connected player to whom the server sends frames."""

    @property
    def identity(self) -> IdentityId:
        """The player's identity."""

    def deliver(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in order, without waiting. A client that does not read them is disconnected."""

    def deliver_now(self, frames: Sequence[WireFrame]) -> None:
        """Send frames in this turn of the event loop."""


class PlayerSession(Recipient, Protocol):
    """A connection that has been welcomed."""

    @property
    def player(self) -> Player:
        """The player, as others see them."""

    @property
    def credential(self) -> Credential | None:
        """The credential that authenticated the session. None for a guest."""

    @property
    def is_api(self) -> bool:
        """Whether an API token authenticated the session."""

    def update_player(self, player: Player) -> None:
        """Change the player's name or whether it is a bot. The identity stays the same."""

    def disconnect(self, code: Code, explanation: str) -> None:
        """Send a refusal and close the connection, without waiting until it is closed."""


class Presence:
    """The sessions on this server."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._by_identity: dict[IdentityId, list[PlayerSession]] = {}

    def add(self, session: PlayerSession) -> None:
        """Add a session."""
        sessions = self._by_identity.setdefault(session.identity, [])
        sessions.append(session)
        if len(sessions) == 1:
            self._bus.publish(PresenceChanged(session.player, True))

    def remove(self, session: PlayerSession) -> None:
        """Remove a session that has ended. One that was never added is ignored."""
        sessions = self._by_identity.get(session.identity, [])
        if session not in sessions:
            return
        sessions.remove(session)
        if not sessions:
            del self._by_identity[session.identity]
            self._bus.publish(PresenceChanged(session.player, False))

    @property
    def players(self) -> tuple[Player, ...]:
        """Every connected player, once."""
        return tuple(sessions[0].player for sessions in self._by_identity.values())

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether a player has a session."""
        return identity in self._by_identity

    def sessions_of(self, identity: IdentityId) -> tuple[PlayerSession, ...]:
        """Return the sessions of a player, oldest first."""
        return tuple(self._by_identity.get(identity, ()))

    def deliver(self, identity: IdentityId, frames: Sequence[WireFrame]) -> None:
        """Send frames to every session of a player."""
        for session in self.sessions_of(identity):
            session.deliver(frames)

    def disconnect(
        self, identity: IdentityId, is_meant: Callable[[PlayerSession], bool], code: Code, explanation: str
    ) -> None:
        """Send a refusal to the sessions of a player for which `is_meant` is true, and close them."""
        for session in self.sessions_of(identity):
            if is_meant(session):
                session.disconnect(code, explanation)
