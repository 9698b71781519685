"""Babel's extraction methods for the page: messages in JavaScript modules, and texts in documents.

Babel's own method for JavaScript misses calls inside the arguments of another call.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any, TypeAlias

from millrace.server.web.javascript import read_source
from millrace.server.web.translation_format import PLACEHOLDER_IN_DOCUMENT

Extracted: TypeAlias = tuple[int, str, str | tuple[str, ...], list[str]]
"""Line, function, arguments and comments of a message, as Babel expects them."""

KEYWORDS: Mapping[str, Any] = {
    "gettext": (1,),
    "gettextNodes": (1,),
    "later": (1,),
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Refusal": (2,),
}
"""The functions whose arguments are messages: in JavaScript those of `language/texts.js`, in Python the exceptions."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""Where a value stands in a message."""

_CALL = re.compile(r"(?:(?<![\w.$#])|(?<=\.\.\.))(gettextNodes|gettext|later|ngettext|pgettext)\(")
_LITERAL = re.compile(r'\s*"((?:[^"\\\n]|\\.)*)"\s*([,)])')


def extract_javascript(
    file: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Extracted]:
    """Yield the messages of a module: the literals at the start of the arguments of each call."""
    script = file.read().decode()
    text, code = read_source(getattr(file, "name", "script"), script)
    for call in _CALL.finditer(code):
        if code[: call.start()].endswith("function "):
            continue
        arguments, at = [], call.end()
        while (literal := _LITERAL.match(text, at)) is not None and code[literal.start(1) - 1] == '"':
            arguments.append(_unescape(literal[1]))
            at = literal.end()
            if literal[2] == ")":
                break
        if arguments:
            line = text.count("\n", 0, call.start()) + 1
            yield line, call[1], arguments[0] if len(arguments) == 1 else tuple(arguments), []


def extract_document(
    file: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Extracted]:
    """Yield the texts in double braces of a document."""
    text = file.read().decode()
    for found in PLACEHOLDER_IN_DOCUMENT.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, "gettext", found[1], []


def _unescape(literal: str) -> str:
    return re.sub(r"\\(.)", r"\1", literal)
