"""The commands of the terminal, the same for the line mode and the full screen.

Each command is declared once: its words, its help, and the coroutine that runs it with the client library. `session`
has what they work on, `all_commands` finds and runs them, and each other module has the commands of one subject.
"""

from .all_commands import ALL_COMMANDS, complete, groups_of, is_move, is_offered, lacks_board, run_line
from .command import Command, Group
from .session import COMPLETED, Entry, Session

__all__ = [
    "ALL_COMMANDS",
    "COMPLETED",
    "Command",
    "Entry",
    "Group",
    "Session",
    "complete",
    "groups_of",
    "is_move",
    "is_offered",
    "lacks_board",
    "run_line",
]
