"""Puzzles: posing them to players, checking their moves, and rating both. Building them is `build`."""
