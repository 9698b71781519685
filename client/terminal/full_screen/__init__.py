"""The full screen: boards with mouse and keys, live clocks, tabs and lists, drawn by Textual.

`lines_view` draws lines and repaints only what has changed; `board_view` is a board in it; `match_panel` is what stands
beside a board, and `board_page` shows both. `lobby` is what there is to play and to watch, which `lobby_lists`
follows. `app` puts them together over the commands.
"""

from .app import FullScreen

__all__ = ["FullScreen"]
