"""The protocol's types as JSDoc typedefs, which `tsc --checkJs` reads."""

import json
import textwrap

from millrace import protocol

from .schema import REFERENCE, ProtocolTypes, Schema

_WIDTH = 120
_HEAD = f"""\
/**
 * Every message of the protocol as a type. Made of the structs in `protocol` by `python -m tools.make`.
 *
 * Names of fields are those on the wire. Times ending in `_ms` are milliseconds; `at_ms` and `now_ms` count from 1970
 * by the server's clock. Clients may leave out the fields with a question mark. The server explains each message and
 * each field at `/protocol.html`.
 */

export const VERSION = {protocol.VERSION};

/** Maximum length of a message from a client. */
export const MAX_FRAME_BYTES = {protocol.MAX_FRAME_BYTES};

/** The seat of an empty cell, whose size is 0. */
export const NOBODY = {protocol.NOBODY};
"""
_PRIMITIVES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def write_javascript(types: ProtocolTypes) -> str:
    """Return the module that holds a typedef for each type."""
    partial = frozenset(name for name, definition in types.definitions.items() if _has_optional_fields(definition))
    typedefs = (
        _typedef(name, definition, partial if name in types.sent_whole else frozenset())
        for name, definition in types.definitions.items()
    )
    return "\n".join([_HEAD, *typedefs])


def _typedef(name: str, definition: Schema, whole: frozenset[str]) -> str:
    summary = definition["description"].split("\n\n")[0]
    typedef = f"@typedef {{{type_text(definition, whole)}}} {name}"
    lines = [*textwrap.wrap(summary, _WIDTH - 3), *_wrap_code(typedef)]
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def _wrap_code(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH - 3, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _has_optional_fields(definition: Schema) -> bool:
    return len(definition.get("required", [])) < len(definition.get("properties", []))


def type_text(schema: Schema, whole: frozenset[str] = frozenset()) -> str:  # noqa: PLR0911  # one for each keyword
    """Return the type of a schema. Types named in `whole` are used with all their fields.

    >>> type_text({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    '(number | null)[]'
    """
    match schema:
        case {"$ref": reference}:
            name = str(reference).removeprefix(REFERENCE)
            return f"Required<{name}>" if name in whole else name
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": parts}:
            return " | ".join(dict.fromkeys(type_text(part, whole) for part in parts))
        case {"prefixItems": items}:
            return f"[{', '.join(_item(item, whole) for item in items)}]"
        case {"items": item}:
            item_type = type_text(item, whole)
            return f"({item_type})[]" if " | " in item_type else f"{item_type}[]"
        case {"properties": properties}:
            required = schema.get("required", [])
            fields = (
                f"{name}{'' if name in required else '?'}: {type_text(part, whole)}"
                for name, part in properties.items()
            )
            return f"{{ {', '.join(fields)} }}"
        case {"additionalProperties": value}:
            return f"{{ [key: string]: {type_text(value, whole)} }}"
    return _PRIMITIVES[schema["type"]]


def _item(schema: Schema, whole: frozenset[str]) -> str:
    item_type = type_text(schema, whole)
    return f"{schema['title']}: {item_type}" if "title" in schema else item_type
