"""The reference of the protocol: every message and type with its fields and examples, as a page for readers."""

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from millrace import protocol

from .javascript import type_text
from .schema import ProtocolTypes, Schema

_FIRST = ("commands", "replies", "events")
"""The modules with which authors of clients begin."""
_SENDERS = {"ClientMessage": "client to server", "ServerMessage": "server to client", "Event": "event of a match"}
_HEAD = f"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The protocol of Millrace</title>
<link rel="stylesheet" href="/static/style/reference.css">
<main>
<h1>The protocol of Millrace, version {protocol.VERSION}</h1>
<p>Every message between a client and the server, with its fields and an example. A frame is one JSON object, whose
<code>type</code> names the message. A client may leave out fields that have a default; the server sends every field.
Boards and lists are shortened in some examples.</p>
<p>For programs: <a href="/protocol.schema.json">JSON Schema</a>, <a href="/asyncapi.json">AsyncAPI</a>.</p>
"""
_CODE = re.compile(r"`([^`]+)`")
_NAME = re.compile(r"\b[A-Z]\w+")


def write_reference(types: ProtocolTypes, examples: Mapping[str, list[Any]]) -> str:
    """Return the page: a chapter for each module of `protocol`, with its messages before their parts."""
    homes = [*_FIRST, *sorted(set(types.homes.values()) - set(_FIRST))]
    contents = "".join(f'<li><a href="#{home}">{home.replace("_", " ")}</a>\n' for home in homes)
    chapters = (part for home in homes for part in _chapter(home, types, examples))
    return "\n".join([_HEAD, f"<ul>\n{contents}</ul>", *chapters, "</main>\n"])


def _chapter(home: str, types: ProtocolTypes, examples: Mapping[str, list[Any]]) -> Iterator[str]:
    title, _, rest = types.chapters[home].partition("\n\n")
    yield f'<h2 id="{home}">{_marked(title)}</h2>'
    yield _paragraphs(rest)
    names = (name for name in types.definitions if types.homes[name] == home)
    for name in sorted(names, key=lambda name: (not _sender_of(name, types), "anyOf" in types.definitions[name])):
        yield from _section(name, types.definitions[name], types, examples)


def _section(name: str, definition: Schema, types: ProtocolTypes, examples: Mapping[str, list[Any]]) -> Iterator[str]:
    fields = definition.get("properties", {})
    [tag] = fields.get("type", {}).get("enum", [""])
    sender = _sender_of(name, types)
    heading = f"<code>{tag}</code> <small>{sender}</small>" if sender else name
    yield f'<h3 id="{name}">{heading}</h3>'
    yield _paragraphs(definition["description"])
    rows = [_row(field, schema, types) for field, schema in fields.items() if not (sender and field == "type")]
    rows += [_row(item["title"], item, types) for item in definition.get("prefixItems", ())]
    if rows:
        yield "<table>\n" + "\n".join(rows) + "\n</table>"
    elif not fields and "enum" not in definition:
        yield f"<p><code>{_linked(type_text(definition), types)}</code></p>"
    for example in examples.get(tag, ()) if sender else ():
        yield f"<pre>{html.escape(json.dumps(example, ensure_ascii=False), quote=False)}</pre>"


def _sender_of(name: str, types: ProtocolTypes) -> str:
    """Return the sender and receiver of a message; empty for a part of messages."""
    return next((sender for root, sender in _SENDERS.items() if name in types.messages[root]), "")


def _row(name: str, schema: Schema, types: ProtocolTypes) -> str:
    default = f" = {json.dumps(schema['default'], ensure_ascii=False)}" if "default" in schema else ""
    kind = f"{_linked(type_text(schema), types)}{html.escape(default)}"
    return f"<tr><td><code>{name}</code><td><code>{kind}</code><td>{_marked(schema.get('description', ''))}"


def _linked(text: str, types: ProtocolTypes) -> str:
    def link(found: re.Match[str]) -> str:
        return f'<a href="#{found[0]}">{found[0]}</a>' if found[0] in types.definitions else found[0]

    return _NAME.sub(link, html.escape(text, quote=False))


def _paragraphs(text: str) -> str:
    paragraphs = (f"<p>{_marked(each)}</p>" for each in text.split("\n\n") if each)
    return "\n".join(paragraphs).replace("\n- ", "<br>\n- ")


def _marked(text: str) -> str:
    text = re.sub(r"\bNone\b", "null", text)
    return _CODE.sub(r"<code>\1</code>", html.escape(text, quote=False))
