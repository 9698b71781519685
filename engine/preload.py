"""Importing this module compiles the rules and the search of every registered game.

It is for processes that will search: the bot pool's forkserver preloads it, and its workers inherit the machine code. A
process that only needs rules calls `engine.warm_up.warm_up_rules` instead.
"""

from .warm_up import warm_up_searches

warm_up_searches()
