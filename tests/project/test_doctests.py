"""The examples in docstrings hold, and every module can be imported."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest

import millrace.client
import millrace.engine
import millrace.protocol
import millrace.server
import tools


def specifications() -> Iterator[ModuleSpec]:
    """Yield how each module is found."""
    for package in (millrace.engine, millrace.protocol, millrace.server, millrace.client, tools):
        for finder, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            specification = finder.find_spec(name, None)
            assert specification is not None
            yield specification


def has_examples(specification: ModuleSpec) -> bool:
    assert specification.origin is not None
    with open(specification.origin, encoding="utf-8") as file:
        return ">>> " in file.read()


MODULES = list(specifications())


@pytest.mark.parametrize("name", [each.name for each in MODULES if has_examples(each)])
def test_the_examples_of_a_module_hold(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted
    assert not results.failed


def test_every_module_can_be_imported() -> None:
    for each in MODULES:
        importlib.import_module(each.name)
