"""Reads what a newer release has stored or sent to nodes and clients, ignoring unknown fields.

Not for messages from clients: an unknown field there is a mistake, and is refused.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import repeat
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

Read = TypeVar("Read")


def read_json(body: bytes | str, decoder: msgspec.json.Decoder[Read]) -> Read:
    """Return what a JSON decoder reads, if need be without unknown fields. Raises: msgspec.DecodeError."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError:
        known = known_part(msgspec.json.decode(body), _type_info(decoder))
        return decoder.decode(msgspec.json.encode(known))


def read_msgpack(body: bytes | msgspec.Raw, decoder: msgspec.msgpack.Decoder[Read]) -> Read:
    """Return what a MessagePack decoder reads, if need be without unknown fields. Raises: msgspec.DecodeError."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError:
        known = known_part(msgspec.msgpack.decode(body), _type_info(decoder))
        return decoder.decode(msgspec.msgpack.encode(known))


def known_part(value: object, kind: inspect.Type) -> object:
    """Return a plain value without the fields missing from its type, at any depth.

    Structs that are arrays have no tags.
    """
    match kind, value:
        case inspect.UnionType(types=types), list() | dict():
            of_value = _variant(value, types)
            return value if of_value is None else known_part(value, of_value)
        case inspect.StructType(tag_field=tag_field), dict():
            of_fields = {field.encode_name: field.type for field in kind.fields}
            known = {name: known_part(each, of_fields[name]) for name, each in value.items() if name in of_fields}
            return known if tag_field is None else {tag_field: value.get(tag_field), **known}
        case inspect.DictType(value_type=of_value), dict():
            return {key: known_part(each, of_value) for key, each in value.items()}
        case _, list():
            return [known_part(each, of_item) for each, of_item in zip(value, _item_types(kind), strict=False)]
        case _:
            return value


def _item_types(kind: inspect.Type) -> Iterable[inspect.Type]:
    """Return the types of the items of a list; the types of further items are unknown."""
    match kind:
        case inspect.StructType(fields=fields) | inspect.NamedTupleType(fields=fields):
            return [field.type for field in fields]
        case inspect.TupleType(item_types=item_types):
            return item_types
        case inspect.CollectionType(item_type=item_type):
            return repeat(item_type)
        case _:
            return repeat(inspect.AnyType())


def _variant(value: object, types: Sequence[inspect.Type]) -> inspect.Type | None:
    """Return the type of a union that a list or an object has; None for other values, and for an unknown tag."""
    for kind in types:
        match kind, value:
            case (
                inspect.StructType(array_like=True)
                | inspect.NamedTupleType()
                | inspect.CollectionType()
                | inspect.TupleType(),
                list(),
            ):
                return kind
            case inspect.StructType(array_like=False), dict():
                if kind.tag_field is None or value.get(kind.tag_field) == kind.tag:
                    return kind
            case inspect.DictType(), dict():
                return kind
    return None


@cache
def _type_info(decoder: msgspec.json.Decoder[Any] | msgspec.msgpack.Decoder[Any]) -> inspect.Type:
    return inspect.type_info(decoder.type)
