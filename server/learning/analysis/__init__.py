"""Analysis: exploring lines of play, searching and probing them, and reviewing finished matches."""
