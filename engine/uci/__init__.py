"""UCI, the line protocol for other programs that use the engine, with this project's moves and positions.

No streams: lines arrive in a queue, so that `stop` is noticed during a search, and answers go to a function.
`docs/engine.md` describes the protocol.

    command_loop.py       reading and answering lines
    options.py            the options
    position_command.py   the arguments of `position`
    go_command.py         the arguments of `go`
    go_search.py          the search that `go` asks for
    info_lines.py         the `info` lines of a search
    variations.py         `MultiPV`
    board_text.py         `d`
    evaluation_text.py    `eval`
"""

from .command_loop import Inbox, serve_lines
from .go_search import GameFiles

__all__ = ["GameFiles", "Inbox", "serve_lines"]
