"""The rules of every game and the search that plays them; pure: no I/O, no clock, no randomness of its own."""
