"""The line mode: commands are typed as lines, and everything is printed, for pipes, scripts and screen readers."""

from .console import Console, TerminalConsole, read_piped_line, terminal_kept, tolerate_any_text
from .line_mode import LineMode

__all__ = ["Console", "LineMode", "TerminalConsole", "read_piped_line", "terminal_kept", "tolerate_any_text"]
