"""The files written by `tools.make`, and whether they are up to date."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    ("protocol", "*"),
    ("tools", "**/*.py"),
    ("client/web", "**/*.js"),
    ("client/web", "**/*.html"),
    ("client/languages", "*.po"),
    ("engine/games", "*/languages/*.po"),
)
"""The folders and patterns of their sources."""
PROTOCOL_FILES = (
    "client/web/protocol.js",
    "client/web/protocol.schema.json",
    "client/web/asyncapi.json",
    "client/web/protocol.html",
)


def made_files(root: Path = ROOT) -> Iterator[Path]:
    """Yield the files, whether or not they exist."""
    yield from (root / path for path in PROTOCOL_FILES)
    for folder, pattern in SOURCES:
        if pattern.endswith(".po"):
            yield from (path.with_suffix(".json") for path in (root / folder).glob(pattern))


def are_outdated(root: Path = ROOT) -> bool:
    """Return whether a file is missing, or older than one of its sources."""
    made = set(made_files(root))
    if not all(path.exists() for path in made):
        return True
    sources = (path for folder, pattern in SOURCES for path in (root / folder).glob(pattern) if path.is_file())
    newest = max(path.stat().st_mtime for path in sources if path not in made)
    return newest > min(path.stat().st_mtime for path in made)
