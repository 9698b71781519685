"""Runs in the process that renders pictures. It loads nothing else of the server."""

import os
import sys

from resvg_py import svg_to_bytes

from ...runtime.child_process import end_with_parent

NICENESS = 10
"""The process's nice value, so that it yields to play."""


def initialize() -> None:
    """Yield to play, and end with the server."""
    end_with_parent()
    if sys.platform != "win32":
        os.nice(NICENESS)


def render(drawing: str) -> bytes:
    """Return one of the server's SVG drawings as PNG."""
    return svg_to_bytes(svg_string=drawing, skip_system_fonts=True)
