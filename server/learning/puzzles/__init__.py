"""Puzzles: choosing them for players, checking moves, and rating both. `build` creates them."""
