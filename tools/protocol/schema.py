"""The protocol's types as JSON Schema definitions, from which the other documents are written too.

msgspec makes the schema of each struct and enum. This module adds the rest: names for the type aliases (`Event`,
`OfferKind`), the recursion in `MoveTree`, and the docstrings of fields and members.
"""

import importlib
import pkgutil
import types
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Literal, NamedTuple, TypeAlias, Union, get_origin

import msgspec

from millrace import protocol

from .docstrings import clean, read_member_docs

Schema: TypeAlias = dict[str, Any]

REFERENCE = "#/$defs/"
_ANNOTATIONS = ("description", "default")
_ROOTS = ("ClientMessage", "ServerMessage", "Event")


class ProtocolTypes(NamedTuple):
    """Every type of the protocol, by name, in the order in which messages mention them."""

    definitions: Mapping[str, Schema]
    messages: Mapping[str, tuple[str, ...]]
    """The members of `ClientMessage`, `ServerMessage` and `Event`, by those names."""
    sent_whole: frozenset[str]
    """The structs that only the server sends: no field is missing, while clients may leave out those with defaults."""
    homes: Mapping[str, str]
    """The module of each type."""
    chapters: Mapping[str, str]
    """The docstrings of the modules."""


class _Alias(NamedTuple):
    home: str
    name: str
    type: Any
    doc: str


def define_types() -> ProtocolTypes:
    """Return the types of all messages and their parts."""
    aliases = tuple(_find_aliases())
    alias_schemas, components = msgspec.json.schema_components(
        [alias.type for alias in aliases], schema_hook=_schema_of_object, ref_template=REFERENCE + "{name}"
    )
    named = {alias.name: _without_discriminators(schema) for alias, schema in zip(aliases, alias_schemas, strict=True)}
    definitions = {
        name: {"title": name, "description": doc, **_name_parts(named[name], named, is_top=True)}
        for _, name, _, doc in aliases
    }
    classes = {
        each.__name__: each
        for module in _modules()
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    }
    for name, component in _without_discriminators(components).items():
        definitions[name] = _name_parts(_documented(component, classes[name]), named, is_top=True)
    structs = {name for name, definition in definitions.items() if "properties" in definition}
    sent_whole = structs - _reachable(definitions, "ClientMessage")
    for name in sent_whole:
        definitions[name]["required"] = list(definitions[name]["properties"])
    members = {root: tuple(_reference(part) for part in definitions[root]["anyOf"]) for root in _ROOTS}
    homes = {alias.name: alias.home for alias in aliases}
    homes |= {name: _short(classes[name].__module__) for name in components}
    chapters = {_short(module.__name__): clean(module.__doc__) for module in _modules()}
    return ProtocolTypes(definitions, members, frozenset(sent_whole), homes, chapters)


def write_schema(types: ProtocolTypes) -> Schema:
    """Return the JSON Schema document: a frame is a message of a client or of the server."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Millrace protocol",
        "description": f"Version {protocol.VERSION} of the messages that cross the socket, and the events of a match.",
        "anyOf": [{"$ref": REFERENCE + root} for root in ("ClientMessage", "ServerMessage")],
        "$defs": types.definitions,
    }


def _modules() -> Iterator[types.ModuleType]:
    for found in pkgutil.iter_modules(protocol.__path__):
        if not found.ispkg:
            yield importlib.import_module(f"{protocol.__name__}.{found.name}")


def _short(module: str) -> str:
    return module.rpartition(".")[2]


def _find_aliases() -> Iterator[_Alias]:
    """Yield the aliases that are more than a number or text with bounds."""
    for module in _modules():
        for name, doc in read_member_docs(module).items():
            value = getattr(module, name)
            if get_origin(value) in (Union, types.UnionType, Literal) or name == "MoveTree":
                yield _Alias(_short(module.__name__), name.removesuffix("Field"), value, doc)


def _schema_of_object(kind: type) -> Schema:
    if kind is not object:
        raise NotImplementedError
    return {"anyOf": [{"$ref": REFERENCE + "MoveTree"}, {"type": "null"}]}


def _documented(component: Schema, owner: type) -> Schema:
    docs = read_member_docs(owner)
    described = {**component, "description": clean(component.get("description"))}
    if issubclass(owner, Enum):
        lines = [f"- `{member.value}`: {docs[member.name]}" for member in owner if docs[member.name]]
        if lines:
            described["description"] += "\n\n" + "\n".join(lines)
    elif "prefixItems" in component:
        items = zip(docs.items(), component["prefixItems"], strict=True)
        described["prefixItems"] = [_with_doc({"title": name, **item}, doc) for (name, doc), item in items]
    else:
        properties = component["properties"].items()
        described["properties"] = {name: _with_doc(part, docs.get(name, "")) for name, part in properties}
    return described


def _with_doc(schema: Schema, doc: str) -> Schema:
    return {**schema, "description": doc} if doc else schema


def _without_discriminators(schema: Any) -> Any:
    """Return a schema without OpenAPI's keyword; `type` distinguishes members of a union without it."""
    if isinstance(schema, dict):
        return {key: _without_discriminators(part) for key, part in schema.items() if key != "discriminator"}
    return list(map(_without_discriminators, schema)) if isinstance(schema, list) else schema


def _name_parts(schema: Any, named: Mapping[str, Schema], *, is_top: bool = False) -> Any:
    """Return a schema that refers to the aliases that msgspec has written out in it."""
    if isinstance(schema, list):
        return [_name_parts(part, named) for part in schema]
    if not isinstance(schema, dict):
        return schema
    annotations = {key: schema[key] for key in _ANNOTATIONS if key in schema}
    bare = {key: part for key, part in schema.items() if key not in _ANNOTATIONS}
    if not is_top:
        for name, alias in named.items():
            if bare == alias:
                return {"$ref": REFERENCE + name, **annotations}
            if bare == _or_null(alias):
                return {"anyOf": [{"$ref": REFERENCE + name}, {"type": "null"}], **annotations}
    return {key: _name_parts(part, named) if key not in _ANNOTATIONS else part for key, part in schema.items()}


def _reachable(definitions: Mapping[str, Schema], root: str) -> frozenset[str]:
    """Return the names of the types that a type consists of, itself included."""
    reached, waiting = {root}, [root]
    while waiting:
        names = {_reference({"$ref": text}) for text in _find_references(definitions[waiting.pop()])}
        waiting.extend(names - reached)
        reached |= names
    return frozenset(reached)


def _find_references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"]
        for part in schema.values():
            yield from _find_references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _find_references(part)


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}


def _reference(schema: Schema) -> str:
    reference: str = schema["$ref"]
    return reference.removeprefix(REFERENCE)
