"""Bitboard operations for kernels, and the decorators that compile kernels.

Not a board representation: each game defines what its bits mean.

Bitboards are `uint64`; squares, counts and moves are `int64`. A literal that meets a bitboard is written
`np.uint64(...)`, since NumPy turns a mix of `uint64` and `int64` into a float. With `NUMBA_DISABLE_JIT=1` every kernel
runs as plain Python on NumPy scalars; the tests use that as an independent check.
"""

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from .kernel_cache import KernelCache, implement

Bitboard: TypeAlias = np.uint64
"""A set of cells: bit i is cell i."""

NumbaAny: TypeAlias = Any
"""A value of numba's internals, which have no static types. This alias marks every such place."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

if numba.config.DISABLE_JIT:
    # Keys wrap silently at 64 bits in compiled code; interpreted, NumPy would warn.
    np.seterr(over="ignore")

NO_CELLS = np.uint64(0)


def kernel(function: _Function) -> _Function:
    """Compile `function` to native code at its first call, or load it from the cache. It must not touch Python objects.

    It must not create arrays either, but may write to those that it is given: without array creation numba needs no
    reference counting, which took a fifth of the search's time. Use `allocating_kernel` for a kernel that creates
    arrays.
    """
    return _compiled(function, counts_references=False)


def short_kernel(function: _Function) -> _Function:
    """Compile `function` as `kernel` does, for Python to call: it keeps Python's lock.

    If another thread waits for the lock, releasing and reacquiring it takes longer than a few microseconds.
    """
    return _compiled(function, counts_references=False, keeps_lock=True)


def allocating_kernel(function: _Function) -> _Function:
    """Compile `function` as `kernel` does, but allow it to create arrays."""
    return _compiled(function, counts_references=True)


def _compiled(function: _Function, *, counts_references: bool, keeps_lock: bool = False) -> _Function:
    compiled: NumbaAny = numba.njit(nogil=not keeps_lock, error_model="numpy", _nrt=counts_references)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(compiled)
    return cast("_Function", compiled)


@intrinsic
def _population_count(_context: NumbaAny, bits: NumbaAny) -> NumbaAny:
    def generate(_context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _trailing_zeros(_context: NumbaAny, bits: NumbaAny) -> NumbaAny:
    def generate(_context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _leading_zeros(_context: NumbaAny, bits: NumbaAny) -> NumbaAny:
    def generate(_context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _load_byte(_context: NumbaAny, address: NumbaAny) -> NumbaAny:
    def generate(_context: NumbaAny, builder: NumbaAny, _signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
        byte = builder.load(builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))
        return builder.zext(byte, ir.IntType(64))

    return types.int64(types.uint64), generate


@intrinsic
def _prefetch_row(context: NumbaAny, array: NumbaAny, row: NumbaAny) -> NumbaAny:
    def generate(context: NumbaAny, builder: NumbaAny, signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(view.strides, 0)
        start = builder.ptrtoint(view.data, ir.IntType(64))
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.inttoptr(builder.add(start, builder.mul(arguments[1], stride)), byte)
        hint = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        to_read, to_be_kept, data = (ir.Constant(number, value) for value in (0, 3, 1))
        function = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        builder.call(function, [pointer, to_read, to_be_kept, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def _atomic_subtract(context: NumbaAny, array: NumbaAny, at: NumbaAny, amount: NumbaAny) -> NumbaAny:
    def generate(context: NumbaAny, builder: NumbaAny, signature: NumbaAny, arguments: NumbaAny) -> NumbaAny:
        array_type, at_type, amount_type = signature.args
        view = context.make_array(array_type)(context, builder, arguments[0])
        index = context.cast(builder, arguments[1], at_type, types.intp)
        pointer = cgutils.get_item_pointer(context, builder, array_type, view, [index], wraparound=False)
        value = context.cast(builder, arguments[2], amount_type, array_type.dtype)
        return builder.atomic_rmw("sub", pointer, value, "monotonic")

    return array.dtype(array, at, amount), generate


def count_cells(bits: Bitboard) -> int:
    """Return the number of cells in the set, 0..64.

    >>> count_cells(np.uint64(0b1011))
    3
    """
    return int(bits).bit_count()


def lowest_cell(bits: Bitboard) -> int:
    """Return the index of the lowest cell in the set, or 64 if it is empty.

    >>> lowest_cell(np.uint64(0b1000))
    3
    """
    number = int(bits)
    return (number & -number).bit_length() - 1 if number else 64


def highest_cell(bits: Bitboard) -> int:
    """Return the index of the highest cell in the set, or -1 if it is empty.

    >>> highest_cell(np.uint64(0b1001))
    3
    """
    return int(bits).bit_length() - 1


def cell_bit(cell: int) -> Bitboard:
    """Return the set that contains only `cell`.

    >>> int(cell_bit(3))
    8
    """
    return np.uint64(1) << np.uint64(cell)


def to_count(bits: Bitboard) -> int:
    """Return the bits as an integer, for arithmetic with counts.

    >>> to_count(np.uint64(5))
    5
    """
    return int(bits)


def to_signed(number: np.unsignedinteger[Any]) -> int:
    """Return a short unsigned number as an integer: NumPy would turn a sum of both into a float."""
    return int(number)


def byte_at(address: Bitboard) -> int:
    """Return the byte at a memory address. The caller guarantees that it is mapped and stays alive.

    This lets kernels choose tables by number, since numba has no cheap array of arrays.
    """
    return ctypes.c_uint8.from_address(int(address)).value


def prefetch_row(array: NDArray[Any], row: int) -> None:
    """Hint to the processor that a row of an array will be read soon."""


def subtract_atomically(array: NDArray[np.uint32], at: int, amount: int) -> np.uint32:
    """Subtract from an element that other threads may change too; return its former value.

    Interpreted, other threads must not change it.
    """
    former = array[at]
    array[at] -= np.uint32(amount)
    return np.uint32(former)


implement(count_cells, lambda bits: lambda bits: _population_count(bits))
implement(lowest_cell, lambda bits: lambda bits: _trailing_zeros(bits))
implement(highest_cell, lambda bits: lambda bits: np.int64(63) - _leading_zeros(bits))
implement(cell_bit, lambda cell: lambda cell: np.uint64(1) << np.uint64(cell))
implement(to_count, lambda bits: lambda bits: np.int64(bits))
implement(to_signed, lambda number: lambda number: np.int64(number))
implement(byte_at, lambda address: lambda address: _load_byte(address))
implement(prefetch_row, lambda array, row: lambda array, row: _prefetch_row(array, row))
implement(subtract_atomically, lambda array, at, amount: lambda array, at, amount: _atomic_subtract(array, at, amount))
