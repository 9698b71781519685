"""The kinds of tournaments: for each, whom to pair now, when it is over, and its standings. Pure."""
