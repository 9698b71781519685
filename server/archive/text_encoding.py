"""The encoding of files with matches: UTF-8, UTF-16, UTF-32, or else the Latin letters of older programs. Pure."""

import codecs

from .record import RecordError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32 first, whose mark begins like that of UTF-16."""
_LOOKED_AT = 4_096
"""Length of the first part, whose zeros reveal UTF-16 without a mark."""
_LEAST_ZEROS, _STRAY_ZEROS = 0.2, 0.1
"""In UTF-16, the minimum share of zeros in one half of the bytes, and the maximum in the other half."""


def decode_text(content: bytes) -> str:
    """Return the text of a file. Raises: RecordError.

    Lines that are not UTF-8 are Windows-1252, which contains Latin-1.

    >>> decode_text("Jörg".encode("utf-16")), decode_text("Jörg".encode("latin-1"))
    ('Jörg', 'Jörg')
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _decode(content[len(mark) :], encoding)
    start = content[:_LOOKED_AT]
    if b"\0" not in start:
        return _decode(content, "utf-8")
    first, second = (start[half::2].count(0) / len(start) * 2 for half in (0, 1))
    if max(first, second) < _LEAST_ZEROS or min(first, second) > _STRAY_ZEROS:
        raise RecordError("This is not a text file.")
    return _decode(content, "utf-16-be" if first > second else "utf-16-le")


def _decode(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8":
            raise RecordError(f"This is not text in {encoding[:6].upper()}.") from None
    # Line by line: a file may combine files of several programs.
    return "".join(map(_decode_line, content.splitlines(keepends=True)))


def _decode_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(map(_windows_letter, line))


def _windows_letter(byte: int) -> str:
    try:
        return bytes((byte,)).decode("windows-1252")
    except UnicodeDecodeError:
        return chr(byte)  # one of the five bytes that Windows-1252 leaves undefined
