"""What tests share lives in modules that are not tests."""

import re

from tests.project.repository import ROOT

FROM_A_TEST = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_\w+", re.MULTILINE)


def test_nothing_is_imported_from_a_test() -> None:
    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert not [str(path) for path in modules if FROM_A_TEST.search(path.read_text(encoding="utf-8"))]
