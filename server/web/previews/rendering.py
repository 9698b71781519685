"""What runs in the process that renders pictures. It loads nothing else of the server."""

import os
import sys

from resvg_py import svg_to_bytes

from ...runtime.child_process import end_with_parent

NICENESS = 10
"""By how much the process yields to play."""


def initialize() -> None:
    """Yield to play, and end with the server."""
    end_with_parent()
    if sys.platform != "win32":
        os.nice(NICENESS)


def render(drawing: str) -> bytes:
    """Return an SVG drawing of the server's own as PNG."""
    return svg_to_bytes(svg_string=drawing, skip_system_fonts=True)
