"""An on-disk cache of compiled kernels, so that a second start does not compile for a minute.

Numba's own cache does not work here: a cached caller does not notice a changed kernel in another file, and closures
over other kernels are never found again. This cache identifies a kernel by everything that it is compiled from: its
code and that of all kernels that it calls, the values of their globals and closure cells, the source of the whole
engine (for functions that numba's `overload` inlines), the versions of Python, NumPy and numba, numba's settings, and
the processor. A change of any of these gives another file name, and the kernel is compiled again. Kernels for which
this cannot be determined are not cached.

Each kernel is one file (`engine.kernel_files`), in the user's cache folder or in the folder that
`MILLRACE_KERNEL_CACHE` names; `off` there disables the cache. Files that are damaged or cannot be read or written are
ignored, and the kernel is compiled.
"""

import contextlib
import hashlib
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import numba
import numpy as np
import platformdirs
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.extending import _Intrinsic

from .kernel_files import delete_kernel, read_kernel, write_kernel

NumbaAny: TypeAlias = Any
"""A value of numba's internals, which have no static types."""

Callers: TypeAlias = tuple[FunctionType, ...]

VARIABLE = "MILLRACE_KERNEL_CACHE"
OFF = "off"
GENERATIONS = 8
"""How many source versions' kernels are kept, the most recently used ones."""

SOURCE = Path(__file__).parent
KNOWN = {"builtins", "math", "millrace", "numba", "numpy"}
"""Packages whose code is identified by name; their versions are part of the folder's name."""


class UnknownError(Exception):
    """A kernel depends on a value that cannot be identified across processes."""


class NotCompiledError(Exception):
    """A kernel was called that the cache does not have, in a process that must not compile."""


class KernelCache(NullCache):
    """The cache that a numba dispatcher consults before it compiles and fills afterwards."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: NumbaAny, target_context: NumbaAny) -> CompileResult | None:
        """Return the cached code for a signature, or None. Raises: NotCompiledError, where compiling is forbidden."""
        loaded = self._load(self._path_for(sig, target_context.codegen()), target_context)
        if loaded is None and _is_compiling_forbidden:
            raise NotCompiledError(f"{self._function.__name__} is not compiled.")
        return loaded

    def _load(self, path: Path | None, target_context: NumbaAny) -> CompileResult | None:
        content = None if path is None else read_kernel(path)
        if path is None or content is None:
            return None
        target_context.refresh()
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # whole, but not understood here: compile from source instead
            delete_kernel(path)
            return None

    def save_overload(self, sig: NumbaAny, data: CompileResult) -> None:
        """Cache the code compiled for a signature, if other processes can load it."""
        path = self._path_for(sig, data.codegen)
        is_portable = not data.lifted and not data.library.has_dynamic_globals
        if path is not None and is_portable:
            with contextlib.suppress(OSError):
                write_kernel(path, dumps(data._reduce()))

    def _path_for(self, sig: NumbaAny, codegen: NumbaAny) -> Path | None:
        folder = kernels_folder()
        if folder is None:
            return None
        try:
            made_of = identity_of(self._function)
        except UnknownError:
            return None
        name = hashlib.sha256(repr((made_of, str(sig), codegen.magic_tuple())).encode()).hexdigest()
        return folder / f"{self._function.__name__}-{name[:32]}.kernel"


_is_compiling_forbidden = False


def forbid_compiling() -> None:
    """From now on this process only loads kernels: a call of one that is not cached raises NotCompiledError."""
    _set_forbidden(True)


@contextlib.contextmanager
def only_loading() -> Iterator[None]:
    """Forbid compiling for a while."""
    before = _is_compiling_forbidden
    _set_forbidden(True)
    try:
        yield
    finally:
        _set_forbidden(before)


def _set_forbidden(is_forbidden: bool) -> None:
    global _is_compiling_forbidden  # noqa: PLW0603  # numba calls the caches of all kernels without arguments
    _is_compiling_forbidden = is_forbidden


def identity_of(function: Callable[..., Any]) -> str:
    """Return a text that is equal for two functions only if they compile to the same code. Raises: UnknownError."""
    return _identity_of_function(function, ())


def _identity_of_function(function: Callable[..., Any], callers: Callers) -> str:
    assert isinstance(function, FunctionType)
    if function in callers:
        raise UnknownError(f"{function.__qualname__} calls itself; numba cannot load recursive functions.")
    known = _identities.get(function)
    if known is None:
        parts = [_name_in(function.__module__, function.__qualname__), *_code_parts(function.__code__)]
        inside = (*callers, function)
        parts += [f"{name}={_identity_of(value, inside)}" for name, value in _named_values(function)]
        known = _identities[function] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return known


_identities: dict[Callable[..., Any], str] = {}


def _code_parts(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        else:
            yield repr(constant)
    yield repr((code.co_names, code.co_varnames))


def _named_values(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the name and value of each closure cell and global that the code may read."""
    cells = function.__closure__ or ()
    yield from zip(function.__code__.co_freevars, (cell.cell_contents for cell in cells), strict=True)
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _identity_of(value: object, callers: Callers) -> str:
    match value:
        case Dispatcher():
            return _identity_of_function(value.py_func, callers)
        case tuple():
            said = ", ".join(_identity_of(each, callers) for each in value)
        case np.ndarray():
            said = f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        case np.generic() | int() | float() | str() | bytes() | None:
            said = repr(value)
        case ModuleType():
            said = _name_in(value.__name__, "")
        case FunctionType() | BuiltinFunctionType() | type():
            said = _name_in(value.__module__, value.__qualname__)
        case _Intrinsic():
            said = _name_in(value._defn.__module__, value._defn.__qualname__)
        case _:
            raise UnknownError(f"A {type(value).__qualname__} cannot be identified across processes.")
    return f"{type(value).__qualname__} {said}"


def _name_in(module: str, name: str) -> str:
    """Return a qualified name, if it identifies the code on any machine. Raises: UnknownError."""
    if module.partition(".")[0] not in KNOWN:
        raise UnknownError(f"{module} cannot be identified across processes.")
    return f"{module}.{name}"


@cache
def kernels_folder() -> Path | None:
    """Return the folder for kernels of this source version, or None if the cache is off or unusable."""
    named = os.environ.get(VARIABLE, "")
    if named == OFF:
        return None
    folder = Path(named) if named else platformdirs.user_cache_path("millrace", appauthor=False) / "kernels"
    own = folder / _digest_of_source()
    try:
        own.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    with contextlib.suppress(OSError):  # a folder of another user may still be read
        os.utime(own)
        for old in sorted(folder.iterdir(), key=lambda each: -each.stat().st_mtime)[GENERATIONS:]:
            shutil.rmtree(old, ignore_errors=True)
    return own


def _digest_of_source() -> str:
    """Return a digest of the engine's source, the versions of its tools, and their settings."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    digest = hashlib.sha256(repr((sys.version, np.__version__, numba.__version__, settings)).encode())
    for path in sorted(SOURCE.rglob("*.py")):
        digest.update(f"{path.relative_to(SOURCE)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
