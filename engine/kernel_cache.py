"""An on-disk cache of compiled kernels, so that a second start does not compile for a minute.

Numba's own cache does not work here: a cached caller does not notice a changed kernel in another file, and closures
over other kernels are never found again. This cache identifies a kernel by everything that it is compiled from: its
code and that of all functions that it calls, the options that they are compiled with, the values of their globals,
defaults and closure cells, the types of the arguments, the versions of Python, NumPy, numba and llvmlite, numba's
settings, and the processor. A change of any of these gives another file name, and the kernel is compiled again. What
is not compiled into a kernel, such as texts and docstrings, can change without that. That holds for code of any package
but those in `VERSIONED`, which are identified by their versions. Kernels for which this cannot be determined are not
cached.

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
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from opcode import hasconst
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.core.typing.templates import builtin_registry
from numba.extending import _Intrinsic, overload

from . import kernel_files
from .kernel_files import delete_kernel, delete_oldest, read_kernel, write_kernel

NumbaAny: TypeAlias = Any
"""A value of numba's internals, which have no static types."""

Callers: TypeAlias = tuple[FunctionType, ...]
Namespaces: TypeAlias = tuple[Mapping[str, object], ...]

VARIABLE = "MILLRACE_KERNEL_CACHE"
OFF = "off"
MAX_KERNELS = 2_000
"""The most kernels that are kept, the most recently used ones: about 100 MB."""
MAX_FOLDERS = 4
"""The most folders that are kept, each for other versions of the tools."""

VERSIONED = {"builtins", "llvmlite", "math", "numba", "numpy", "typing"}
"""Packages whose code is identified by name; their versions are part of the folder's name."""


class UnknownError(Exception):
    """A kernel depends on a value that cannot be identified across processes. The message names the way to it."""


class NotCompiledError(Exception):
    """A kernel was called that the cache does not have, in a process that must not compile."""


class KernelCache(NullCache):
    """The cache that a numba dispatcher consults before it compiles and fills afterwards."""

    def __init__(self, kernel: NumbaAny) -> None:
        self._kernel = kernel
        self._name = kernel.py_func.__name__

    def load_overload(self, sig: NumbaAny, target_context: NumbaAny) -> CompileResult | None:
        """Return the cached code for a signature, or None. Raises: NotCompiledError, where compiling is forbidden."""
        loaded = self._load(self._path_for(sig, target_context.codegen()), target_context)
        if loaded is None and _is_compiling_forbidden:
            raise NotCompiledError(f"{self._name} is not compiled.")
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
                delete_oldest(path.parent, MAX_KERNELS)

    def _path_for(self, sig: NumbaAny, codegen: NumbaAny) -> Path | None:
        folder = kernels_folder()
        if folder is None or not _keeps_kernels:
            return None
        try:
            made_of = identity_of(self._kernel), [_identity_of_type(kind) for kind in sig]
        except UnknownError:
            return None
        name = hashlib.sha256(repr((made_of, codegen.magic_tuple())).encode()).hexdigest()
        return folder / f"{self._name}-{name[:32]}.kernel"


_is_compiling_forbidden = False
_keeps_kernels = True


def keep_no_kernels() -> None:
    """From now on this process neither loads nor stores kernels: what it compiles is not for this machine."""
    global _keeps_kernels  # noqa: PLW0603  # numba calls the caches of all kernels without arguments
    _keeps_kernels = False


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


def implement(function: Callable[..., Any], implementation: Callable[..., Any]) -> None:
    """Let kernels call a plain function: `implementation` takes numba's types and returns the function to compile
    instead, as in `numba.extending.overload`, which would not tell this cache of it."""
    assert not _is_versioned(function.__module__), "it would be identified by its name"
    overload(function)(implementation)
    _implementations[function] = implementation


_implementations: dict[Callable[..., Any], Callable[..., Any]] = {}


def why_not_cached(kernel: NumbaAny) -> str:
    """Return why other processes cannot load a kernel as it is compiled here, as a sentence; empty if they can."""
    try:
        identity_of(kernel)
        for signature in kernel.nopython_signatures:
            for kind in signature.args:
                _identity_of_type(kind)
    except UnknownError as error:
        return str(error)
    return ""


def identity_of(kernel: Callable[..., Any]) -> str:
    """Return a text that is equal for two kernels only if they compile to the same code. Raises: UnknownError."""
    return _identity_of(kernel, ())


def _identity_of_function(function: FunctionType, callers: Callers) -> str:
    if function in callers:
        raise UnknownError(f"{function.__qualname__} calls itself; numba cannot load recursive functions.")
    known = _identities.get(function)
    if known is None:
        parts = [f"{function.__module__}.{function.__qualname__}", *_code_parts(function.__code__)]
        inside = (*callers, function)
        parts += [_identity_of_named(function, name, value, inside) for name, value in _named_values(function)]
        known = _identities[function] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return known


_identities: dict[Callable[..., Any], str] = {}


def _identity_of_named(function: FunctionType, name: str, value: object, inside: Callers) -> str:
    try:
        return f"{name}={_identity_of(value, inside)}"
    except UnknownError as error:
        raise UnknownError(f"{function.__qualname__} uses {name}. {error}") from None


def _code_parts(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    for index, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        elif index > 0 or not isinstance(constant, str) or any(load in code.co_code for load in _FIRST_CONSTANT):
            yield repr(constant)
    yield repr((code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars))
    yield repr((code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable))


_FIRST_CONSTANT = tuple(bytes([instruction, 0]) for instruction in hasconst)
"""Instructions that use the first constant. If there is a docstring, it is that one, and code may use it as well."""


def _named_values(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the name and value of each default, closure cell and global that the code may read."""
    yield "defaults", function.__defaults__
    yield from (function.__kwdefaults__ or {}).items()
    cells = function.__closure__ or ()
    yield from zip(function.__code__.co_freevars, (cell.cell_contents for cell in cells), strict=True)
    yield from _values_in(function.__globals__, {*_names_in(function.__code__)}, ())


def _values_in(namespace: Mapping[str, object], names: set[str], above: Namespaces) -> Iterator[tuple[str, object]]:
    """Yield what the names stand for here, and in the modules that are among it."""
    for name in sorted(names & namespace.keys()):
        value = namespace[name]
        if not isinstance(value, ModuleType) or _is_versioned(value.__name__):
            yield name, value
        elif all(vars(value) is not each for each in (*above, namespace)):
            yield from _values_in(vars(value), names, (*above, namespace))


def _names_in(code: CodeType) -> Iterator[str]:
    """Yield the names that code and the functions inside it may look up."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _identity_of(value: object, callers: Callers) -> str:
    match value:
        case Dispatcher():
            options = sorted(value.targetoptions.items())
            said = f"{options} {_identity_of_function(value.py_func, callers)}"
        case _Intrinsic():
            said = _identity_of_callable(value._defn, callers)
        case FunctionType():
            said = _identity_of_callable(value, callers)
        case tuple():
            kind = "" if type(value) is tuple else _identity_of_class(type(value))
            said = f"{kind} {', '.join(_identity_of(each, callers) for each in value)}"
        case np.ndarray() if not value.dtype.hasobject:
            said = f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        case np.generic() | int() | float() | str() | bytes() | None:
            said = repr(value)
        case ModuleType():
            said = _name_outside(value.__name__, "")
        case BuiltinFunctionType():
            said = _name_outside(value.__module__, value.__qualname__)
        case type():
            said = _identity_of_class(value)
        case _:
            raise UnknownError(f"A {type(value).__qualname__} cannot be identified across processes.")
    return f"{type(value).__qualname__} {said}"


def _identity_of_callable(function: FunctionType, callers: Callers) -> str:
    """Return the identity of a plain function, or of an intrinsic's definition."""
    if _is_versioned(function.__module__):
        return _name_outside(function.__module__, function.__qualname__)
    if function not in _implementations and any(function is extended for extended, _ in builtin_registry.globals):
        raise UnknownError(f"{function.__qualname__} has an overload; kernel_cache.implement lets kernels be cached.")
    implementation = _implementations.get(function, function)
    assert isinstance(implementation, FunctionType)
    return _identity_of_function(implementation, callers)


def _identity_of_class(kind: NumbaAny) -> str:
    """Return the identity of a class: kernels use only named tuples."""
    if _is_versioned(kind.__module__):
        return _name_outside(kind.__module__, kind.__qualname__)
    if not hasattr(kind, "_fields"):
        raise UnknownError(f"{kind.__qualname__} is no named tuple.")
    defaults = [f"{name}={_identity_of(value, ())}" for name, value in kind._field_defaults.items()]
    return f"{kind.__module__}.{kind.__qualname__} {kind._fields} {defaults}"


def _identity_of_type(kind: NumbaAny) -> str:
    """Return the identity of an argument's type, of whose named tuples numba's own text leaves out the fields."""
    match kind:
        case types.containers.BaseTuple():
            named = _identity_of_class(kind.instance_class) if isinstance(kind, types.containers.BaseNamedTuple) else ""
            return f"{named}({', '.join(map(_identity_of_type, kind))})"
        case types.Number() | types.Boolean() | types.Array() | types.misc.NoneType() | types.misc.Omitted():
            return str(kind)
    raise UnknownError(f"An argument {kind} cannot be identified across processes.")


def _is_versioned(module: str) -> bool:
    return module.partition(".")[0] in VERSIONED


def _name_outside(module: str, name: str) -> str:
    """Return the name of something that the version of its package identifies. Raises: UnknownError."""
    if not _is_versioned(module):
        raise UnknownError(f"{module} cannot be identified across processes.")
    return f"{module}.{name}"


@cache
def kernels_folder() -> Path | None:
    """Return the folder for kernels of these tools, or None if the cache is off or unusable."""
    named = os.environ.get(VARIABLE, "")
    if named == OFF:
        return None
    try:
        folder = Path(named) if named else platformdirs.user_cache_path("millrace", appauthor=False) / "kernels"
        folder = folder.expanduser()
    except RuntimeError:  # without a home folder
        return None
    own = folder / _digest_of_tools()
    try:
        _make_folder(own)
    except OSError:
        return None
    with contextlib.suppress(OSError):  # a folder of another user may still be read
        os.utime(own)
        for old in sorted(folder.iterdir(), key=lambda each: -each.stat().st_mtime)[MAX_FOLDERS:]:
            shutil.rmtree(old, ignore_errors=True)
    return own


def _make_folder(folder: Path) -> None:
    """Create a folder, and its parents, in which only its owner may write, whatever the mask: kernels are code."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(mode=0o755, exist_ok=True)


def _digest_of_tools() -> str:
    """Return a digest of the tools' versions and settings, and of the code that reads and writes this cache."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    versions = (sys.version, np.__version__, numba.__version__, llvmlite.__version__)
    digest = hashlib.sha256(repr((versions, settings)).encode())
    for path in (__file__, kernel_files.__file__):
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:16]
