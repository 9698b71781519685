"""The browser client as it is served: two documents, and the files that they name, which a browser may keep for good.

Each request costs a browser a connection of its own, so there are to be few. The path of a file has the release, which
changes whenever any file does: a browser that has a file never asks for it again. The style sheets of a document are
sent as one, and a document tells ahead which modules its script imports, which saves a journey for each step from one
to the next. What shrinks is sent compressed to those who can read that.
"""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from functools import cache
from importlib.resources import files
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
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)


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
        content = _read(folder)
        digest = hashlib.sha256(b"\0".join(part for name in sorted(content) for part in (name.encode(), content[name])))
        self._release = digest.hexdigest()[:12]
        self._pages = {name: _page(name, body) for name, body in content.items() if not name.endswith(".html")}
        self.index = self._document("index.html", content)
        """What is shown at most addresses; its script finds out what to show there."""
        self.embed = self._document("embed/embed.html", content)
        """What is shown within pages of other sites."""

    def find(self, path: str) -> Page | None:
        """Return the file at a path of the address, or None; one asked for by another release is not to be kept."""
        if not path.startswith(STATIC_FOLDER):
            return None
        release, _, name = path.removeprefix(STATIC_FOLDER).partition("/")
        page = self._pages.get(name)
        if page is None or release == self._release:
            return page
        return page._replace(keeping=ASK_AGAIN)

    def _document(self, name: str, content: dict[str, bytes]) -> Page:
        """Return a document that names the files of this release."""
        joined = f"{posixpath.splitext(name)[0]}.sheets.css"

        def name_less(sheets: re.Match[str]) -> str:
            self._pages[joined] = _page(joined, b"\n".join(content[sheet] for sheet in _NAMED.findall(sheets[0])))
            return f'<link rel="stylesheet" href="{STATIC_FOLDER}{joined}">\n    '

        def name_more(script: re.Match[str]) -> str:
            ahead = [
                f'<link rel="modulepreload" href="{STATIC_FOLDER}{each}">' for each in _imports_of(script[1], content)
            ]
            return "\n    ".join([*ahead, script[0]])

        text = _SCRIPT.sub(name_more, _SHEETS.sub(name_less, content[name].decode()))
        text = text.replace(f'"{STATIC_FOLDER}', f'"{STATIC_FOLDER}{self._release}/')
        return _page(name, text.encode())._replace(keeping=ASK_AGAIN)


@cache
def client_pages() -> Pages:
    """Return the browser client that is installed with this server."""
    return Pages(files("millrace.client") / "web")


def reads_gzip(encodings: str) -> bool:
    """Return whether an `Accept-Encoding` allows gzip (RFC 9110, 12.5.3).

    >>> reads_gzip("br, gzip"), reads_gzip("gzip;q=0.5"), reads_gzip("gzip; q=0"), reads_gzip("")
    (True, True, False, False)
    """
    return _GZIP.search(encodings) is not None


def _imports_of(script: str, content: dict[str, bytes]) -> list[str]:
    """Return the modules that a module imports, those that they import included, nearest first."""
    found = [script]
    for module in found:
        for name in _IMPORT.findall(content[module].decode()):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
            if imported not in found:
                found.append(imported)
    return found[1:]


def _read(folder: Traversable, prefix: str = "") -> dict[str, bytes]:
    content: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            content |= _read(entry, f"{prefix}{entry.name}/")
        else:
            content[f"{prefix}{entry.name}"] = entry.read_bytes()
    return content


def _page(name: str, body: bytes) -> Page:
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if content_type.startswith("text/") or content_type.endswith("javascript"):
        content_type += "; charset=utf-8"
    packed = gzip.compress(body, mtime=0)
    return Page(body, packed if len(packed) < len(body) else None, content_type, hashlib.sha256(body).hexdigest()[:16])
