"""The encoding of files with matches: UTF-8, UTF-16, UTF-32, or one that is given or certain enough. Pure."""

import codecs
import re

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


_LATIN = ("windows-1252", "windows-1250", "windows-1254", "windows-1257")
"""Western, Central European, Turkish and Baltic letters; other encodings have other letters for every byte."""
_OTHER_LETTERS = re.compile(rb"[\xc0-\xff]{2}|[A-Za-z][\x80-\x91\x93-\x95\x98-\x9f][A-Za-z]")
"""Two letters without one of ASCII between them, as in Cyrillic; within a word, what is no letter but in DOS."""
_CHARSET = re.compile(rb"\(\s*;[^()]*?\bCA\[([!-Z^-~]{1,40})\]")
"""The encoding that SGF gives."""


def decode_text(content: bytes, encoding: str = "") -> str:
    """Return the text of a file. Raises: RecordError.

    Lines that are ASCII or not UTF-8 have the given encoding, or the one that SGF gives. Without one they are read only
    if all encodings for Latin letters agree.

    >>> decode_text("Jörg".encode("utf-16")), decode_text("Jörg".encode("latin-1"))
    ('Jörg', 'Jörg')
    >>> decode_text("Иванов".encode("windows-1251"), "windows-1251")
    'Иванов'
    """
    if encoding:
        _check_encoding(encoding)
    for mark, marked in _MARKS:
        if content.startswith(mark):
            return _decode(content[len(mark) :], marked)
    start = content[:_LOOKED_AT]
    if b"\0" in start:
        first, second = (start[half::2].count(0) / len(start) * 2 for half in (0, 1))
        if max(first, second) < _LEAST_ZEROS or min(first, second) > _STRAY_ZEROS:
            raise RecordError("This is not a text file.")
        return _decode(content, "utf-16-be" if first > second else "utf-16-le")
    given = _CHARSET.search(start)
    encoding = encoding or ("" if given is None else given[1].decode())
    if not encoding:
        doubtful = b"".join(line for line in content.splitlines() if not _is_utf8(line))
        if _OTHER_LETTERS.search(doubtful) or not all(map(_is_certain, set(doubtful))):
            raise RecordError(
                "This file is not in UTF-8, and its letters depend on the encoding. Name the encoding, such as "
                "windows-1251, or save the file in UTF-8."
            )
    return _decode_lines(content, encoding or _LATIN[0])


def _check_encoding(encoding: str) -> None:
    """Check that an encoding of text exists. Raises: RecordError."""
    try:
        "\n".encode(encoding)
    except (LookupError, ValueError):
        # The codec `undefined`, and a name with a zero, raise a ValueError.
        raise RecordError(f"There is no encoding {encoding!r}.") from None


def _decode(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise RecordError(f"This is not text in {encoding[:6].upper()}.") from None


def _decode_lines(content: bytes, encoding: str) -> str:
    """Return a text of which some lines may be UTF-8, if several programs wrote the file. Raises: RecordError."""
    _check_encoding(encoding)
    try:
        if "\n".encode(encoding) != b"\n":
            return content.decode("utf-8" if _is_utf8(content) else encoding)
        lines = content.splitlines(keepends=True)
        # Some encodings, such as ISO-2022-JP, write all letters in ASCII.
        return "".join(line.decode(encoding if line.isascii() or not _is_utf8(line) else "utf-8") for line in lines)
    except UnicodeError:
        raise RecordError(f"This is not text in {encoding}.") from None


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_certain(byte: int) -> bool:
    """Return whether a byte is the same letter in all encodings for Latin letters, or else a letter in none of them."""
    characters = {bytes((byte,)).decode(encoding, "replace") for encoding in _LATIN}
    return len(characters) == 1 or not any(map(str.isalpha, characters))
