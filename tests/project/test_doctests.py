"""The examples in docstrings hold."""

import doctest
import importlib
import pkgutil

import pytest

import millrace.client
import millrace.engine
import millrace.protocol
import millrace.server
import tools

MODULES = [
    module.name
    for package in (millrace.engine, millrace.protocol, millrace.server, millrace.client, tools)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
