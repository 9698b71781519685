"""The protocol as an AsyncAPI 3 document: one channel, and every message that crosses it."""

import re
from collections.abc import Mapping
from typing import Any

from millrace import protocol

from .schema import REFERENCE, ProtocolTypes, Schema

_SCHEMAS = "#/components/schemas/"
_DESCRIPTION = """\
Play, watch and analyse matches over one WebSocket. Each frame is one JSON object whose `type` names its message. \
The first frame of a connection is `hello`. The guide is docs/protocol.md in the repository.\
"""


def describe_api(types: ProtocolTypes, examples: Mapping[str, list[Any]]) -> Mapping[str, Any]:
    """Return the document from the server's view: it receives the messages of clients and sends its own."""
    received, sent = types.messages["ClientMessage"], types.messages["ServerMessage"]
    names = (*received, *sent)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Millrace", "version": str(protocol.VERSION), "description": _DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": protocol.SOCKET_PATH,
                "title": "The socket",
                "description": "A WebSocket of text frames.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "receiveClientMessage": _operation("receive", "What a client sends.", received),
            "sendServerMessage": _operation("send", "What the server sends: replies, events and lists.", sent),
        },
        "components": {
            "messages": {name: _message(name, types.definitions[name], examples) for name in names},
            "schemas": {name: _refer(schema) for name, schema in types.definitions.items()},
        },
    }


def _operation(action: str, summary: str, names: tuple[str, ...]) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/socket"},
        "summary": summary,
        "messages": [{"$ref": f"#/channels/socket/messages/{name}"} for name in names],
    }


def _message(name: str, schema: Schema, examples: Mapping[str, list[Any]]) -> Schema:
    [tag] = schema["properties"]["type"]["enum"]
    summary, *_ = schema["description"].split("\n\n")
    message = {
        "name": tag,
        "title": _title(name),
        "summary": summary,
        "payload": {"$ref": _SCHEMAS + name},
    }
    shown = [{"payload": example} for example in examples.get(tag, ())]
    return {**message, "examples": shown} if shown else message


def _title(name: str) -> str:
    """Return a message's name as words.

    >>> _title("WatchYourMatches")
    'Watch your matches'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()


def _refer(schema: Any) -> Any:
    """Return a schema whose references lead to the document's components."""
    if isinstance(schema, list):
        return list(map(_refer, schema))
    if not isinstance(schema, dict):
        return schema
    return {key: part.replace(REFERENCE, _SCHEMAS) if key == "$ref" else _refer(part) for key, part in schema.items()}
