"""Presence: the connected players, here by identity and credential of each session, elsewhere by identity.

A match's room knows who is watching it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NewType, Protocol

import msgspec

from millrace.protocol import Code, IdentityId, Player
from millrace.protocol.frames import WireFrame

from ..cluster.bus import Bus
from ..cluster.events import PresenceChanged, SharedEvent
from ..cluster.shared_map import SharedMap

Credential = NewType("Credential", str)
"""The hash of the token that authenticated a session: a browser's session or an API token."""


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
    """A connection after `Welcome`."""

    @property
    def player(self) -> Player:
        """The player, as others see them."""

    @property
    def credential(self) -> Credential | None:
        """The credential that authenticated the session. None for a guest."""

    @property
    def is_api(self) -> bool:
        """Whether an API token authenticated the session."""

    @property
    def address(self) -> str:
        """The network of the client, for limits."""

    @property
    def opened_s(self) -> float:
        """When the connection was opened, by the event loop's clock."""

    def update_player(self, player: Player) -> None:
        """Change the player's name or whether it is a bot. The identity stays the same."""

    def send_elsewhere(self) -> bool:
        """Close the connection so that the client opens another one, perhaps to another node.

        Returns False, and does nothing, while a message is being answered.
        """

    def disconnect(self, code: Code, explanation: str) -> None:
        """Send a refusal and close the connection, without waiting until it is closed."""


class SessionFilter(msgspec.Struct, frozen=True):
    """Selects some of a player's sessions: all, unless a field is set."""

    credential: Credential | None = None
    """Only sessions that this credential authenticated."""
    other_than: Credential | None = None
    """Only sessions that this credential did not authenticate."""
    spares_api: bool = False
    """Only sessions without an API token."""

    def is_met(self, session: PlayerSession) -> bool:
        """Return whether a session is selected."""
        if self.credential is not None and session.credential != self.credential:
            return False
        if self.other_than is not None and session.credential == self.other_than:
            return False
        return not (self.spares_api and session.is_api)


class SessionsEnded(SharedEvent, frozen=True):
    """Some of a player's sessions are over, on any node."""

    identity: IdentityId
    sessions: SessionFilter
    code: Code
    explanation: str


class PlayerUpdated(SharedEvent, frozen=True):
    """A player has another name, or has become a bot."""

    player: Player


class Presence:
    """The sessions on this node, and the players with a session on another."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._by_identity: dict[IdentityId, list[PlayerSession]] = {}
        self._shared: SharedMap[Player] = SharedMap(bus, "presence", Player, self._changed_elsewhere)
        self._elsewhere: dict[IdentityId, Player] = {}
        """Players with a session on another node."""
        self._arriving: list[list[SessionsEnded]] = []
        """For each session being authenticated: the sessions that have ended meanwhile."""
        if not bus.is_alone:
            bus.subscribe_elsewhere(SessionsEnded, self.disconnect_here)
            bus.subscribe_elsewhere(PlayerUpdated, lambda event: self.update_player_here(event.player))

    def add(self, session: PlayerSession) -> None:
        """Add a session."""
        sessions = self._by_identity.setdefault(session.identity, [])
        sessions.append(session)
        if len(sessions) == 1:
            self._shared.put(session.identity, session.player)
            if session.identity not in self._elsewhere:
                self._bus.publish(PresenceChanged(session.player, True))

    def remove(self, session: PlayerSession) -> None:
        """Remove a session that has ended. One that was never added is ignored."""
        sessions = self._by_identity.get(session.identity, [])
        if session not in sessions:
            return
        sessions.remove(session)
        if not sessions:
            del self._by_identity[session.identity]
            self._shared.remove(session.identity)
            if session.identity not in self._elsewhere:
                self._bus.publish(PresenceChanged(session.player, False))

    @property
    def players(self) -> tuple[Player, ...]:
        """Every connected player, once, on any node."""
        elsewhere = (player for identity, player in self._elsewhere.items() if identity not in self._by_identity)
        return (*self.players_here, *elsewhere)

    @property
    def players_here(self) -> tuple[Player, ...]:
        """Every player who is connected to this node, once."""
        return tuple(sessions[0].player for sessions in self._by_identity.values())

    @property
    def sessions_here(self) -> tuple[PlayerSession, ...]:
        """The sessions on this node."""
        return tuple(session for sessions in self._by_identity.values() for session in sessions)

    def is_online(self, identity: IdentityId) -> bool:
        """Return whether a player has a session on any node."""
        return identity in self._by_identity or identity in self._elsewhere

    def find(self, identity: IdentityId) -> Player | None:
        """Return a connected player."""
        sessions = self._by_identity.get(identity)
        return sessions[0].player if sessions else self._elsewhere.get(identity)

    def sessions_of(self, identity: IdentityId) -> tuple[PlayerSession, ...]:
        """Return the sessions of a player on this node, oldest first."""
        return tuple(self._by_identity.get(identity, ()))

    def deliver(self, identity: IdentityId, frames: Sequence[WireFrame]) -> None:
        """Send frames to every session of a player on this node."""
        for session in self.sessions_of(identity):
            session.deliver(frames)

    def update_player(self, player: Player) -> None:
        """Change a player's name, or whether it is a bot, for every session."""
        self.update_player_here(player)
        self._bus.publish(PlayerUpdated(player))

    def update_player_here(self, player: Player) -> None:
        """Do so for the sessions on this node only: other nodes do the same."""
        sessions = self.sessions_of(player.id)
        for session in sessions:
            session.update_player(player)
        if sessions:
            self._shared.put(player.id, player)

    def disconnect(self, ended: SessionsEnded, spared: PlayerSession | None = None) -> None:
        """Send a refusal to the selected sessions of a player, except a spared one, and close them."""
        self.disconnect_here(ended, spared)
        self._bus.publish(ended)

    def disconnect_here(self, ended: SessionsEnded, spared: PlayerSession | None = None) -> None:
        """Do so for the sessions on this node only: other nodes do the same."""
        for session in self.sessions_of(ended.identity):
            if session is not spared and ended.sessions.is_met(session):
                session.disconnect(ended.code, ended.explanation)
        for ended_meanwhile in self._arriving:
            ended_meanwhile.append(ended)

    @contextmanager
    def arriving(self) -> Iterator[Sequence[SessionsEnded]]:
        """Collect the sessions that end while one is being authenticated, perhaps with a token of one of them."""
        ended: list[SessionsEnded] = []
        self._arriving.append(ended)
        try:
            yield ended
        finally:
            self._arriving = [each for each in self._arriving if each is not ended]

    def _changed_elsewhere(self, key: str) -> None:
        identity = IdentityId(key)
        before, after = self._elsewhere.get(identity), self._shared.elsewhere(key)
        if after is not None:
            self._elsewhere[identity] = after
        else:
            self._elsewhere.pop(identity, None)
        if (before is None) != (after is None) and identity not in self._by_identity:
            player = after or before
            assert player is not None
            self._bus.publish(PresenceChanged(player, after is not None, is_here=False))
