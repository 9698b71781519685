"""Millrace at a terminal: lines typed and lines printed, on any terminal of 80 columns.

`board` draws, `words` writes lists as lines, `table` is the match that lies open, `commands` what may be typed, and
`console` the terminal itself. Drawn is whatever board the server sends, so any game can be played.
"""

from .console import Console, TerminalConsole, terminal_kept
from .terminal import Terminal

__all__ = ["Console", "Terminal", "TerminalConsole", "terminal_kept"]
