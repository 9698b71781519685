"""Matches between two UCI engines: processes, openings, referee, statistics.

The command is `benchmarks.match`.
"""
