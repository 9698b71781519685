"""The browser client as it is served: two documents, and the files they name, which browsers may cache forever.

Every request costs a browser a connection, so there should be few. A file's path contains the release, which changes
whenever any file does, so a browser never asks twice for the same file. The style sheets of a document are sent as
one, and a document preloads the modules that its script imports, which saves a round trip for each level of imports.
Compressible files are sent as gzip to browsers that accept it.
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
CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
"""Cache it, but ask at each use whether it has changed."""

_SHEETS = re.compile(r'(?:<link rel="stylesheet" href="/static/[^"]+">\s*)+')
_SCRIPT = re.compile(r'<script type="module" src="/static/([^"]+)">')
_NAMED = re.compile(r'"/static/([^"]+)"')
_IMPORT = re.compile(r'^(?:import|export|\})[^"]* from "(\.{1,2}/[^"]+)";$', re.MULTILINE)
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)


class Page(NamedTuple):
    """A file ready to be sent."""

    body: bytes
    gzipped: bytes | None
    """The body compressed, where that is smaller."""
    content_type: str
    tag: str
    """Changes exactly when the body does."""
    cache_control: str = CACHE_FOREVER
    """The value of the header `Cache-Control`."""


class Pages:
    """The files in a folder with the browser client."""

    def __init__(self, folder: Traversable) -> None:
        content = _read(folder)
        digest = hashlib.sha256(b"\0".join(part for name in sorted(content) for part in (name.encode(), content[name])))
        self._release = digest.hexdigest()[:12]
        self._pages = {name: _page(name, body) for name, body in content.items() if not name.endswith(".html")}
        self.index = self._document("index.html", content)
        """The page; its script decides by the address what to show."""
        self.embed = self._document("embed/embed.html", content)
        """The board that other sites show in a frame."""

    def find(self, path: str) -> Page | None:
        """Return the file at a path, or None; a file of another release is not to be cached."""
        if not path.startswith(STATIC_FOLDER):
            return None
        release, _, name = path.removeprefix(STATIC_FOLDER).partition("/")
        page = self._pages.get(name)
        if page is None or release == self._release:
            return page
        return page._replace(cache_control=REVALIDATE)

    def _document(self, name: str, content: dict[str, bytes]) -> Page:
        """Return a document that names the files of this release."""
        joined = f"{posixpath.splitext(name)[0]}.sheets.css"

        def join_sheets(sheets: re.Match[str]) -> str:
            self._pages[joined] = _page(joined, b"\n".join(content[sheet] for sheet in _NAMED.findall(sheets[0])))
            return f'<link rel="stylesheet" href="{STATIC_FOLDER}{joined}">\n    '

        def preload_imports(script: re.Match[str]) -> str:
            ahead = [
                f'<link rel="modulepreload" href="{STATIC_FOLDER}{each}">' for each in _imports_of(script[1], content)
            ]
            return "\n    ".join([*ahead, script[0]])

        text = _SCRIPT.sub(preload_imports, _SHEETS.sub(join_sheets, content[name].decode()))
        text = text.replace(f'"{STATIC_FOLDER}', f'"{STATIC_FOLDER}{self._release}/')
        return _page(name, text.encode())._replace(cache_control=REVALIDATE)


@cache
def client_pages() -> Pages:
    """Return the browser client that is installed with this server."""
    return Pages(files("millrace.client") / "web")


def accepts_gzip(encodings: str) -> bool:
    """Return whether an `Accept-Encoding` allows gzip (RFC 9110, 12.5.3).

    >>> accepts_gzip("br, gzip"), accepts_gzip("gzip;q=0.5"), accepts_gzip("gzip; q=0"), accepts_gzip("")
    (True, True, False, False)
    """
    return _GZIP.search(encodings) is not None


def _imports_of(script: str, content: dict[str, bytes]) -> list[str]:
    """Return the modules that a module imports, directly or not, nearest first."""
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
    gzipped = gzip.compress(body, mtime=0)
    return Page(
        body, gzipped if len(gzipped) < len(body) else None, content_type, hashlib.sha256(body).hexdigest()[:16]
    )
