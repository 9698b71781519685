"""A player's own mistakes in reviewed matches, to be solved like puzzles."""
