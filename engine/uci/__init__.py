"""UCI, the line protocol by which other programs use the engine, with this project's moves and positions.

No streams: lines arrive in a queue, so that `stop` is noticed during a search, and answers go to a function.
`docs/engine.md` describes the protocol.

    command_loop.py    reading and answering lines
    go_command.py      the arguments of `go`
    info_lines.py      the `info` lines of a search
"""

from .command_loop import Inbox, serve_lines

__all__ = ["Inbox", "serve_lines"]
