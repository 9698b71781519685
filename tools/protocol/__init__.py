"""What is made of the protocol's messages, for the page and for authors of clients.

    javascript.py    the types of all messages, as the page's modules import them
    schema.py        JSON Schema: every type with its bounds
    asyncapi.py      AsyncAPI: every message with its direction and an example
    reference.py     the same for readers, as a page
    docstrings.py    the docstrings below fields, of which all of these are made

The examples are in `protocol/examples.jsonl`, a message on each line.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from .asyncapi import describe_api
from .javascript import write_javascript
from .reference import write_reference
from .schema import define_types, write_schema

Examples: TypeAlias = Mapping[str, list[dict[str, Any]]]
"""Messages and events by their `type`."""

EXAMPLES = "protocol/examples.jsonl"


def protocol_files(root: Path) -> Mapping[str, str]:
    """Return the files by their paths in the repository."""
    types, examples = define_types(), read_examples(root)
    return {
        "client/web/protocol.js": write_javascript(types),
        "client/web/protocol.schema.json": _format(write_schema(types)),
        "client/web/asyncapi.json": _format(describe_api(types, examples)),
        "client/web/protocol.html": write_reference(types, examples),
    }


def read_examples(root: Path) -> Examples:
    """Return all examples."""
    examples: dict[str, list[dict[str, Any]]] = {}
    for line in example_lines(root):
        message = json.loads(line)
        examples.setdefault(message["type"], []).append(message)
    return examples


def example_lines(root: Path) -> Iterator[str]:
    """Yield the examples as they are written."""
    yield from (root / EXAMPLES).read_text(encoding="utf-8").splitlines()


def _format(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
