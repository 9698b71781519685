"""The tests that every game of Millrace passes: its rules, and how it is served."""

from millrace.engine.contract import *  # noqa: F403
from millrace.server.app.contract import *  # noqa: F403
