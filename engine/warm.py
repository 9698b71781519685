"""Importing this compiles every registered game, rules and search; it holds nothing.

For processes that will search: the bot pool's forkserver preloads it, and its workers inherit the machine code.
A process that only needs the rules calls `engine.warming.warm_rules` instead.
"""

from .warming import warm_searches

warm_searches()
