"""The documents and JavaScript types that are generated from the protocol's message types.

Not needed to run anything: developers run `python -m millrace.protocol.generation` in a checkout after they
have changed a message, and commit what it writes. Pure, except for `__main__`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from .asyncapi import describe_api
from .javascript import write_javascript
from .schema import define_types, write_schema

Documents = Mapping[str, str]
"""The text of each generated file, by its path in the checkout."""

_EXAMPLE = re.compile(r"^```json (?:client|server)\n(?P<text>.*?)\n```$", re.MULTILINE | re.DOTALL)


def generate_documents(protocol_page: str) -> Documents:
    """Return the generated files. Examples of messages are taken from the text of `docs/protocol.md`."""
    types = define_types()
    return {
        "client/web/protocol.js": write_javascript(types),
        "docs/protocol.schema.json": _format(write_schema(types)),
        "docs/asyncapi.json": _format(describe_api(types, read_examples(protocol_page))),
    }


def read_examples(page: str) -> Mapping[str, Any]:
    """Return the first example of each message that a page shows, by the message's `type`.

    >>> read_examples('```json client\\n{"type": "ping", "nonce": 7}\\n```')
    {'ping': {'type': 'ping', 'nonce': 7}}
    """
    examples: dict[str, Any] = {}
    for block in _EXAMPLE.finditer(page):
        message = json.loads(block["text"])
        examples.setdefault(message["type"], message)
    return examples


def _format(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
