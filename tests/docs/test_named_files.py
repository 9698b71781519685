"""The documents name files that exist."""

import re
from pathlib import Path

import pytest

from tests.project.repository import ROOT, files

FILES = [f"/{path.relative_to(ROOT)}" for path in files()]
PAGES = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
OF_OTHER_PACKAGES = {f"tictactoe/{name}.py" for name in ("__init__", "rules", "notation")}
_SOURCE_FILE = re.compile(r"`((?:[\w.-]+/)*\w+\.(?:py|js|css|mako))`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_source_file_that_a_page_names_exists(page: Path) -> None:
    named = set(_SOURCE_FILE.findall(page.read_text(encoding="utf-8"))) - OF_OTHER_PACKAGES
    assert [name for name in sorted(named) if not any(file.endswith(f"/{name}") for file in FILES)] == []
