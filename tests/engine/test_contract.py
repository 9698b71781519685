"""The contract of every registered game; a game gets these tests by being registered (`engine.contract`)."""

from millrace.engine.contract import *  # noqa: F403
