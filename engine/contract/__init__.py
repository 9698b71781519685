"""The tests that every game must pass, for packages with a game.

    # tests/test_contract.py
    from millrace.engine.contract import *

`millrace.server.app.contract` has those of a game on a server. The pytest plug-in of Millrace calls them for
every installed game, or only for those named by `--game-contract NAME`. They need pytest and hypothesis.

    game_rules.py                    the tests
    ../../millrace/pytest_plugin.py  which games they are called for
"""

from . import game_rules
from .game_rules import *  # noqa: F403

__all__ = [name for name in dir(game_rules) if name.startswith("test_")]
