"""Plain values of every form that a type has, as releases side by side send and store them."""

from collections.abc import Iterator, Mapping

from msgspec import inspect


def examples(kind: inspect.Type, are_newer: bool = False) -> Iterator[object]:
    """Yield values of a type, so that every variant of each of its unions and each optional field occurs.

    Newer ones are the same in the same order, with a field more in every object and an item more in every array of
    fields.
    """
    match kind:
        case inspect.UnionType(types=types):
            for each in types:
                yield from examples(each, are_newer)
        case inspect.StructType():
            yield from _structs(kind, are_newer)
        case inspect.NamedTupleType(fields=fields):
            yield [next(examples(each.type, are_newer)) for each in fields] + ["newer"] * are_newer
        case inspect.TupleType(item_types=item_types):
            yield [next(examples(each, are_newer)) for each in item_types]
        case inspect.CollectionType(item_type=item_type, min_length=least):
            if not least:
                yield []
            for value in examples(item_type, are_newer):
                yield [value]
        case inspect.DictType(key_type=key_type, value_type=value_type):
            yield {next(examples(key_type)): next(examples(value_type, are_newer))}
        case _:
            yield _leaf(kind)


def _structs(kind: inspect.StructType, are_newer: bool) -> Iterator[object]:
    of_fields = {field.encode_name: list(examples(field.type, are_newer)) for field in kind.fields}
    tag = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
    newer = {"newer": {"than": ["this"]}} if are_newer else {}
    first = {name: values[0] for name, values in of_fields.items()}
    varied = [{**first, name: value} for name, values in of_fields.items() for value in values[1:]]
    for fields in (first, *varied):
        whole = {**tag, **fields, **newer}
        yield [*whole.values()] if kind.array_like else whole
    required = {field.encode_name for field in kind.fields if field.required}
    if not kind.array_like:
        yield {**tag, **{name: first[name] for name in required}, **newer}


def _leaf(kind: inspect.Type) -> object:
    match kind:
        case inspect.IntType(ge=least, le=most):
            return (most or 0) if least is None else least
        case inspect.StrType(min_length=length):
            return "x" * (length or 1)
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.EnumType(cls=cls):
            return next(iter(cls)).value
    return _PLAIN[type(kind)]


_PLAIN: Mapping[type[inspect.Type], object] = {
    inspect.NoneType: None,
    inspect.BoolType: True,
    inspect.FloatType: 0.5,
    inspect.BytesType: b"x",
    inspect.RawType: "x",
    inspect.AnyType: "x",
    inspect.CustomType: "x",
}
