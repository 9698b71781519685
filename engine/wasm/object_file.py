"""A relocatable WebAssembly object, as LLVM writes it, read into records.

The format: github.com/WebAssembly/tool-conventions/blob/main/Linking.md. Only what one object without outside symbols
has is understood; the rest raises ObjectError.
"""

from typing import NamedTuple

from .leb import Reader

CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
"""The numbers of sections."""

SYMBOL_FUNCTION, SYMBOL_DATA, SYMBOL_GLOBAL, SYMBOL_SECTION = range(4)
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
"""Flags of symbols."""

SYMBOL_TABLE, SEGMENT_INFO = 8, 5
"""Subsections of `linking`."""

FUNCTION_INDEX, MEMORY_LEB, MEMORY_SLEB, MEMORY_I32, TYPE_INDEX, GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
"""Kinds of relocations."""
WITH_ADDEND = {MEMORY_LEB, MEMORY_SLEB, MEMORY_I32}


class ObjectError(Exception):
    """An object that cannot be made a module by itself. The message says why."""


class Symbol(NamedTuple):
    """What relocations refer to."""

    kind: int
    name: str
    number: int
    """The function, global or data segment; -1 for what is not defined."""
    offset: int = 0
    """Of data, in its segment."""


class Relocation(NamedTuple):
    """A number in the code or in the data that depends on where things lie."""

    kind: int
    at: int
    """In bytes from the start of its section's content."""
    symbol: int
    addend: int


class Segment(NamedTuple):
    """A piece of the memory's first content."""

    content: bytes
    at: int
    """Where the content begins, in bytes from the start of the section's content."""
    alignment: int


class ObjectFile(NamedTuple):
    """The parts of an object."""

    types: bytes
    functions: list[int]
    """The type of each function that it defines."""
    code: bytes
    """The section's content."""
    code_relocations: list[Relocation]
    segments: list[Segment]
    data_relocations: list[Relocation]
    symbols: list[Symbol]


def read_object(content: bytes) -> ObjectFile:
    """Read an object. Raises: ObjectError, also for one that needs functions from outside."""
    sections, customs = _sections_of(content)
    if CUSTOM in sections or TABLE in sections or ELEMENT in sections:
        raise ObjectError("It has sections that are not understood.")
    _check_imports(Reader(sections[IMPORT]))
    symbols, alignments = _linking(customs["linking"])
    return ObjectFile(
        types=sections[TYPE],
        functions=_numbers(Reader(sections[FUNCTION])),
        code=sections[CODE],
        code_relocations=_relocations(customs.get("reloc.CODE", b"")),
        segments=_segments(sections.get(DATA, b"\0"), alignments),
        data_relocations=_relocations(customs.get("reloc.DATA", b"")),
        symbols=symbols,
    )


def read_customs(content: bytes) -> dict[str, bytes]:
    """Return the sections of an object or a module that are no code, by their titles."""
    return _sections_of(content)[1]


def _sections_of(content: bytes) -> tuple[dict[int, bytes], dict[str, bytes]]:
    reader, sections, customs = Reader(content, 8), dict[int, bytes](), dict[str, bytes]()
    while not reader.is_at_end:
        number = reader.byte()
        section = reader.take(reader.unsigned())
        if number == CUSTOM:
            inside = Reader(section)
            title = inside.name()
            customs[title] = section[inside.at :]
        else:
            sections[number] = section
    return sections, customs


def _check_imports(reader: Reader) -> None:
    missing = []
    for _ in range(reader.unsigned()):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == 0:
            reader.unsigned()
            missing.append(name)
        elif kind == 1:
            reader.take(1)
            _skip_limits(reader)
        elif kind == 2:
            _skip_limits(reader)
        else:
            reader.take(2)
    if missing:
        raise ObjectError(f"It needs the functions {', '.join(missing)}.")


def _skip_limits(reader: Reader) -> None:
    has_maximum = reader.byte() & 1
    reader.unsigned()
    if has_maximum:
        reader.unsigned()


def _numbers(reader: Reader) -> list[int]:
    return [reader.unsigned() for _ in range(reader.unsigned())]


def _linking(content: bytes) -> tuple[list[Symbol], list[int]]:
    """Return the symbols, and the alignment of each data segment."""
    reader, symbols, alignments = Reader(content), list[Symbol](), list[int]()
    if reader.unsigned() != 2:
        raise ObjectError("Its version is not understood.")
    while not reader.is_at_end:
        kind = reader.byte()
        part = Reader(reader.take(reader.unsigned()))
        if kind == SYMBOL_TABLE:
            symbols = [_symbol(part) for _ in range(part.unsigned())]
        elif kind == SEGMENT_INFO:
            for _ in range(part.unsigned()):
                part.name()
                alignments.append(1 << part.unsigned())
                part.unsigned()
    return symbols, alignments


def _symbol(reader: Reader) -> Symbol:
    kind, flags = reader.byte(), reader.unsigned()
    is_defined = not flags & UNDEFINED
    if kind == SYMBOL_DATA:
        name = reader.name()
        if not is_defined:
            raise ObjectError(f"It needs the data {name}.")
        index, offset, _size = reader.unsigned(), reader.unsigned(), reader.unsigned()
        return Symbol(kind, name, index, offset)
    index = reader.unsigned()
    has_name = kind != SYMBOL_SECTION and (is_defined or flags & EXPLICIT_NAME)
    return Symbol(kind, reader.name() if has_name else "", index)


def _relocations(content: bytes) -> list[Relocation]:
    if not content:
        return []
    reader = Reader(content)
    reader.unsigned()  # the section, which the name says already
    found = []
    for _ in range(reader.unsigned()):
        kind, at, symbol = reader.byte(), reader.unsigned(), reader.unsigned()
        found.append(Relocation(kind, at, symbol, reader.signed() if kind in WITH_ADDEND else 0))
    return found


def _segments(content: bytes, alignments: list[int]) -> list[Segment]:
    reader, found = Reader(content), []
    for index in range(reader.unsigned()):
        if reader.unsigned() != 0 or reader.byte() != 0x41:
            raise ObjectError("A data segment is not understood.")
        reader.signed()
        reader.byte()
        length = reader.unsigned()
        at = reader.at
        found.append(Segment(reader.take(length), at, alignments[index]))
    return found
