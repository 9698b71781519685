"""The line mode: commands are typed as lines, and everything is printed, for pipes, scripts and screen readers."""

from .console import Console, TerminalConsole, terminal_kept
from .line_mode import LineMode

__all__ = ["Console", "LineMode", "TerminalConsole", "terminal_kept"]
