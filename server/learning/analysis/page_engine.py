"""The engine in the page: the WebAssembly modules that browsers load, and what they write into one."""

import base64
import re
from http import HTTPStatus

from millrace.engine.games import GAMES
from millrace.engine.state import State
from millrace.protocol import CommandId, EngineLine

from ...bots.modules import EngineModules
from ...callers.resources import ResourceRequest, ResourceResponse, error_response

CONTENT_TYPE = "application/wasm"
CACHE_FOREVER = "public, max-age=31536000, immutable"
LAST_PLY = 1 << 20
"""Later than any ply at which an option ends a match early."""


class PageEngine:
    """Serves modules, and describes lines for them."""

    def __init__(self) -> None:
        self._modules = EngineModules()
        self.resources = ((re.compile(r"/engine/(?P<game>\w+)\.(?P<digest>[0-9a-f]+)\.wasm"), self.serve),)

    async def serve(self, request: ResourceRequest) -> ResourceResponse:
        """Answer with a module, compressed: every browser that has WebAssembly reads gzip."""
        module = await self._modules.find(request.names["game"])
        if module is None or module.digest != request.names["digest"]:
            return error_response(HTTPStatus.NOT_FOUND, "This engine is not served here, or no longer.")
        headers = {"Cache-Control": CACHE_FOREVER, "Content-Encoding": "gzip"}
        return ResourceResponse(module.gzipped, CONTENT_TYPE, headers=headers)

    async def describe(self, command_id: CommandId, state: State) -> EngineLine:
        """Return what a page writes into the module to search a state."""
        game = state.game
        module = await self._modules.find(game.name) if GAMES.get(game.name) is game else None
        if module is None or not module.fits(state.start) or _is_judged(state):
            return EngineLine(command_id, None)
        first, *others = (each for each in state.line if each.start is state.start)
        return EngineLine(
            command_id,
            f"/engine/{game.name}.{module.digest}.wasm",
            {name: _encoded(array.tobytes()) for name, array in state.start.board._asdict().items()},
            _encoded(first.words.tobytes()),
            first.quiet_plies,
            state.start.seats,
            first.seat,
            tuple(each.move for each in others),
            state.geometry.click_names,
        )


def _is_judged(state: State) -> bool:
    """Return whether an option ends the match early, which modules do not know."""
    judge = state.game.rules.judge
    return judge is not None and judge(state.start.board, state.words, state.seat, LAST_PLY) is not None


def _encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()
