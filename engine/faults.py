"""The error of a game's own code. It is apart from the other errors, so that it can be imported without the engine."""


class GameFaultError(Exception):
    """A game's own code keeps it from being served, or its bots from playing."""
