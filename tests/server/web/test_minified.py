"""Scripts and style sheets are sent smaller, with the same meaning."""

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from millrace.server.web.bundles import join_modules
from millrace.server.web.javascript import read_source
from millrace.server.web.pages import client_pages, read_folder

CONTENT = read_folder(files("millrace.client") / "web")
JOINED = {
    name: body for entry in ("main.js", "embed/embed.js") for name, body in join_modules(CONTENT, entry).files.items()
}
_LITERAL = re.compile(r"(?<=[\"'`/}]) +(?=[\"'`/{])")
"""A literal, or the spaces between two, in the code of a script, which has spaces for the contents of literals."""


def sent(name: str) -> str:
    """Return a file as browsers load it."""
    folder, _, _ = client_pages().icon_path.partition("icons/")
    page = client_pages().find(f"{folder}{name}")
    assert page is not None
    return page.body.decode()


@pytest.mark.parametrize("name", JOINED)
def test_a_bundle_keeps_its_strings_templates_and_regular_expressions(name: str) -> None:
    text, code = read_source(name, JOINED[name].decode())
    literals = [text[slice(*found.span())] for found in _LITERAL.finditer(code)]
    assert any(map(str.strip, literals))
    minified, at = sent(name), 0
    for literal in filter(str.strip, literals):
        at = minified.index(literal, at) + len(literal)


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", JOINED)
def test_a_bundle_parses(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bundle.mjs"
    path.write_text(sent(name), encoding="utf-8")
    subprocess.run(["node", "--check", path], check=True, capture_output=True)


def test_bundles_are_a_sixth_smaller() -> None:
    assert sum(len(sent(name).encode()) for name in JOINED) < 5 / 6 * sum(map(len, JOINED.values()))
