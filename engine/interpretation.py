"""Kernels as plain Python, for play before they are compiled.

A kernel is compiled at its first call from Python. Its interpreted twin runs the same code, and so do the kernels that
it calls. A move then takes about a millisecond.
"""

from collections.abc import Callable
from functools import wraps
from types import CellType, FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

_Value = TypeVar("_Value")
_Function = TypeVar("_Function", bound=Callable[..., Any])


def interpret_engine() -> None:
    """Interpret the whole engine in this process, the search included. None of its other modules may be loaded yet."""
    numba.config.DISABLE_JIT = 1
    np.seterr(over="ignore")  # integers wrap, as in compiled code


def interpreted(value: _Value) -> _Value:
    """Return the twin of a kernel, or of a function that calls kernels, which compiles nothing.

    Of a tuple of kernels, return the tuple of their twins. Kernels must not use features that exist only in compiled
    code, such as numba's intrinsics.
    """
    return cast("_Value", _twin(value))


def silently(function: _Function) -> _Function:
    """Return the function with integers that wrap as in compiled code, where NumPy would warn."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return cast("_Function", call)


_twins: dict[FunctionType, FunctionType] = {}
_globals: dict[int, dict[str, object]] = {}
"""The globals of modules, with twins replacing kernels and the modules' own functions; by `id`."""


def _twin(value: Any) -> Any:
    """Return a value with twins replacing kernels."""
    match value:
        case Dispatcher():
            return _twin_of_function(value.py_func)
        case FunctionType():
            return _twin_of_function(value)
        case tuple() if any(isinstance(each, Dispatcher) for each in value):
            twins: list[Any] = [each if isinstance(each, FunctionType) else _twin(each) for each in value]
            return type(value)(*twins) if hasattr(value, "_fields") else tuple(twins)
    return value


def _twin_of_function(function: FunctionType) -> FunctionType:
    twin = _twins.get(function)
    if twin is None:
        cells = tuple(CellType() for _ in function.__closure__ or ())
        values = _twins_of_globals(function.__globals__)
        twin = FunctionType(function.__code__, values, function.__name__, function.__defaults__, cells)
        twin.__kwdefaults__ = function.__kwdefaults__
        _twins[function] = twin  # before its cells are filled, since functions may call each other
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            content = original.cell_contents
            cell.cell_contents = content if isinstance(content, FunctionType) else _twin(content)
    return twin


def _twins_of_globals(originals: dict[str, Any]) -> dict[str, object]:
    if id(originals) not in _globals:
        values = _globals[id(originals)] = dict(originals)
        for name, value in originals.items():
            if not isinstance(value, FunctionType) or value.__globals__ is originals:
                values[name] = _twin(value)
    return _globals[id(originals)]
