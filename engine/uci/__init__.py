"""The line protocol by which any program can use the engine: UCI's commands with this project's moves and positions.

No streams here: lines come from a queue that someone else fills, so that `stop` is heard during a search, and go out
through a function. What may be said, and what is answered, is told in `docs/engine.md`.
"""

from .command_loop import Inbox, serve_lines

__all__ = ["Inbox", "serve_lines"]
