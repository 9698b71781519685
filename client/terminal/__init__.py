"""Millrace in a terminal of 80 columns or more: `millrace play`.

`terminal` reads and runs commands, `player_commands` has those that need no open match, `open_match` shows and plays a
match, `board` draws boards, `formatting` formats lists, and `console` is the terminal itself. The terminal draws the
boards that the server sends, so it can play any game.
"""

from .console import Console, TerminalConsole, terminal_kept
from .terminal import Terminal

__all__ = ["Console", "Terminal", "TerminalConsole", "terminal_kept"]
