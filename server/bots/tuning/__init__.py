"""Tunes weights with several processes. `engine.tuning` does the fitting."""
