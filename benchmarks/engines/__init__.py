"""Matches between two UCI engines: processes, openings, referee, statistics.

The commands are `benchmarks.match` and `benchmarks.movetime`.
"""
