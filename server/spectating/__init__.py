"""Spectating: the list of live matches, the featured match of each game, and exhibitions when nobody plays."""
