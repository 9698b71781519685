"""A match as a small animation to share: GIF, which every chat and every browser plays.

Both functions are for the background process.
"""

import io
from collections.abc import Sequence

from resvg_py import svg_to_bytes

WIDTH = 600
"""Of a frame, in pixels, before its empty sides are cut off."""
MOST_FRAMES = 300
"""A longer match is shown from so many plies before its end."""
_FRAME_MS, _LAST_MS = 900, 4_000
_COLOURS = 96


def frame_of(drawing: str) -> bytes:
    """Return one of the server's SVG drawings as a small PNG."""
    return svg_to_bytes(svg_string=drawing, width=WIDTH, skip_system_fonts=True)


def animation_of(frames: Sequence[bytes]) -> bytes:
    """Return PNGs of equal size as a GIF that begins again after a pause on the last."""
    from PIL import Image, ImageChops  # noqa: PLC0415  # only the background process needs it

    pictures = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    ends = (pictures[0], pictures[-1])
    drawn = [ImageChops.difference(each, Image.new("RGB", each.size, each.getpixel((0, 0)))).getbbox() for each in ends]
    left, right = min(box[0] for box in drawn if box), max(box[2] for box in drawn if box)
    pictures = [each.crop((left - left // 2, 0, right + (each.width - right) // 2, each.height)) for each in pictures]
    # Of the colours of the whole match: one frame may lack some.
    samples = [pictures[index * (len(pictures) - 1) // 4] for index in range(5)]
    strip = Image.new("RGB", (samples[0].width, 5 * samples[0].height))
    for index, sample in enumerate(samples):
        strip.paste(sample, (0, index * sample.height))
    palette = strip.quantize(_COLOURS)
    first, *others = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    written = io.BytesIO()
    durations = [*[_FRAME_MS] * len(others), _LAST_MS]
    first.save(written, "GIF", save_all=True, append_images=others, duration=durations, loop=0)
    return written.getvalue()
