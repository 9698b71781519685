"""The examples in docstrings hold."""

import doctest
import importlib
import pkgutil

import pytest

import client
import engine
import server

MODULES = [
    module.name
    for package in (engine, server, client)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
