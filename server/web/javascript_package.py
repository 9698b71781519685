"""The JavaScript package for bots and other sites: one module, its types, and both as a package for npm.

The module is joined from the page's own (`client/web/package`). The types are the package's interface, written there by
hand, with the types of all messages and requests, which are comments in the page's modules.
"""

import gzip
import io
import json
import re
import tarfile
from collections.abc import Mapping

from millrace.release import release_version

from .bundles import join_modules, variable_of

FOLDER = "/javascript/"
"""Where the server offers the package."""
MODULE, TYPES, ARCHIVE = "millrace.mjs", "millrace.d.mts", "millrace.tgz"

_ENTRY = "package/package.js"
_INTERFACE = "package/millrace.d.mts"
_TYPED = ("protocol.js", "connection/questions.js")
"""The modules whose types the interface uses."""
_EXPORTED = re.compile(r"^export (?:class|const|function) (\w+)", re.MULTILINE)
_IMPORT = re.compile(r"^import type [^;]+;\n+", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*((?:(?!\*/).)*?@typedef.*?)\*/", re.DOTALL)
_TAG = re.compile(r"@(typedef|template) ")
_BOUND = re.compile(r"\{(.*)\} (\w+)", re.DOTALL)
_TYPEDEF = re.compile(r"\{(.*)\}\s+(\w+)\s*", re.DOTALL)


def package_files(content: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the package's files by name, from those of the page."""
    interface = content[_INTERFACE].decode()
    bundles = join_modules(content, _ENTRY)
    names = ", ".join(_EXPORTED.findall(interface))
    exports = f"\nexport const {{ {names} }} = {variable_of(_ENTRY)}.millrace;\n"
    types = [_IMPORT.sub("", interface), *(typedefs(content[name].decode()) for name in _TYPED)]
    files = {MODULE: bundles.files[bundles.entry] + exports.encode(), TYPES: "\n".join(types).encode()}
    return {**files, ARCHIVE: _archive({"package.json": _manifest(), **files})}


def typedefs(module: str) -> str:
    """Return the types in a module's comments as TypeScript declares them.

    >>> print(typedefs("/** A place. @typedef {string | null} Cell */"))
    /** A place. */
    export type Cell = string | null;
    """
    return "\n".join(filter(None, (_declaration(comment) for comment in _COMMENT.findall(module))))


def _declaration(comment: str) -> str:
    """Return the declaration of a type that a comment describes."""
    text = "\n".join(re.sub(r"^\s*\* ?", "", line) for line in comment.splitlines()).strip()
    summary, *parts = _TAG.split(text)
    tags = list(zip(parts[::2], parts[1::2], strict=True))
    parameters = ", ".join(_BOUND.sub(r"\2 extends \1", rest.strip()) for tag, rest in tags if tag == "template")
    (found,) = (_TYPEDEF.fullmatch(rest) for tag, rest in tags if tag == "typedef")
    assert found is not None, comment
    written = found[1].replace("Messages.", "")
    declaration = f"export type {found[2]}{f'<{parameters}>' if parameters else ''} = {written};"
    return f"/** {summary.strip()} */\n{declaration}" if summary.strip() else declaration


def _manifest() -> bytes:
    """Return the package's `package.json`."""
    manifest = {
        "name": "millrace",
        "version": release_version(),
        "description": "Play on a Millrace server: a client and a host for bots.",
        "license": "MIT",
        "type": "module",
        "exports": {".": {"types": f"./{TYPES}", "default": f"./{MODULE}"}},
        "engines": {"node": ">=20"},
    }
    return json.dumps(manifest, indent=2).encode() + b"\n"


def _archive(files: Mapping[str, bytes]) -> bytes:
    """Return files as npm packs them; the same files give the same bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, body in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(body), 0o644
            archive.addfile(entry, io.BytesIO(body))
    return gzip.compress(packed.getvalue(), mtime=0)
