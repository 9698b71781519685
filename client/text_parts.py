"""Long texts, cut into parts that fit in a message each."""

from collections.abc import Iterator

import msgspec

from millrace import protocol

NUMBER_BYTES = 16
"""Room for the numbers of the part and of all parts."""


def split_text(text: str, most_characters: int, whole: protocol.ImportMatches | protocol.SaveStudy) -> Iterator[str]:
    """Yield the parts of a text; `whole` is a message with everything but a part. An empty text is one part."""
    most_bytes = protocol.MAX_FRAME_BYTES - len(protocol.encode(whole)) - NUMBER_BYTES
    start, length = 0, most_characters
    while start < len(text) or start == 0:
        part = text[start : start + length]
        if len(msgspec.json.encode(part)) > most_bytes and length > 1:
            length //= 2
            continue
        yield part
        start, length = start + max(1, len(part)), most_characters
