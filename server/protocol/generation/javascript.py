"""The protocol's types as JSDoc typedefs, which `tsc --checkJs` reads."""

import json
import textwrap
from typing import Any

from millrace.server import protocol

from .schema import REFERENCE, ProtocolTypes, Schema

_WIDTH = 120
_HEAD = f"""\
/**
 * Every message of the protocol as a type. Generated: change `server/protocol` instead, then run
 * `python -m millrace.server.protocol.generation`.
 *
 * Names of fields are those on the wire. Times ending in `_ms` are milliseconds; `at_ms` and `now_ms` count from 1970
 * by the server's clock. Clients may leave out the fields with a question mark. `docs/protocol.md` explains each message, and
 * `docs/protocol.schema.json` each field.
 */

export const VERSION = {protocol.VERSION};

/** The seat of an empty cell, whose size is 0. */
export const NOBODY = {protocol.NOBODY};
"""
_PRIMITIVES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def write_javascript(types: ProtocolTypes) -> str:
    """Return the module that holds a typedef for each type."""
    typedefs = (_typedef(name, definition) for name, definition in types.definitions.items())
    return "\n".join([_HEAD, *typedefs])


def _typedef(name: str, definition: Schema) -> str:
    summary = definition["description"].split("\n\n")[0]
    typedef = f"@typedef {{{_type_of(definition)}}} {name}"
    lines = [*textwrap.wrap(summary, _WIDTH - 3), *_wrap_code(typedef)]
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def _wrap_code(text: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH - 3, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _type_of(schema: Schema) -> str:
    """Return the type of a schema.

    >>> _type_of({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    '(number | null)[]'
    """
    match schema:
        case {"$ref": reference}:
            return str(reference).removeprefix(REFERENCE)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": parts}:
            return " | ".join(dict.fromkeys(map(_type_of, parts)))
        case {"prefixItems": items}:
            return f"[{', '.join(map(_item, items))}]"
        case {"items": item}:
            return f"({_type_of(item)})[]" if " | " in _type_of(item) else f"{_type_of(item)}[]"
        case {"properties": properties}:
            required = schema.get("required", [])
            fields = (f"{name}{'' if name in required else '?'}: {_type_of(part)}" for name, part in properties.items())
            return f"{{ {', '.join(fields)} }}"
        case {"additionalProperties": value}:
            return f"{{ [key: string]: {_type_of(value)} }}"
    return _PRIMITIVES[schema["type"]]


def _item(schema: dict[str, Any]) -> str:
    return f"{schema['title']}: {_type_of(schema)}" if "title" in schema else _type_of(schema)
