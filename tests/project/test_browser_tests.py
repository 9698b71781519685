"""Tests of the page never trust a single reading: the page runs concurrently, so they wait for conditions."""

import ast
import re
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


def waits_that_fail(program: str) -> Iterator[int]:
    """Yield the line of each `wait_for_function` that is given no plain function.

    The promise of an asynchronous function counts as true at once, and the page's security policy forbids to evaluate
    an expression a second time.
    """
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
            if isinstance(text, str) and not re.match(r"\s*(\(|\w+ =>)", text):
                yield node.lineno


@pytest.mark.parametrize("path", BROWSER_TESTS, ids=lambda path: path.stem)
def test_what_is_waited_for_is_a_plain_function(path: Path) -> None:
    found = list(waits_that_fail(path.read_text(encoding="utf-8")))
    assert found == [], 'wait for "() => ...", or wait_until(lambda: page.evaluate(...))'


def test_a_wait_that_fails_is_found_by_the_name_of_its_script_too() -> None:
    program = 'A = "async () => 1"\np.wait_for_function(A)\np.wait_for_function("() => 1")\np.wait_for_function("1")'
    assert list(waits_that_fail(program)) == [2, 4]


@pytest.mark.parametrize("path", TESTS_OF_THE_PAGE, ids=lambda path: path.stem)
def test_momentary_readings_of_a_page_are_not_asserted(path: Path) -> None:
    found = list(readings_in_assertions(path.read_text(encoding="utf-8")))
    assert found == [], "wait for it: expect(...), expect_board(...) or wait_until(...)"


def test_a_reading_is_found_wherever_it_stands_in_an_assertion() -> None:
    program = "assert {1: page.board} == before\nassert len(page.locator('p').all()) == 2\nassert board == 1"
    assert list(readings_in_assertions(program)) == ["1: board", "2: all"]
