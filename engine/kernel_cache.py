"""Compiled kernels kept on disk, so that a second start need not compile for a minute what the first has compiled.

Numba's own cache will not do: a caller that it kept does not notice that a kernel of another file has changed, and it
never finds a closure over other kernels again. Here a kernel is known by all that it is made of: its code and that of
all kernels that it calls, the values of the globals and closure cells that they name, the whole engine's source (for
what is inlined by numba's `overload`), the versions of Python, NumPy and numba, numba's settings, and the kind of
processor. Whoever changes any of these gets another name, and so compiles. A kernel of which that cannot be said is
not kept.

Each is a file of its own, written in one step, in the user's folder for such things or in that which
`MILLRACE_KERNEL_CACHE` names; `off` there keeps nothing. What cannot be read or written is compiled and no error.
"""

import contextlib
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
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

NumbaAny: TypeAlias = Any
"""What numba's own machinery hands us."""

Callers: TypeAlias = tuple[FunctionType, ...]

VARIABLE = "MILLRACE_KERNEL_CACHE"
OFF = "off"
GENERATIONS = 8
"""Kernels of so many versions of the source are kept, those used last."""

SOURCE = Path(__file__).parent
KNOWN = {"builtins", "math", "millrace", "numba", "numpy"}
"""The packages whose code is told by its name, since their versions are part of a folder's name."""


class UnknownError(Exception):
    """Something that a kernel is made of and of which it cannot be said whether it is the same in another process."""


class KernelCache(NullCache):
    """What a dispatcher asks before it compiles, and tells what it has compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: NumbaAny, target_context: NumbaAny) -> CompileResult | None:
        """Return what was kept for a signature, or None."""
        path = self._path_for(sig, target_context.codegen())
        if path is None or not path.is_file():
            return None
        target_context.refresh()
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(path.read_bytes()))
        except Exception:  # whatever is wrong with a file, there is the source
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, sig: NumbaAny, data: CompileResult) -> None:
        """Keep what was compiled for a signature, if it can be loaded by other processes."""
        path = self._path_for(sig, data.codegen)
        is_portable = not data.lifted and not data.library.has_dynamic_globals
        if path is not None and is_portable:
            with contextlib.suppress(OSError):
                _write(path, dumps(data._reduce()))

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


def identity_of(function: Callable[..., Any]) -> str:
    """Return a text that two functions share only if they compile to the same code. Raises: UnknownError."""
    return _identity_of_function(function, ())


def _identity_of_function(function: Callable[..., Any], callers: Callers) -> str:
    assert isinstance(function, FunctionType)
    if function in callers:
        raise UnknownError(f"{function.__qualname__} calls itself, and numba does not load that again.")
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
    """Return the closure cells and globals that the code may read, by name."""
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
            raise UnknownError(f"A {type(value).__qualname__} may be anything.")
    return f"{type(value).__qualname__} {said}"


def _name_in(module: str, name: str) -> str:
    """Return the name of what a module has, if that is the same wherever the source is. Raises: UnknownError."""
    if module.partition(".")[0] not in KNOWN:
        raise UnknownError(f"{module} may be anything.")
    return f"{module}.{name}"


@cache
def kernels_folder() -> Path | None:
    """Return the folder for kernels of this version of the source, or None if none are to be kept."""
    named = os.environ.get(VARIABLE, "")
    if named == OFF:
        return None
    folder = Path(named) if named else platformdirs.user_cache_path("millrace", appauthor=False) / "kernels"
    own = folder / _digest_of_source()
    try:
        own.mkdir(parents=True, exist_ok=True)
        os.utime(own)
        for old in sorted(folder.iterdir(), key=lambda each: -each.stat().st_mtime)[GENERATIONS:]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return None
    return own


def _digest_of_source() -> str:
    """Return what tells one version of the engine and of its tools, and how they are set, from another."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    digest = hashlib.sha256(repr((sys.version, np.__version__, numba.__version__, settings)).encode())
    for path in sorted(SOURCE.rglob("*.py")):
        digest.update(f"{path.relative_to(SOURCE)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _write(path: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all. Raises: OSError."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
