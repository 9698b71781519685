"""The tests that every game passes, for the tests of a package that brings a game.

    # tests/test_contract.py
    from millrace.engine.contract import *

The pytest plug-in, which is installed with Millrace, calls them for every installed game, or only for those that
`--game-contract NAME` names. They need pytest and hypothesis.

    game_rules.py       the tests
    pytest_plugin.py    which games they are called for

The tests are loaded when they are asked for: pytest imports the plug-in wherever Millrace is installed, also without
the engine.
"""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    import pytest  # noqa: PLC0415

    rules = f"{__name__}.game_rules"
    pytest.register_assert_rewrite(rules)
    module = import_module(rules)
    return [each for each in dir(module) if each.startswith("test_")] if name == "__all__" else getattr(module, name)
