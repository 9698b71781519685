"""The tests that every game of Millrace passes: its rules, and how it is served."""

from millrace.engine.conformance import *  # noqa: F403
from millrace.server.app.conformance import *  # noqa: F403
