"""The error for what a player has typed or clicked."""


class UsageError(Exception):
    """It cannot be done. The message tells the player why, and what to do instead."""
