"""The log of security events: failed sign-ins, refused origins and hosts, exceeded limits.

An entry has the address and the event; never a password, a token or a user's text. Entries repeated within a minute are
counted instead of logged, so that an attack cannot fill the disk.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import structlog

from .private_files import open_privately
from .standard_streams import TIME_FORMAT
from .system_clock import NowMs

log = structlog.get_logger()

QUIET_MS = 60_000
"""Interval in which the same event from the same address is logged once."""
MAX_REMEMBERED = 10_000
"""Maximum number of remembered events."""
MAX_DETAIL = 200
"""Maximum length of a detail."""


class SecurityLog:
    """Writes security events to the server's log, and to a file of JSON lines if there is one."""

    def __init__(self, now_ms: NowMs, file: Path | None = None) -> None:
        self._now_ms = now_ms
        self._file = file
        self._logged: dict[tuple[str, ...], tuple[int, int]] = {}
        """When each event was last logged, and its number since."""

    def note(self, event: str, address: str, detail: str = "", **facts: str) -> None:
        """Log an event with facts about it. `detail`, which a stranger may choose, does not make it a new event."""
        key, now_ms = (event, address, *facts.values()), self._now_ms()
        logged_ms, repeated = self._logged.get(key, (now_ms - QUIET_MS, 0))
        if now_ms - logged_ms < QUIET_MS:
            self._logged[key] = logged_ms, repeated + 1
            return
        if len(self._logged) >= MAX_REMEMBERED:
            self._logged = {each: (at, n) for each, (at, n) in self._logged.items() if now_ms - at < QUIET_MS}
            if len(self._logged) >= MAX_REMEMBERED:
                self._logged.clear()
        self._logged[key] = now_ms, 0
        entry: dict[str, object] = {"address": address, **facts}
        if detail:
            entry["detail"] = detail[:MAX_DETAIL]
        if repeated:
            entry["repeated"] = repeated
        log.warning(event, security=True, **entry)
        if self._file is not None:
            self._write({"time": datetime.now(UTC).strftime(TIME_FORMAT), "event": event, **entry})

    def _write(self, entry: dict[str, object]) -> None:
        """Append a line to the private file, which is opened each time so that it can be rotated."""
        assert self._file is not None
        try:
            with open(self._file, "a", encoding="utf-8", opener=open_privately) as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        except OSError as error:
            log.warning("security log not written", error=str(error))
