"""Has the games' WebAssembly modules made, for pages that search by themselves (`engine.wasm`), and reads them."""

import asyncio
import gzip
import hashlib
import sys
from asyncio.subprocess import PIPE
from typing import TYPE_CHECKING, NamedTuple

import structlog

from millrace.engine.kernel_cache import kernels_folder

from ..runtime.child_process import START_ERRORS, kill_child, start_child, why_not_started

if TYPE_CHECKING:
    from millrace.engine.game import Start

log = structlog.get_logger()

DIGEST_LETTERS = 16


async def make_modules() -> None:
    """Make the modules that the kernel cache does not have, in a process of low priority. A failure is logged."""
    if kernels_folder() is None:
        return
    try:
        process = await start_child(sys.executable, "-m", "millrace.server.bots.module_process", stdout=PIPE)
    except START_ERRORS as error:
        log.warning("no modules for browsers", reason=why_not_started(error))
        return
    try:
        output, _ = await process.communicate()
    finally:
        await kill_child(process)
    for line in output.decode(errors="replace").splitlines():
        log.warning("no module for browsers", reason=line)
    if process.returncode:
        log.warning("the process that makes modules for browsers died", code=process.returncode)


class EngineModule(NamedTuple):
    """The engine of a game for browsers, as it is served."""

    gzipped: bytes
    digest: str
    shapes: tuple[tuple[int, ...], ...]
    """The shapes of the boards that it is for."""

    def fits(self, start: "Start") -> bool:
        """Return whether it plays matches from a start of its game."""
        return shapes_of(start) == self.shapes


class EngineModules:
    """The modules in the kernel cache, read when they are first needed."""

    def __init__(self) -> None:
        self._found: dict[str, EngineModule] = {}

    async def find(self, game: str) -> EngineModule | None:
        """Return the module of a game, or None while there is none."""
        found = self._found.get(game) or await asyncio.to_thread(_read_module, game)
        if found is not None:
            self._found[game] = found
        return found


def shapes_of(start: "Start") -> tuple[tuple[int, ...], ...]:
    """Return the shapes of the arrays of a board."""
    return tuple(array.shape for array in start.board)


def _read_module(name: str) -> EngineModule | None:
    from millrace.engine.games import GAMES  # noqa: PLC0415  # the page is served before the engine is loaded
    from millrace.engine.wasm.module_files import find_module  # noqa: PLC0415

    game = GAMES.get(name)
    if game is None:
        return None
    start = game.texts.parse_setup("")
    content = find_module(game, start)
    if content is None:
        return None
    digest = hashlib.sha256(content).hexdigest()[:DIGEST_LETTERS]
    return EngineModule(gzip.compress(content, mtime=0), digest, shapes_of(start))
