"""Solved endings as files in the data folder: kept, built, checked, and built by a server for its bots.

The solving itself is `engine.tablebase`.
"""
