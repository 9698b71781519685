"""What the terminal remembers of its player on one server: the session, between one run and the next."""

from ..connection import Connection
from .stored_sessions import StoredSession, StoredSessions


class PlayerMemory:
    """The remembered session on a server. Without a store nothing is remembered."""

    def __init__(self, site: str, store: StoredSessions | None) -> None:
        self.session: StoredSession | None = None
        """The session to continue, or that is being played; None before there is one."""
        self._site = site
        self._store = store

    def recall(self, name: str = "") -> None:
        """Find the latest session of the named account or, without a name, of the last player."""
        self.session = None if self._store is None else self._store.find(self._site, name)

    def keep(self, me: Connection) -> str:
        """Remember the player of a connection, in place of the guest they were before they registered.

        Return why that failed, for the player; otherwise an empty text.
        """
        if self._store is None:
            return ""
        previous, self.session = self.session, StoredSession(me.player.name, me.token, me.player.registered)
        try:
            if previous is not None and previous.token != self.session.token:
                self._store.forget(self._site, previous.token)
            self._store.keep(self._site, self.session)
        except OSError as error:
            return f"You will not be remembered: {self._store.path} cannot be written ({error.strerror})."
        return ""

    def forget(self) -> str:
        """Forget the session. Return why that failed, for the player; otherwise an empty text."""
        session, self.session = self.session, None
        if self._store is None or session is None:
            return ""
        try:
            self._store.forget(self._site, session.token)
        except OSError as error:
            return f"{self._store.path} cannot be written ({error.strerror}): delete it to be forgotten."
        return ""
