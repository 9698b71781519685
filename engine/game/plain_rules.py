"""Rules that are interpreted for good: plain Python, or kernels that the cache cannot identify.

Such a game is played everywhere, and searched by the same search, about a hundred times slower.
"""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

import numba
import numpy as np

from ..interpretation import interpreted
from ..kernel_cache import UnknownError, identity_of
from .kernels import Kernels

PLAIN = "The rules are plain Python."
"""Why they are interpreted, where their author wrote them so."""


def why_interpreted(kernels: Kernels) -> str:
    """Return why kernels are not compiled, as a sentence; empty if they are."""
    if numba.config.DISABLE_JIT:
        return ""
    own = {name: each for name, each in kernels._asdict().items() if each is not kernels._field_defaults.get(name)}
    plain = [name for name, each in own.items() if isinstance(each, FunctionType)]
    if plain:
        compiled = [name for name, each in own.items() if callable(each) and name not in plain]
        return f"{plain[0]} is plain Python, and {compiled[0]} is a kernel." if compiled else PLAIN
    try:
        for function in filter(callable, kernels):
            identity_of(function)
    except UnknownError as error:
        return str(error)
    return ""


def with_plain_integers(kernels: Kernels) -> Kernels:
    """Return the interpreted functions with Python's integers as arguments, of which no sum overflows or is a float."""
    return Kernels._make(_with_plain_integers(each) if callable(each) else each for each in interpreted(kernels))


def _with_plain_integers(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(board: Any, position: Any, *others: Any) -> Any:
        plain = (int(each) if isinstance(each, np.integer) else each for each in others)
        return function(board, type(position)(*map(int, position)), *plain)

    return call
