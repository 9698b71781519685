"""The conformance tests of every registered game; a game gets them by being registered (`engine.conformance`)."""

from millrace.engine.conformance import *  # noqa: F403
