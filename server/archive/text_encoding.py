"""The encoding of files with matches: UTF-8, UTF-16, or else the Latin letters of older programs. Pure."""

import codecs

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LOOKED_AT = 4_096
"""The first bytes, whose zeros show UTF-16 without a mark."""


def decode_text(content: bytes) -> str:
    """Return the text of a file. Bytes that are not UTF-8 are Windows-1252, which contains Latin-1.

    >>> decode_text("Jörg".encode("utf-16")), decode_text("Jörg".encode("latin-1"))
    ('Jörg', 'Jörg')
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, errors="replace")
    start = content[:_LOOKED_AT]
    if b"\0" in start:
        is_little = start[1::2].count(0) >= start[::2].count(0)
        return content.decode("utf-16-le" if is_little else "utf-16-be", errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(map(_windows_letter, content))


def _windows_letter(byte: int) -> str:
    try:
        return bytes((byte,)).decode("windows-1252")
    except UnicodeDecodeError:
        return chr(byte)  # one of the five bytes that Windows-1252 leaves open
