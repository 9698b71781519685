"""The files of compiled kernels: each starts with a digest, since damaged machine code would crash the process.

`engine.kernel_cache` decides their contents and names.
"""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

DIGEST_BYTES = 32


def read_kernel(path: Path) -> bytes | None:
    """Return the content of a kernel's file, or None if it cannot be read. A damaged file is deleted."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    content = stored[DIGEST_BYTES:]
    if stored[:DIGEST_BYTES] == _digest_of(path, content):
        with contextlib.suppress(OSError):  # another user's folder may still be readable
            os.utime(path)
        return content
    delete_kernel(path)
    return None


def write_kernel(path: Path, content: bytes) -> None:
    """Write a kernel's file. Raises: OSError.

    The file is renamed when it is complete, so several processes may write it at once.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(_digest_of(path, content) + content)
            file.flush()
            # Otherwise a crash of the machine may leave an empty file under the final name.
            os.fsync(file.fileno())
        except OSError:
            delete_kernel(temporary)
            raise
    temporary.replace(path)


def delete_kernel(path: Path) -> None:
    """Delete a kernel's file, if allowed."""
    with contextlib.suppress(OSError):
        path.unlink()


def delete_oldest(folder: Path, most: int) -> None:
    """If a folder has more files than `most`, delete the least recently used quarter."""
    if len(os.listdir(folder)) > most:
        with contextlib.suppress(FileNotFoundError):  # another process deletes, too
            for old in sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)[: most // 4]:
                delete_kernel(old)


def _digest_of(path: Path, content: bytes) -> bytes:
    """Return the digest at the start of a file. It covers the name, so a copy of another kernel's file counts as
    damaged.
    """
    return hashlib.sha256(f"{path.name}\0".encode() + content).digest()
