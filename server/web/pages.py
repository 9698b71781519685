"""The browser client's files: two documents, and the files they name, which browsers may cache forever.

Some files have fixed addresses: the page, its manifest, descriptions of the protocol, and the service worker, which
stores the page for offline use. The worker knows the release and its files. It loads the page from an address with the
release too, so it never mixes two releases, even while the server changes.

Every request costs a round trip, so there should be few. A file's path contains the release, which changes with any
file, so a browser never requests a file twice. The style sheets of a document are joined into one, and so are the
modules of its script, except for pages loaded when they are first shown (`server.web.bundles`), whose styles are a
second sheet; all are minified. The modules themselves are available too. Compressible files are sent as gzip to
browsers that accept it.
"""

import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from millrace.protocol import VERSION

from .bundles import join_modules
from .javascript_package import FOLDER as PACKAGE_FOLDER
from .javascript_package import package_files
from .languages import FOLDER, catalogue_files, translate_document
from .minifying import minify_script, minify_sheet
from .translation_format import ENGLISH, LANGUAGES

STATIC_FOLDER = "/static/"
FAVICON_PATH = "/favicon.ico"
"""Where browsers look for an icon of files that name none, such as an exported match."""
MANIFEST_PATH = "/manifest.webmanifest"
WORKER_PATH = "/service-worker.js"
"""At the root, since a worker serves the pages below its own address."""
CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
"""Cache it, but check at each use whether it has changed."""

PAGES = frozenset(
    {
        "/",
        "/account",
        "/analysis",
        "/archive",
        "/leaders",
        "/learn",
        "/moderation",
        "/offline",
        "/players",
        "/puzzles",
        "/race",
        "/settings",
        "/studies",
        "/tournaments",
        "/watch",
    }
)
"""The addresses of the page; its script decides what to show there (`client/web/pages.js`)."""
PAGE_FOLDERS = (
    *("/analysis/", "/challenge/", "/coordinates/", "/editor/", "/endings/", "/learn/", "/match/", "/mistakes/"),
    *("/player/", "/puzzles/", "/race/", "/storm/", "/study/", "/tournament/", "/watch/"),
)
FILE_NAME = r"\.\w+$"
"""The end of a path to a file for download, which may be in these folders, such as an exported match."""

PROTOCOL_PATHS = ("/protocol.html", "/protocol.schema.json", "/asyncapi.json")
"""The reference of the protocol, and its descriptions for programs."""

_WORKER = "worker/service_worker.js"
_ENGINE = "engine/"
"""The folder of the worker in which the page's engine runs. A worker's modules are not joined."""
_PREVIEW = "<!-- link preview -->\n    "
"""The place for the tags of link previews."""
MOST_PREVIEWS = 256
"""Maximum number of documents with such tags in memory."""
MOST_GZIPPED = 1024
"""Maximum number of compressed files in memory, more than the page and its previews have."""
_MANIFEST = "manifest.webmanifest"
_ICONS = ("icon.svg", "icons/icon-192.png", "icons/badge-96.png")
"""The icons needed offline."""
_TYPES = {
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".mts": "text/plain",
    ".tgz": "application/gzip",
}
"""Types that the system may not know or calls otherwise, by file extension."""

_SHEETS = re.compile(r'(?:<link rel="stylesheet" href="/static/[^"]+">\s*)+')
_SCRIPT = re.compile(r'<script type="module" src="/static/([^"]+)">')
_NAMED = re.compile(r'"/static/([^"]+)"')
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)


def is_page(path: str) -> bool:
    """Return whether the page is served at a path.

    >>> is_page("/match/m1"), is_page("/nothing")
    (True, False)
    """
    return path in PAGES or path.startswith(PAGE_FOLDERS)


def is_engine(path: str) -> bool:
    """Return whether a file belongs to the worker in which the page's engine runs.

    >>> is_engine("/static/0123456789ab/engine/engine_worker.js"), is_engine("/static/0123456789ab/main.js")
    (True, False)
    """
    return path.startswith(STATIC_FOLDER) and path.removeprefix(STATIC_FOLDER).partition("/")[2].startswith(_ENGINE)


class Page(NamedTuple):
    """A file ready to send."""

    body: bytes
    content_type: str
    tag: str
    """Changes exactly when the body changes."""
    cache_control: str = CACHE_FOREVER
    """The value of the header `Cache-Control`."""

    @property
    def gzipped(self) -> bytes | None:
        """The compressed body, if it is smaller."""
        return _gzipped(self.body)


@lru_cache(MOST_GZIPPED)
def _gzipped(body: bytes) -> bytes | None:
    gzipped = gzip.compress(body, mtime=0)
    return gzipped if len(gzipped) < len(body) else None


class _Document(NamedTuple):
    """A document whose style sheets and modules are joined; its paths do not name a release yet."""

    text: str
    sheets: dict[str, bytes]
    """The content of its style sheets, by path."""
    bundles: dict[str, bytes]
    """The content of its bundles, by path."""


class Pages:
    """The files of the browser client."""

    def __init__(self, content: dict[str, bytes]) -> None:
        index, embed = (_join_files(name, content) for name in ("index.html", "embed/embed.html"))
        self._bundles = index.bundles.keys() | embed.bundles.keys()
        sent = {**content, **index.sheets, **index.bundles, **embed.sheets, **embed.bundles, **catalogue_files()}
        digest = hashlib.sha256(b"\0".join(part for name in sorted(sent) for part in (name.encode(), sent[name])))
        self._release = digest.hexdigest()[:12]
        self._pages = {name: _page(name, body) for name, body in sent.items() if not name.endswith(".html")}
        self._index = {language: translate_document(index.text, language, "main") for language in LANGUAGES}
        for language, text in self._index.items():
            shell = self._document(text.replace(_PREVIEW, ""))
            self._pages[_shell_of(language)] = shell._replace(cache_control=CACHE_FOREVER)
        self.icon_path = f"{STATIC_FOLDER}{self._release}/icons/icon-512.png"
        """The path of the icon, for link previews."""
        self.embed = {
            language: self._document(translate_document(embed.text, language, "embed")) for language in LANGUAGES
        }
        """The board for frames on other sites, by language."""
        manifest = self._with_release(content[_MANIFEST].decode())
        engine = sorted(name for name in content if name.startswith(_ENGINE))
        fonts = sorted(name for name in content if name.endswith(".woff2"))
        kept, worker = (*index.sheets, *index.bundles, *engine, *fonts, *_ICONS), content[_WORKER].decode()
        self.workers = {language: self._worker(worker, kept, language) for language in LANGUAGES}
        """The service worker, by the language of the stored page."""
        self._fixed = {
            FAVICON_PATH: self._pages["icon.svg"]._replace(cache_control=REVALIDATE),
            MANIFEST_PATH: _page(_MANIFEST, manifest.encode())._replace(cache_control=REVALIDATE),
            **{path: self._described(path, content[path.removeprefix("/")]) for path in PROTOCOL_PATHS},
            **{f"{PACKAGE_FOLDER}{name}": self._described(name, body) for name, body in package_files(content).items()},
        }
        """The files with fixed addresses."""

    @lru_cache(MOST_PREVIEWS)  # noqa: B019  # there is one object for as long as the server runs
    def index(self, language: str, preview: str = "") -> Page:
        """Return the page, whose script decides by the address what to show; `preview` contains tags for its head."""
        return self._document(self._index[language].replace(_PREVIEW, preview))

    def find(self, path: str) -> Page | None:
        """Return the file at a path, or None.

        A file of another release must not be cached. A bundle, a page or a worker of another release is not found: a
        browser's page from that release would combine it with what does not match.
        """
        if path in self._fixed:
            return self._fixed[path]
        if not path.startswith(STATIC_FOLDER):
            return None
        release, _, name = path.removeprefix(STATIC_FOLDER).partition("/")
        page = self._pages.get(name)
        if page is None or release == self._release:
            return page
        is_bound = name in self._bundles or name in _SHELLS or name.startswith(_ENGINE)
        return None if is_bound else page._replace(cache_control=REVALIDATE)

    def _document(self, text: str) -> Page:
        """Return a document that names the files of this release."""
        return _page("index.html", self._with_release(text).encode())._replace(cache_control=REVALIDATE)

    def _described(self, path: str, body: bytes) -> Page:
        page = self._document(body.decode()) if path.endswith(".html") else _page(path, body)
        return page._replace(cache_control=REVALIDATE)

    def _with_release(self, text: str) -> str:
        return text.replace(f'"{STATIC_FOLDER}', f'"{STATIC_FOLDER}{self._release}/')

    def _worker(self, script: str, kept: Iterable[str], language: str) -> Page:
        """Return the service worker, after the list of files to store."""
        folder = f"{STATIC_FOLDER}{self._release}/"
        catalogue = [f"{FOLDER}{language}.{part}.json" for part in ("main", "rest") if language != ENGLISH]
        served = {
            "release": self._release,
            "version": VERSION,
            "shell": f"{folder}{_shell_of(language)}",
            "files": [f"{folder}{name}" for name in (*kept, *catalogue)],
            "catalogue": [f"{folder}{name}" for name in catalogue],
            "icon": f"{folder}icons/icon-192.png",
            "badge": f"{folder}icons/badge-96.png",
            "pages": sorted(PAGES),
            "folders": PAGE_FOLDERS,
            "file_name": FILE_NAME,
        }
        script = f"self.served = {json.dumps(served)};\n{script}"
        return _page(WORKER_PATH, script.encode())._replace(cache_control=REVALIDATE)


def _shell_of(language: str) -> str:
    """Return the name of the page in its release, in a language."""
    return f"index.{language}.html"


_SHELLS = frozenset(map(_shell_of, LANGUAGES))


@cache
def client_pages() -> Pages:
    """Return the browser client installed with this server."""
    return Pages(client_content())


def client_content() -> dict[str, bytes]:
    """Return the files of the browser client, by relative path. Raises: FileNotFoundError if one is not made yet."""
    folder = files("millrace.client") / "web"
    missing = [path for path in PROTOCOL_PATHS if not (folder / path.removeprefix("/")).is_file()]
    if missing:
        raise FileNotFoundError(f"The page lacks {missing[0]}. In a checkout, `python -m tools.make` makes it.")
    return read_folder(folder)


def read_folder(folder: Traversable, prefix: str = "") -> dict[str, bytes]:
    """Return the contents of the files in a folder and its subfolders, by relative path."""
    content: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            content |= read_folder(entry, f"{prefix}{entry.name}/")
        else:
            content[f"{prefix}{entry.name}"] = entry.read_bytes()
    return content


def accepts_gzip(encodings: str) -> bool:
    """Return whether an `Accept-Encoding` allows gzip (RFC 9110, 12.5.3).

    >>> accepts_gzip("br, gzip"), accepts_gzip("gzip;q=0.5"), accepts_gzip("gzip; q=0"), accepts_gzip("")
    (True, True, False, False)
    """
    return _GZIP.search(encodings) is not None


def _join_files(name: str, content: dict[str, bytes]) -> _Document:
    """Return a document with one script, and one style sheet for each group of links. Raises: ScriptError."""
    text = content[name].decode()
    (script,) = _SCRIPT.findall(text)
    bundles = join_modules(content, script)
    sheets: dict[str, bytes] = {}
    for number, links in enumerate(_SHEETS.findall(text)):
        path = f"{posixpath.splitext(name)[0]}.{'later_' * number}sheets.css"
        sheet = minify_sheet("\n".join(content[each].decode() for each in _NAMED.findall(links)))
        sheets[path] = (sheet if posixpath.dirname(path) else sheet.replace('url("../', 'url("')).encode()
        text = text.replace(links, f'<link rel="stylesheet" href="{STATIC_FOLDER}{path}">\n    ')
    text = text.replace(f'src="{STATIC_FOLDER}{script}"', f'src="{STATIC_FOLDER}{bundles.entry}"')
    scripts = {name: minify_script(body.decode()).encode() for name, body in bundles.files.items()}
    return _Document(text, sheets, scripts)


def _page(name: str, body: bytes) -> Page:
    content_type = (
        _TYPES.get(posixpath.splitext(name)[1]) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    )
    if content_type.startswith("text/") or content_type.endswith("javascript"):
        content_type += "; charset=utf-8"
    return Page(body, content_type, hashlib.sha256(body).hexdigest()[:16])
