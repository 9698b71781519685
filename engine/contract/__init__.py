"""The tests that every game must pass, for packages with a game.

    # tests/test_contract.py
    from millrace.engine.contract import *

The pytest plug-in installed with Millrace calls them for every installed game, or only for those named by
`--game-contract NAME`. They need pytest and hypothesis.

    game_rules.py                    the tests
    ../../millrace/pytest_plugin.py  which games they are called for
"""

import pytest

pytest.register_assert_rewrite("millrace.engine.contract.game_rules")

from . import game_rules  # noqa: E402
from .game_rules import *  # noqa: E402, F403

__all__ = [name for name in dir(game_rules) if name.startswith("test_")]
