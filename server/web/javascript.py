"""Reads JavaScript as far as joining modules needs: separates code from comments and strings.

It is not a parser. It relies on the formatting of `client/web`, such as spaces around a division, and raises in case of
doubt.
"""

import re
from typing import NamedTuple

_CODE = re.compile(r"[^/\"'`]+")
_CODE_IN_TEMPLATE = re.compile(r"[^/\"'`{}]+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_TEMPLATE_PART = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
"""The text after a backtick, or after the brace that closes an expression, up to the next one."""
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_LAST_WORD = re.compile(r"([\w$]+|\S)\Z")
MOST_WORD = 20
"""Characters of a word that are looked at: no word before a regular expression has more."""
_BEFORE_REGEX = frozenset(
    {
        *("await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return"),
        *("throw", "typeof", "void", "yield"),
    }
)
"""Words after which a slash begins a regular expression; after other words it divides."""


class ScriptError(Exception):
    """A script that cannot be read, with its file and line."""


class Source(NamedTuple):
    """A script without its comments."""

    text: str
    code: str
    """The text, with the contents of strings, templates and regular expressions replaced by as many spaces."""


def read_source(name: str, text: str) -> Source:
    """Return a script without comments. Raises: ScriptError if a part of it is ambiguous or does not end.

    >>> read_source("a.js", 'say("a // b"); // c')
    Source(text='say("a // b");', code='say("      ");')
    """
    return _Reader(name, text).read()


class _Reader:
    """One reading of a script, from its start to its end."""

    def __init__(self, name: str, script: str) -> None:
        self._name, self._script, self._at = name, script, 0
        self._text: list[str] = []
        self._code: list[str] = []
        self._is_in_template: list[bool] = []
        """For each open brace since the outermost template, whether it belongs to an expression in a template."""

    def read(self) -> Source:
        while self._at < len(self._script):
            self._read_part()
        source = Source("".join(self._text), "".join(self._code))
        opened, closed = source.code.count("{"), source.code.count("}")
        if self._is_in_template or opened > closed:
            raise self._error("A brace is not closed")
        if opened < closed:
            raise self._error("A brace closes nothing")
        return source

    def _read_part(self) -> None:
        match self._script[self._at]:
            case "'" | '"':
                string = self._take(_STRING, "A string does not end")
                self._put(string, _quoted(string))
            case "`":
                self._put("`", "`")
                self._read_template()
            case "{" if self._is_in_template:
                self._is_in_template.append(False)
                self._put("{", "{")
            case "}" if self._is_in_template:
                self._close_brace()
            case "/":
                self._read_slash()
            case _:
                code = self._take(_CODE_IN_TEMPLATE if self._is_in_template else _CODE, "A character is not code")
                self._put(code, code)

    def _close_brace(self) -> None:
        self._put("}", "}")
        if self._is_in_template.pop():
            self._read_template()

    def _read_template(self) -> None:
        """Read a part of a template, after its backtick or the brace that closes an expression."""
        part = self._take(_TEMPLATE_PART, "A template does not end")
        self._put(part, " " * (len(part) - 1) + part[-1])
        if part.endswith("{"):
            self._is_in_template.append(True)

    def _read_slash(self) -> None:
        comment = _COMMENT.match(self._script, self._at)
        if comment is not None:
            self._skip(comment)
        elif self._script.startswith("/*", self._at):
            raise self._error("A comment does not end")
        elif not self._follows_value():
            regex = self._take(_REGEX, "A regular expression does not end")
            self._put(regex, _quoted(regex))
        elif self._script[self._at + 1 : self._at + 2] in (" ", "="):
            self._put("/", "/")
        else:
            raise self._error("A slash may divide or begin a regular expression; put spaces around a division")

    def _follows_value(self) -> bool:
        """Return whether the code so far ends with a value, which a slash would divide."""
        last = _LAST_WORD.search("".join(self._code[-8:]).rstrip()[-MOST_WORD:])
        return last is not None and last[1] not in _BEFORE_REGEX and re.match(r"[\w$)\]}\"'`]", last[1]) is not None

    def _skip(self, comment: re.Match[str]) -> None:
        """Omit a comment: with its line, if there is nothing else on it."""
        line_start = self._script.rfind("\n", 0, self._at) + 1
        is_first = not self._script[line_start : self._at].strip()
        is_last = self._script[comment.end() : comment.end() + 1] in ("\n", "")
        if is_last:
            self._drop_spaces()
        else:
            # A comment separates tokens, and one of several lines ends a statement.
            separator = "\n" if "\n" in comment[0] else " "
            self._put(separator, separator)
        self._at = comment.end() + (is_first and is_last)

    def _drop_spaces(self) -> None:
        if self._text and self._code[-1].endswith(" "):
            self._text[-1], self._code[-1] = self._text[-1].rstrip(" "), self._code[-1].rstrip(" ")

    def _take(self, pattern: re.Pattern[str], problem: str) -> str:
        found = pattern.match(self._script, self._at)
        if found is None:
            raise self._error(problem)
        return found[0]

    def _put(self, text: str, code: str) -> None:
        self._text.append(text)
        self._code.append(code)
        self._at += len(text)

    def _error(self, problem: str) -> ScriptError:
        return ScriptError(f"{self._name}, line {self._script.count(chr(10), 0, self._at) + 1}: {problem}.")


def _quoted(literal: str) -> str:
    """Return a string of the same length without its contents."""
    return f'"{" " * (len(literal) - 2)}"'
