"""Races: up to ten players solve the same puzzles against the clock, judged by the server."""
