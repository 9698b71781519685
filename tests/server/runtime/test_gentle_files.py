"""Large files are written piece by piece, and take their place when they are complete."""

import os
from pathlib import Path

import pytest

from millrace.server.runtime import gentle_files
from millrace.server.runtime.gentle_files import PIECE_BYTES, replacing
from millrace.server.runtime.private_files import PRIVATE


def test_at_most_one_piece_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, most = 0, 0
    write = os.write

    def count(descriptor: int, data: bytes) -> int:
        nonlocal waiting, most
        written = write(descriptor, data)
        waiting += written
        most = max(most, waiting)
        return written

    def synchronise(_: int) -> None:
        nonlocal waiting
        waiting = 0

    monkeypatch.setattr(os, "write", count)
    monkeypatch.setattr(gentle_files, "_synchronise", synchronise)
    data = bytes(range(256)) * 20_000
    with replacing(tmp_path / "large") as file:
        file.write(data)
        file.write(b"end")
    assert (tmp_path / "large").read_bytes() == data + b"end"
    assert 0 < most <= PIECE_BYTES
    assert waiting == 0


@pytest.mark.parametrize("name", [".", "missing/book", "pipe"])
def test_only_a_file_is_replaced(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=str(tmp_path)), replacing(tmp_path / name):
        pass
    assert os.listdir(tmp_path) == ["pipe"]


def write_and_stop(path: Path) -> None:
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"former"
        raise KeyboardInterrupt


def test_a_file_is_replaced_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.write_bytes(b"former")
    with pytest.raises(KeyboardInterrupt):
        write_and_stop(path)
    assert path.read_bytes() == b"former"
    assert os.listdir(tmp_path) == ["book"]
    with replacing(path, PRIVATE) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == PRIVATE
