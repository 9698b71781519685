"""Tests of the page never trust a single reading: the page runs concurrently, so they wait for conditions."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.repository import ROOT

READINGS = frozenset(
    {
        *("all", "all_inner_texts", "all_text_contents", "board", "bounding_box", "content", "count", "evaluate"),
        *("evaluate_all", "get_attribute", "inner_html", "inner_text", "input_value", "is_checked", "is_disabled"),
        *("is_editable", "is_enabled", "is_hidden", "is_visible", "text_content", "title"),
    }
)
"""Functions that read the page's state at one moment."""

BROWSER_TESTS = sorted((ROOT / "tests" / "browser").glob("*.py"))
TESTS_OF_THE_PAGE = sorted((ROOT / "tests" / "browser").glob("test_*.py"))


def readings_in_assertions(program: str) -> Iterator[str]:
    """Yield `line: name` for each reading of a page inside of an `assert`."""
    for assertion in ast.walk(ast.parse(program)):
        if isinstance(assertion, ast.Assert):
            for node in ast.walk(assertion.test):
                if isinstance(node, ast.Attribute) and node.attr in READINGS:
                    yield f"{node.lineno}: {node.attr}"


def waits_for_promises(program: str) -> Iterator[int]:
    """Yield the line of each `wait_for_function` of an asynchronous script: its promise counts as true at once."""
    tree = ast.parse(program)
    texts = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "wait_for_function":
            script = node.args[0]
            text = texts.get(script.id) if isinstance(script, ast.Name) else getattr(script, "value", "")
            if str(text).lstrip().startswith("async"):
                yield node.lineno


@pytest.mark.parametrize("path", BROWSER_TESTS, ids=lambda path: path.stem)
def test_no_script_that_is_waited_for_is_asynchronous(path: Path) -> None:
    assert list(waits_for_promises(path.read_text(encoding="utf-8"))) == [], "wait_until(lambda: page.evaluate(...))"


def test_an_asynchronous_script_is_found_by_its_name_too() -> None:
    program = 'A = "async () => 1"\npage.wait_for_function(A)\npage.wait_for_function("() => 1")'
    assert list(waits_for_promises(program)) == [2]


@pytest.mark.parametrize("path", TESTS_OF_THE_PAGE, ids=lambda path: path.stem)
def test_momentary_readings_of_a_page_are_not_asserted(path: Path) -> None:
    found = list(readings_in_assertions(path.read_text(encoding="utf-8")))
    assert found == [], "wait for it: expect(...), expect_board(...) or wait_until(...)"


def test_a_reading_is_found_wherever_it_stands_in_an_assertion() -> None:
    program = "assert {1: page.board} == before\nassert len(page.locator('p').all()) == 2\nassert board == 1"
    assert list(readings_in_assertions(program)) == ["1: board", "2: all"]
