"""Analysis: exploring lines of play, searching and probing them, and reviewing matches that are over."""
