"""The page's JavaScript client in a program outside a browser: the documented example plays a match to its end."""

import re
import shutil
import subprocess

import pytest

from tests.project.repository import ROOT, read
from tests.serving import PATIENCE_S, Site

pytestmark = pytest.mark.usefixtures("processes")


NODE = shutil.which("node")
EXAMPLE = "client/examples/javascript_match.mjs"


def flags_of(node: str) -> list[str]:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    is_old = int(re.findall(r"\d+", version)[0]) < 22
    return ["--experimental-websocket", "--experimental-detect-module"] if is_old else []


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_the_example_plays_a_match_to_its_end(server: Site) -> None:
    assert NODE is not None
    command = [NODE, "--no-warnings", *flags_of(NODE), EXAMPLE, server.address, "morris", "easy"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "it prints how the match ended"


def test_the_page_names_files_that_exist() -> None:
    page = read("docs/javascript.md")
    assert EXAMPLE in page
    for path in re.findall(r"\]\(\.\./([^)]+)\)", page):
        assert (ROOT / path).exists(), path
