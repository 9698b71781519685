"""The icons of the installed page: run it to write PNG files from the SVG files.

They are stored with the page, since they rarely change.
"""

from pathlib import Path
from typing import NamedTuple

from resvg_py import svg_to_bytes

WEB = Path(__file__).resolve().parents[2] / "client" / "web"


class Icon(NamedTuple):
    """An icon of one size."""

    drawing: str
    """The SVG file, in the folder of the page."""
    file: str
    """The PNG file, in the folder of the page."""
    pixels: int


ICONS = (
    Icon("icon.svg", "icons/icon-192.png", 192),
    Icon("icon.svg", "icons/icon-512.png", 512),
    Icon("icons/maskable.svg", "icons/maskable-192.png", 192),
    Icon("icons/maskable.svg", "icons/maskable-512.png", 512),
    Icon("icons/badge.svg", "icons/badge-96.png", 96),
)
"""The maskable ones fill their square, and keep the motif within the circle of 80 % that every system shows."""


def draw(icon: Icon) -> bytes:
    """Return an icon as PNG."""
    drawing = (WEB / icon.drawing).read_text(encoding="utf-8")
    return svg_to_bytes(svg_string=drawing, width=icon.pixels, height=icon.pixels, skip_system_fonts=True)


if __name__ == "__main__":
    for each in ICONS:
        (WEB / each.file).write_bytes(draw(each))
