"""Tunes the weights of a game's evaluation on matches of the engine against itself.

No files or processes: `server.bots.tuning` does that. Randomness is passed in, and samples are always used in the same
order.

    self_play.py          matches of the engine against itself, and the features of their positions
    fitting.py            the weights that best explain how those matches ended
    pattern_fitting.py    the weights of patterns
"""
