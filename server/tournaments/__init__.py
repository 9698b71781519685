"""Tournaments: arenas, and the pairing systems of other kinds."""
