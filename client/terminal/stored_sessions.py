"""The sessions of a user's terminal: who played last on each server, with the token, in a file that is theirs alone."""

import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

FILE = "sessions.json"
MOST_SESSIONS = 8
"""Maximum sessions to keep for a server; the oldest are forgotten."""


class StoredSession(msgspec.Struct, frozen=True):
    """A player's session on a server."""

    name: str
    token: str
    has_account: bool


class StoredSessions:
    """The sessions in a file, by the server's URL. A file that cannot be read counts as empty."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def find(self, site: str, name: str = "") -> StoredSession | None:
        """Return the latest session of a server: of an account if it is named, otherwise of any player."""
        found = self._read().get(site, ())
        return next((each for each in found if not name or (each.has_account and _same(each.name, name))), None)

    def keep(self, site: str, session: StoredSession) -> None:
        """Store a session as its server's latest. It replaces an earlier one of its player, and of any guest.

        Raises: OSError.
        """
        others = [
            each
            for each in self._read().get(site, ())
            if not _same(each.name, session.name) and (each.has_account or session.has_account)
        ]
        self._write(site, (session, *others[: MOST_SESSIONS - 1]))

    def forget(self, site: str, token: str) -> None:
        """Remove the session of a token. Raises: OSError."""
        found = self._read().get(site, ())
        if any(each.token == token for each in found):
            self._write(site, tuple(each for each in found if each.token != token))

    def _read(self) -> Mapping[str, tuple[StoredSession, ...]]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, tuple[StoredSession, ...]])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}

    def _write(self, site: str, sessions: tuple[StoredSession, ...]) -> None:
        """Replace a server's sessions. The file is never open to others, and never half written."""
        content = msgspec.json.format(msgspec.json.encode({**self._read(), site: sessions}))
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=FILE)  # with the permissions 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(name, self.path)
        except OSError:
            with suppress(OSError):
                os.unlink(name)
            raise


def sessions_of_user() -> StoredSessions | None:
    """Return the sessions in the user's folder for configuration; None if they have no home folder."""
    import platformdirs  # noqa: PLC0415  # not needed to play with --local

    try:
        return StoredSessions(platformdirs.user_config_path("millrace", appauthor=False).expanduser() / FILE)
    except RuntimeError:
        return None


def _same(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()
