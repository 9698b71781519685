"""Bit tricks that every kernel may use, and the one decorator that compiles kernels.

Not a board representation: what a bit stands for is each game's own business.

Bitboards are `uint64`; squares, counts and moves are `int64`. Literals that touch a bitboard are written
`np.uint64(...)`, since NumPy's rules turn a mix of `uint64` and `int64` into a float. With
`NUMBA_DISABLE_JIT=1` every kernel runs as plain Python on NumPy scalars, which the tests use as a second opinion.
"""

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from .kernel_cache import KernelCache

Bitboard: TypeAlias = np.uint64
"""A set of cells, bit i standing for cell i."""

NumbaAny: TypeAlias = Any
"""What numba's own machinery hands us: it carries no static types, and this alias is the only place that says so."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

if numba.config.DISABLE_JIT:
    # Keys wrap at 64 bits in compiled code without a word; interpreted, NumPy would warn of it.
    np.seterr(over="ignore")

NO_CELLS = np.uint64(0)
ONE_CELL = np.uint64(1)


def kernel(function: _Function) -> _Function:
    """Compile `function` to native code at its first call, or load it; it must not touch Python objects.

    Nor may it make arrays, though it writes into those that it is given: then nobody counts references to them, which
    took a fifth of a search's time. What makes arrays is an `allocating_kernel`, which a kernel may call.
    """
    return _compiled(function, counts_references=False)


def allocating_kernel(function: _Function) -> _Function:
    """Compile `function` as `kernel` does, but let it make arrays."""
    return _compiled(function, counts_references=True)


def _compiled(function: _Function, *, counts_references: bool) -> _Function:
    compiled: NumbaAny = numba.njit(nogil=True, error_model="numpy", _nrt=counts_references)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(function)
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


def count_cells(bits: Bitboard) -> int:
    """Return how many cells the set holds, 0..64.

    >>> count_cells(np.uint64(0b1011))
    3
    """
    return int(bits).bit_count()


def lowest_cell(bits: Bitboard) -> int:
    """Return the index of the lowest cell of a set, or 64 for the empty set.

    >>> lowest_cell(np.uint64(0b1000))
    3
    """
    number = int(bits)
    return (number & -number).bit_length() - 1 if number else 64


def highest_cell(bits: Bitboard) -> int:
    """Return the index of the highest cell of a set, or -1 for the empty set.

    >>> highest_cell(np.uint64(0b1001))
    3
    """
    return int(bits).bit_length() - 1


def cell_bit(cell: int) -> Bitboard:
    """Return the set that holds just `cell`.

    >>> int(cell_bit(3))
    8
    """
    return np.uint64(1) << np.uint64(cell)


def to_count(bits: Bitboard) -> int:
    """Return bits read as a number, for arithmetic with counts.

    >>> to_count(np.uint64(5))
    5
    """
    return int(bits)


def byte_at(address: Bitboard) -> int:
    """Return the byte at an address of memory, which the caller knows to be mapped and kept.

    It is for tables that kernels choose from by number: numba has no cheap array of arrays.
    """
    return ctypes.c_uint8.from_address(int(address)).value


def prefetch_row(array: NDArray[Any], row: int) -> None:
    """Tell the processor that a row of an array will be read soon, so that it need not be waited for then."""


overload(count_cells)(lambda bits: lambda bits: _population_count(bits))
overload(lowest_cell)(lambda bits: lambda bits: _trailing_zeros(bits))
overload(highest_cell)(lambda bits: lambda bits: np.int64(63) - _leading_zeros(bits))
overload(cell_bit)(lambda cell: lambda cell: np.uint64(1) << np.uint64(cell))
overload(to_count)(lambda bits: lambda bits: np.int64(bits))
overload(byte_at)(lambda address: lambda address: _load_byte(address))
overload(prefetch_row)(lambda array, row: lambda array, row: _prefetch_row(array, row))
