"""The longest win of the tables that the tests build."""

LONGEST_WIN = "WWB.......B....B..B...W. w 0 0"
"""Won in 33 plies by one move alone."""
LONGEST_WIN_MOVE = "a7-d6"
