"""The memory of a WebAssembly module as arrays of a fixed place and shape, for kernels and for the page.

A module has one block of memory for its arrays, `BLOCK`. Kernels call a view to get an array of it; constant addresses
need no arguments and optimise well. The page reads the places from the module's description.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

NumbaAny: TypeAlias = Any
"""A value of numba's internals, which have no static types."""

View: TypeAlias = Callable[[], Any]
"""An intrinsic that returns an array, or a NamedTuple of arrays. (A kernel may not return arrays.)"""

BLOCK = "block_of_arrays"
"""The name of the block in LLVM's code."""

ALIGNMENT = 64


class Place(NamedTuple):
    """Where an array lies, and its shape."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    at: int
    """In bytes from the start of the block."""


class Layout:
    """The arrays that were given a place so far."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.size = 0
        """In bytes."""

    def add(self, name: str, dtype: str, *shape: int) -> View:
        """Give an array a place, and return its view."""
        place = self._place(name, np.dtype(dtype), shape)

        @intrinsic  # type: ignore[untyped-decorator]  # numba has no types
        def view(_context: NumbaAny) -> NumbaAny:
            def generate(context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, _arguments: NumbaAny) -> NumbaAny:
                return _array_at(context, builder, place)

            return _type_of(place)(), generate

        return view  # type: ignore[no-any-return]

    def add_tuple(self, name: str, arrays: NumbaAny) -> View:
        """Give each array of a NamedTuple a place, and return the view of the whole."""
        places = [
            self._place(f"{name}.{field}", array.dtype, array.shape)
            for field, array in zip(arrays._fields, arrays, strict=True)
        ]
        named = types.NamedTuple([_type_of(place) for place in places], type(arrays))

        @intrinsic  # type: ignore[untyped-decorator]  # numba has no types
        def view(_context: NumbaAny) -> NumbaAny:
            def generate(context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, _arguments: NumbaAny) -> NumbaAny:
                return context.make_tuple(builder, named, [_array_at(context, builder, place) for place in places])

            return named(), generate

        return view  # type: ignore[no-any-return]

    def _place(self, name: str, dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> Place:
        place = Place(name, dtype.name, shape, self.size)
        self.places.append(place)
        occupied = int(dtype.itemsize * np.prod(shape, dtype=np.int64))
        self.size += -(-occupied // ALIGNMENT) * ALIGNMENT
        return place


def _type_of(place: Place) -> NumbaAny:
    return types.Array(from_dtype(np.dtype(place.dtype)), len(place.shape), "C")


def _array_at(context: NumbaAny, builder: NumbaAny, place: Place) -> NumbaAny:
    block, word = _declared_block(builder.module), ir.IntType(32)
    start = builder.gep(block, [ir.Constant(word, 0), ir.Constant(word, place.at)], inbounds=True)
    shape = [ir.Constant(cgutils.intp_t, length) for length in place.shape]
    return _array(context, builder, _type_of(place), start, shape)


def rows_of(dtype: str, columns: int) -> Callable[[int, int], NDArray[Any]]:
    """Return the intrinsic `(address, rows)` of an array of that many columns, at an address chosen by the page."""
    kind = types.Array(from_dtype(np.dtype(dtype)), 2, "C")

    @intrinsic  # type: ignore[untyped-decorator]  # numba has no types
    def rows_at(_context: NumbaAny, address: NumbaAny, rows: NumbaAny) -> NumbaAny:  # noqa: ARG001  # numba calls by name
        def generate(context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
            start = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
            return _array(context, builder, kind, start, [arguments[1], ir.Constant(cgutils.intp_t, columns)])

        return kind(types.int64, types.int64), generate

    return rows_at  # type: ignore[no-any-return]


def _declared_block(module: NumbaAny) -> NumbaAny:
    known = module.globals.get(BLOCK)
    return ir.GlobalVariable(module, ir.ArrayType(ir.IntType(8), 0), BLOCK) if known is None else known


def _array(context: NumbaAny, builder: NumbaAny, kind: NumbaAny, start: NumbaAny, shape: list[NumbaAny]) -> NumbaAny:
    """Return an array over memory that nobody owns."""
    item_bytes = np.dtype(str(kind.dtype)).itemsize
    item = ir.Constant(cgutils.intp_t, item_bytes)
    strides, step = list[NumbaAny](), item
    for length in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, length)
    array = make_array(kind)(context, builder)
    data = builder.bitcast(start, context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
    return array._getvalue()
