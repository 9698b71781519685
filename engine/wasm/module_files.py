"""The modules of games in the kernel cache: found again by a digest of all that they are made of.

A module is kept beside the kernels (`engine.kernel_cache`), whose folder already depends on the versions of the tools.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from numba.core.dispatcher import Dispatcher

from ..game import Game, Start
from ..kernel_cache import UnknownError, identity_of, kernels_folder
from ..kernel_files import delete_kernel, read_kernel, write_kernel
from ..perft import counter_of
from ..search.deepening_kernel import make_deepening
from .module import describe_levels, describe_play, describe_values, without_tables


def find_module(game: Game, start: Start) -> bytes | None:
    """Return the module of a game for boards of the shape of this start's, if it has been made."""
    path = _path_of(game, start)
    return None if path is None else read_kernel(path)


def keep_module(game: Game, start: Start, module: bytes) -> None:
    """Keep a module, and delete those of the same game from other sources. Raises: OSError."""
    path = _path_of(game, start)
    if path is not None:
        write_kernel(path, module)
        for old in path.parent.glob(f"{game.name}-*.wasm"):
            if old != path:
                delete_kernel(old)


@cache
def digest_of(game: Game) -> str:
    """Return a digest of the sources of a game's module. Raises: UnknownError if they cannot be identified."""
    digest = hashlib.sha256()
    for part in _sources_of(without_tables(game)):
        digest.update(part)
    return digest.hexdigest()[:32]


def _sources_of(game: Game) -> Iterable[bytes]:
    """Yield all that a module is made of: kernels, this package's own, and what the description says."""
    for kernel in (*game.rules.kernels, make_deepening(game), counter_of(game)):
        if isinstance(kernel, Dispatcher):
            yield identity_of(kernel).encode()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        yield path.read_bytes()
    yield repr((game.name, describe_play(game), describe_levels(game), describe_values(game))).encode()


def _path_of(game: Game, start: Start) -> Path | None:
    folder = kernels_folder()
    if folder is None or start.board is None or game.rules.why_interpreted:
        return None
    shapes = repr([(array.dtype.str, array.shape) for array in start.board])
    try:
        name = hashlib.sha256(f"{digest_of(game)} {shapes}".encode()).hexdigest()
    except UnknownError:
        return None
    return folder / f"{game.name}-{name[:32]}.wasm"
