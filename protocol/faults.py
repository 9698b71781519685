"""Explains JSON of an unexpected form in a sentence that names the field. Pure."""

import re
from collections.abc import Callable

_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_PLACE = re.compile(r" - at (?:the key in )?`\$?\.?(.*)`$")


def explain(error: Exception) -> str:
    """Return a sentence that explains an error in decoding JSON.

    >>> import msgspec
    >>> try:
    ...     msgspec.json.decode('{"level": "x"}', type=dict[str, int])
    ... except msgspec.ValidationError as error:
    ...     explain(error)
    'The field [...] must be a whole number, not a text.'
    """
    if isinstance(error, UnicodeError):
        return "This is not text in UTF-8."
    if isinstance(error, RecursionError):
        return "This is nested too deeply."
    message = str(error)
    place = _PLACE.search(message)
    problem, where = (message[: place.start()], place[1]) if place else (message, "")
    for pattern, sentence in _SENTENCES:
        if found := pattern.fullmatch(problem):
            return sentence(found, where)
    return f"This cannot be read: {message}."


def _field(where: str) -> str:
    return f"The field {where}" if where else "It"


def _kinds(text: str) -> str:
    """Return the words for types such as `int | null`."""
    return " or ".join(_KINDS.get(kind.strip(), f"a {kind.strip()}") for kind in text.split("|"))


def _bound(found: re.Match[str], where: str) -> str:
    kind, length, sign, limit = found.groups()
    most = "at most" if sign == "<=" else "at least"
    if not length:
        return f"{_field(where)} must be {most} {limit}."
    one, many = ("character", "characters") if kind == "str" else ("entry", "entries")
    return f"{_field(where)} must have {most} {limit} {one if limit == '1' else many}."


def _missing(found: re.Match[str], where: str) -> str:
    return f"The field {where}{'.' if where else ''}{found[1]} is missing."


def _unknown(found: re.Match[str], where: str) -> str:
    return f"There is no field {where}{'.' if where else ''}{found[1]}."


def _bad_value(found: re.Match[str], where: str) -> str:
    if where == "type":
        return f"There is no type {found[1]}."
    return f"{_field(where)} cannot be {found[1]}."


_SENTENCES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]], ...] = (
    (re.compile(r"Expected `(\w+)` (of length )?(<=|>=) (\S+)"), _bound),
    (
        re.compile(r"Expected `(.+)`, got `(.+)`"),
        lambda found, where: f"{_field(where)} must be {_kinds(found[1])}, not {_kinds(found[2])}.",
    ),
    (
        re.compile(r"Expected `str` matching regex .*"),
        lambda _, where: f"{_field(where)} has forbidden characters.",
    ),
    (re.compile(r"Expected `([^`]+)`"), lambda found, where: f"{_field(where)} must be {_kinds(found[1])}."),
    (re.compile(r"Object missing required field `(.+)`"), _missing),
    (re.compile(r"Object contains unknown field `(.+)`"), _unknown),
    (re.compile(r"Invalid (?:enum )?value (.+)"), _bad_value),
    (re.compile(r"Input data was truncated"), lambda _, __: "This is not JSON: it ends too early."),
    (re.compile(r"JSON is malformed: (.+)"), lambda found, _: f"This is not JSON: {found[1]}."),
)
"""Sentences for msgspec's error messages, by pattern."""
