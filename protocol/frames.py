"""Messages as WebSocket frames, encoded once for all receivers.

No connections.
"""

from typing import NewType

from . import Message, encode

WireFrame = NewType("WireFrame", bytes)
"""A whole frame from the server, which is not masked."""

_FINAL_TEXT = b"\x81"
_SIZE_IN_2_BYTES, _SIZE_IN_8_BYTES = b"\x7e", b"\x7f"


def frame_of(message: Message) -> WireFrame:
    """Return the frame of a message."""
    return wire_frame(encode(message))


def wire_frame(text: bytes) -> WireFrame:
    r"""Return the frame of a text in UTF-8 (RFC 6455, section 5.2).

    By hand: `websockets.frames.Frame.serialize` took 2.3 us where this takes 0.4, for each of a move's four frames.

    >>> wire_frame(b"{}")
    b'\x81\x02{}'
    """
    size = len(text)
    if size < 126:
        return WireFrame(b"%b%c%b" % (_FINAL_TEXT, size, text))
    if size < 1 << 16:
        return WireFrame(b"%b%b%b%b" % (_FINAL_TEXT, _SIZE_IN_2_BYTES, size.to_bytes(2, "big"), text))
    return WireFrame(b"%b%b%b%b" % (_FINAL_TEXT, _SIZE_IN_8_BYTES, size.to_bytes(8, "big"), text))
