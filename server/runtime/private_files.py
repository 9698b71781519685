"""Files and folders that only their owner may read, whatever the process's mask: they hold password hashes, addresses
and keys.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600
"""The permissions of a private file."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(path: Path, *, is_own: bool) -> None:
    """Create a folder, and its parents, if it does not exist; close an existing one to others if it `is_own`.

    Raises: OSError.
    """
    if path.is_dir():
        if is_own:
            close_to_others(path)
        return
    path.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)


def make_private_file(path: Path) -> None:
    """Create an empty private file if there is none, or close the one that exists to others.

    What the system does not allow is left to who opens the file.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))
    close_to_others(path)


def open_privately(path: str, flags: int) -> int:
    """Open a file, which is private if it is created: the `opener` of `open`."""
    return os.open(path, flags, PRIVATE)


def close_to_others(path: Path) -> None:
    """Take everybody else's permissions away from a file or folder, if it exists and belongs to this user."""
    with suppress(OSError):
        permissions = stat.S_IMODE(path.stat().st_mode)
        if permissions & _OTHERS:
            path.chmod(permissions & ~_OTHERS)
