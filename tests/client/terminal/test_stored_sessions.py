"""The remembered sessions: who is found, and that the file is the user's alone."""

import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from millrace.client import Connection
from millrace.client.terminal.player_memory import PlayerMemory
from millrace.client.terminal.stored_sessions import StoredSession, StoredSessions
from millrace.protocol import IdentityId, Player

SITE = "http://localhost:8000"
ANN, BEN = (StoredSession(name, f"token of {name}", has_account=True) for name in ("Ann", "Ben"))
GUEST, OTHER_GUEST = (StoredSession(name, f"token of {name}", has_account=False) for name in ("Keen Owl", "Wise Elk"))


def test_the_latest_player_of_a_server_is_found_and_any_account_by_its_name(tmp_path: Path) -> None:
    store = StoredSessions(tmp_path / "folder" / "sessions.json")
    assert store.find(SITE) is None
    for session in (ANN, GUEST, BEN, OTHER_GUEST):
        store.keep(SITE, session)
    assert store.find(SITE) == OTHER_GUEST
    assert store.find(SITE, "ann") == ANN
    assert store.find(SITE, GUEST.name) is None
    assert store.find("https://millrace.example") is None
    store.forget(SITE, OTHER_GUEST.token)
    assert store.find(SITE) == BEN


def test_only_the_user_can_read_the_file_whatever_the_mask(tmp_path: Path) -> None:
    store = StoredSessions(tmp_path / "folder" / "sessions.json")
    mask = os.umask(0)
    try:
        store.keep(SITE, ANN)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    assert list(store.path.parent.iterdir()) == [store.path]


def test_a_file_that_cannot_be_read_counts_as_empty(tmp_path: Path) -> None:
    store = StoredSessions(tmp_path / "sessions.json")
    for content in (b"\xff", b"[]", b"{"):
        store.path.write_bytes(content)
        assert store.find(SITE) is None
    store.keep(SITE, ANN)
    assert store.find(SITE) == ANN


def test_what_cannot_be_remembered_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    memory = PlayerMemory(SITE, StoredSessions(tmp_path / "file" / "sessions.json"))
    me = SimpleNamespace(player=Player(IdentityId("x"), "Ann", registered=True), token="token")
    assert "You will not be remembered" in memory.keep(cast(Connection, me))
    assert memory.session == StoredSession("Ann", "token", has_account=True)
