"""Tuning the weights of a game's evaluation on matches that the engine plays against itself.

No files or processes here, and no chance: what draws random_below is handed in, and samples are always shown in the
same order. `server.tuning` does the rest.

    playing.py   matches of an engine against itself, and what their positions count
    fitting.py   the weights that explain best how those matches ended
    patterns.py  those of patterns
"""
