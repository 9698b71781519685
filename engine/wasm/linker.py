"""Makes one relocatable object a WebAssembly module: places its data and stack, and fills in every address.

The module imports nothing. It exports its memory, which begins with the pages that the module itself needs and which
the page may grow once; the place where the rest begins is `Linked.end`.

    0      1024               stack's end
    | null | stack (grows down) | data and arrays | the page's own: the transposition table
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .leb import Reader, name, signed, sized, unsigned, vector
from .object_file import (
    CODE,
    CUSTOM,
    DATA,
    EXPORT,
    FUNCTION,
    FUNCTION_INDEX,
    GLOBAL,
    GLOBAL_INDEX,
    MEMORY,
    MEMORY_I32,
    MEMORY_LEB,
    MEMORY_SLEB,
    SYMBOL_DATA,
    SYMBOL_FUNCTION,
    TYPE,
    TYPE_INDEX,
    ObjectError,
    ObjectFile,
    Relocation,
    Segment,
)

HEADER = b"\0asm\1\0\0\0"
PAGE_BYTES = 1 << 16
STACK_END = 1 << 16
"""The stack lies below, and the data above."""

I32, CONST_I32, END, MUTABLE = 0x7F, 0x41, 0x0B, 1
PADDED_BYTES = 5
"""The length of every number in the code that is to be filled in."""


class Linked(NamedTuple):
    """A module without the sections that describe it."""

    content: bytes
    addresses: Mapping[str, int]
    """Where data lies, by its symbol."""
    left_out_at: int
    """The address of the data that was left out; 0 if there was none."""
    end: int
    """The first address behind the module's own memory."""


def link(parts: ObjectFile, exported: Iterable[str], left_out: bytes = b"") -> Linked:
    """Return a module that exports the given functions and its `memory`. Data equal to `left_out` is zero at first.

    Raises: ObjectError.
    """
    starts, end = _place(parts.segments)
    addresses = [
        starts[symbol.number] + symbol.offset if symbol.kind == SYMBOL_DATA else symbol.number
        for symbol in parts.symbols
    ]
    code = _filled_code(parts, addresses)
    image = _image(parts, starts, addresses, left_out)
    left_out_at = sum(at for at, each in zip(starts, parts.segments, strict=True) if each.content == left_out)
    functions = {symbol.name: symbol.number for symbol in parts.symbols if symbol.kind == SYMBOL_FUNCTION}
    exports = [name("memory") + bytes([2, 0])]
    exports += [name(each) + b"\0" + unsigned(functions[each]) for each in exported]
    pages = -(-end // PAGE_BYTES)
    sections = [
        (TYPE, parts.types),
        (FUNCTION, vector([unsigned(kind) for kind in parts.functions])),
        (MEMORY, vector([b"\0" + unsigned(pages)])),
        (GLOBAL, vector([bytes([I32, MUTABLE, CONST_I32]) + signed(STACK_END) + bytes([END])])),
        (EXPORT, vector(exports)),
        (CODE, code),
        (DATA, vector(image)),
    ]
    content = HEADER + b"".join(bytes([number]) + sized(section) for number, section in sections)
    named = {symbol.name: at for symbol, at in zip(parts.symbols, addresses, strict=True) if symbol.kind == SYMBOL_DATA}
    return Linked(content, named, left_out_at, end)


def custom_section(title: str, content: bytes) -> bytes:
    """Return a section that is no code, to be appended to a module."""
    return bytes([CUSTOM]) + sized(name(title) + content)


def _place(segments: list[Segment]) -> tuple[list[int], int]:
    """Return the address of each segment, and the end of the last."""
    starts, end = [], STACK_END
    for segment in segments:
        start = -(-end // segment.alignment) * segment.alignment
        starts.append(start)
        end = start + len(segment.content)
    return starts, end


def _filled_code(parts: ObjectFile, addresses: list[int]) -> bytes:
    """Return the code section with every number filled in, in as few bytes as possible."""
    waiting = sorted(parts.code_relocations, key=lambda each: each.at, reverse=True)
    reader, bodies = Reader(parts.code), []
    for _ in range(reader.unsigned()):
        length = reader.unsigned()
        body, end = bytearray(), reader.at + length
        while waiting and waiting[-1].at < end:
            relocation = waiting.pop()
            body += reader.take(relocation.at - reader.at) + _number(relocation, addresses)
            reader.take(PADDED_BYTES)
        bodies.append(sized(bytes(body + reader.take(end - reader.at))))
    return vector(bodies)


def _number(relocation: Relocation, addresses: list[int]) -> bytes:
    """Return the number that replaces a padded one in the code. Of functions, types and globals there are only those
    of the object, so that their indices stay as they are."""
    if relocation.kind == TYPE_INDEX:
        return unsigned(relocation.symbol)
    value = addresses[relocation.symbol] + relocation.addend
    if relocation.kind == MEMORY_SLEB:
        return signed(value)
    if relocation.kind in (FUNCTION_INDEX, GLOBAL_INDEX, MEMORY_LEB):
        return unsigned(value)
    raise ObjectError(f"Relocations of kind {relocation.kind} are not understood.")


def _image(parts: ObjectFile, starts: list[int], addresses: list[int], left_out: bytes) -> list[bytes]:
    """Return the data segments that are not zero, with every address filled in."""
    filled = [bytearray(segment.content) for segment in parts.segments]
    for relocation in parts.data_relocations:
        if relocation.kind != MEMORY_I32:
            raise ObjectError(f"Relocations of kind {relocation.kind} are not understood.")
        value = addresses[relocation.symbol] + relocation.addend
        for segment, content in zip(parts.segments, filled, strict=True):
            if 0 <= relocation.at - segment.at < len(content):
                at = relocation.at - segment.at
                content[at : at + 4] = value.to_bytes(4, "little")
    return [
        b"\0" + bytes([CONST_I32]) + signed(start) + bytes([END]) + sized(bytes(content))
        for start, content in zip(starts, filled, strict=True)
        if any(content) and content != left_out
    ]
