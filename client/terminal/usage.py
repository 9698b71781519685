"""The error for a wrong command."""


class UsageError(Exception):
    """The command cannot be run. The message tells the player why, and what to do instead."""
