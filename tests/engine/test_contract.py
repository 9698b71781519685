"""What every registered game promises; a game gets these tests by being registered (`engine.contract`)."""

from millrace.engine.contract import *  # noqa: F403
