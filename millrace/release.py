"""The release that is installed, and the commit that it was made from."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

COMMIT_FILE = Path(__file__).with_name("commit.txt")
"""Written when a wheel is built from a checkout."""

_SHOWN_DIGITS = 12


@cache
def release_version() -> str:
    """Return the number of the release, such as `0.1.0`."""
    try:
        return version("millrace")
    except PackageNotFoundError:
        return "0"


@cache
def release_commit() -> str:
    """Return the first digits of the commit; empty if it is not known."""
    if COMMIT_FILE.is_file():
        return COMMIT_FILE.read_text(encoding="ascii").strip()
    return read_commit(Path(__file__).resolve().parents[1])


def release_text() -> str:
    """Return the release as it is shown: `0.1.0 (a1b2c3d4e5f6)`."""
    commit = release_commit()
    return f"{release_version()} ({commit})" if commit else release_version()


def read_commit(checkout: Path) -> str:
    """Return the first digits of a checkout's commit, without running git; empty if this is none."""
    try:
        git = _git_folder(checkout / ".git")
        head = (git / "HEAD").read_text(encoding="ascii").strip()
        if not head.startswith("ref: "):
            return head[:_SHOWN_DIGITS]
        common = git / "commondir"
        base = git / common.read_text(encoding="utf-8").strip() if common.is_file() else git
        return _commit_of(base, head.removeprefix("ref: "))[:_SHOWN_DIGITS]
    except (OSError, ValueError):
        return ""


def _git_folder(path: Path) -> Path:
    """Return the folder that a worktree's file `.git` names, or `.git` itself."""
    return Path(path.read_text(encoding="utf-8").removeprefix("gitdir: ").strip()) if path.is_file() else path


def _commit_of(git: Path, reference: str) -> str:
    loose = git / reference
    if loose.is_file():
        return loose.read_text(encoding="ascii").strip()
    packed = (line.split() for line in (git / "packed-refs").read_text(encoding="utf-8").splitlines())
    return next((words[0] for words in packed if words[1:] == [reference]), "")
