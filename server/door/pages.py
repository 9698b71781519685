"""The browser client as it is served: two documents, and the files that they name, which a browser may keep for good.

Each request costs a browser a connection of its own, so there are to be few. The path of a file has the release, which
changes whenever any file does: a browser that has a file never asks for it again. The style sheets of a document are
sent as one, and a document tells ahead which modules its script imports, which saves a journey for each step from one
to the next. What shrinks is sent compressed to those who can read that.

Imported by `server.door.web`.
"""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from importlib.resources.abc import Traversable
from typing import NamedTuple

STATIC_FOLDER = "/static/"
KEEP_FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
"""Keep it, but ask at each use whether it has changed."""

_SHEETS = re.compile(r'(?:<link rel="stylesheet" href="/static/[^"]+">\s*)+')
_SCRIPT = re.compile(r'<script type="module" src="/static/([^"]+)">')
_NAMED = re.compile(r'"/static/([^"]+)"')
_IMPORT = re.compile(r'^(?:import|export|\})[^"]* from "(\.{1,2}/[^"]+)";$', re.MULTILINE)


class Page(NamedTuple):
    """What is sent when it is asked for."""

    body: bytes
    packed: bytes | None
    """The same by gzip, where that is less."""
    content_type: str
    tag: str
    """Changes exactly when the body does."""
    keeping: str = KEEP_FOR_GOOD
    """What a browser is told about keeping it, as the value of `Cache-Control`."""


class Pages:
    """The files in a folder with the browser client."""

    def __init__(self, folder: Traversable) -> None:
        files = _read(folder)
        digest = hashlib.sha256(b"\0".join(part for name in sorted(files) for part in (name.encode(), files[name])))
        self._release = digest.hexdigest()[:12]
        self._pages = {name: _page(name, body) for name, body in files.items()}
        self.index = self._document("index.html", files)
        """What is shown at most addresses; its script finds out what to show there."""
        self.embed = self._document("embed/embed.html", files)
        """What is shown within pages of other sites."""

    def find(self, path: str) -> Page | None:
        """Return the file at a path of the address, or None; one asked for by another release is not to be kept."""
        release, _, name = path.removeprefix(STATIC_FOLDER).partition("/")
        page = self._pages.get(name)
        if page is None or not path.startswith(STATIC_FOLDER):
            return None
        return page if release == self._release else page._replace(keeping=ASK_AGAIN)

    def _document(self, name: str, files: dict[str, bytes]) -> Page:
        """Return a document that names the files of this release."""
        joined = f"{posixpath.splitext(name)[0]}.sheets.css"

        def name_less(sheets: re.Match[str]) -> str:
            self._pages[joined] = _page(joined, b"\n".join(files[sheet] for sheet in _NAMED.findall(sheets[0])))
            return f'<link rel="stylesheet" href="{STATIC_FOLDER}{joined}">\n    '

        def name_more(script: re.Match[str]) -> str:
            ahead = [
                f'<link rel="modulepreload" href="{STATIC_FOLDER}{each}">' for each in _imports_of(script[1], files)
            ]
            return "\n    ".join([*ahead, script[0]])

        text = _SCRIPT.sub(name_more, _SHEETS.sub(name_less, files[name].decode()))
        text = text.replace(f'"{STATIC_FOLDER}', f'"{STATIC_FOLDER}{self._release}/')
        return _page(name, text.encode())._replace(keeping=ASK_AGAIN)


def _imports_of(script: str, files: dict[str, bytes]) -> list[str]:
    """Return the modules that a module imports, those that they import included, nearest first."""
    found = [script]
    for module in found:
        for name in _IMPORT.findall(files[module].decode()):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
            if imported not in found:
                found.append(imported)
    return found[1:]


def _read(folder: Traversable, prefix: str = "") -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            files |= _read(entry, f"{prefix}{entry.name}/")
        else:
            files[f"{prefix}{entry.name}"] = entry.read_bytes()
    return files


def _page(name: str, body: bytes) -> Page:
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if content_type.startswith("text/") or content_type.endswith("javascript"):
        content_type += "; charset=utf-8"
    packed = gzip.compress(body, mtime=0)
    return Page(body, packed if len(packed) < len(body) else None, content_type, hashlib.sha256(body).hexdigest()[:16])
