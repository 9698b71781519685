"""The way of one move through the code: every function of ours that it calls, from the frame to the last send.

Run `python -m benchmarks.move_path`. Two players have a clocked match of Nine Men's Morris on a server without its
port, with the durable journal in a new SQLite file; their connections end in memory. A profile hook notes each call
of a function in `server/`, `engine/` and `protocol/` during one placing ply, on every thread. The last line counts
the files of `server/`, and the calls.
"""

import asyncio
import re
import sys
import tempfile
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from benchmarks.wire import Wire
from millrace.engine.games import GAMES
from millrace.engine.levels.warm_up import warm_up_rules
from millrace.server.app.application import Application
from millrace.server.app.stores import open_storage
from millrace.server.callers.limits import limits_of
from millrace.server.runtime.settings import Settings
from millrace.server.runtime.system_clock import steady_clock
from millrace.server.web.web_server import WebServer
from tests.server.in_process_server import FirstMoveBots

PACKAGES = {
    name: Path(import_module(f"millrace.{name}").__path__[0]).resolve() for name in ("server", "engine", "protocol")
}
HELLO = b'{"type":"hello","version":2,"client":"benchmark"}'
CREATE = (
    b'{"type":"create","id":"create","game":"morris","seats":[{"occupant":"me"},{"occupant":"open"}],'
    b'"clock":{"initial_ms":300000,"increment_ms":2000}}'
)
MOVES = ("d6", "f4", "a1", "g7")
"""Placing plies, of which the one with the fewest calls counts: the server's heartbeat may fall into another."""


class Call(NamedTuple):
    """A call of a function of ours."""

    depth: int
    """The number of our functions that it was called from."""
    file: str
    """Relative to the repository."""
    function: str


class CallRecorder:
    """Notes calls on every thread that starts after `install`."""

    def __init__(self) -> None:
        self._calls: list[Call] | None = None
        self._sent = 0
        self._files: dict[CodeType, str | None] = {}

    def install(self) -> None:
        """Hook into the interpreter."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def remove(self) -> None:
        """Leave the interpreter as it was."""
        threading.setprofile(None)
        sys.setprofile(None)

    def start(self) -> None:
        """Note calls from now on."""
        self._calls = []

    def note_send(self) -> None:
        """Note that the server sends something: the way ends with the last time."""
        self._sent = len(self._calls or ())

    def finish(self) -> list[Call]:
        """Return the calls from the start to the last send."""
        calls, self._calls = self._calls or [], None
        return calls[: self._sent]

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if self._calls is None or event != "call":
            return
        file = self._file_of(frame.f_code)
        if file is not None:
            depth, caller = 0, frame.f_back
            while caller is not None:
                depth += self._file_of(caller.f_code) is not None
                caller = caller.f_back
            self._calls.append(Call(depth, file, frame.f_code.co_qualname))

    def _file_of(self, code: CodeType) -> str | None:
        """Return the file of a function of ours; None for any other."""
        if code not in self._files:
            path = Path(code.co_filename).resolve()
            found = [f"{name}/{path.relative_to(home)}" for name, home in PACKAGES.items() if path.is_relative_to(home)]
            self._files[code] = next(iter(found), None)
        return self._files[code]


class Pipe(asyncio.Transport):
    """One end of a connection in memory: what is written arrives at the other end in the next pass of the loop."""

    def __init__(self, deliver: Callable[[bytes], None], note_send: Callable[[], None]) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self._deliver = deliver
        self._note_send = note_send

    def write(self, data: Any) -> None:
        """Write."""
        self._note_send()
        asyncio.get_running_loop().call_soon(self._deliver, bytes(data))

    def writelines(self, pieces: Any) -> None:
        """Write pieces, as one."""
        self.write(b"".join(pieces))

    def abort(self) -> None:
        """Leave the pipe open: the process ends it."""

    def is_closing(self) -> bool:
        """Return False: it does not close."""
        return False

    def is_reading(self) -> bool:
        """Return True: nothing is held back."""
        return True

    def get_write_buffer_size(self) -> int:
        """Return 0: everything is taken at once."""
        return 0


class Player:
    """A client that remembers what it was sent."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.wire = Wire("localhost", self._take)
        self._arrived = asyncio.Event()

    async def connect(self, server: WebServer, recorder: CallRecorder) -> None:
        """Connect in memory, and say hello."""
        connection = server.accept()
        connection.connection_made(Pipe(self.wire.data_received, recorder.note_send))
        self.wire.connection_made(Pipe(connection.data_received, lambda: None))
        await self.wire.is_upgraded
        self.wire.send(HELLO)
        await self.receive(b'"welcome"')

    async def receive(self, text: bytes) -> bytes:
        """Return the first frame with a text, waiting for it, and forget those up to it."""
        async with asyncio.timeout(10):
            while True:
                for index, frame in enumerate(self.frames):
                    if text in frame:
                        del self.frames[: index + 1]
                        return frame
                self._arrived.clear()
                await self._arrived.wait()

    def _take(self, frame: bytes) -> None:
        self.frames.append(frame)
        self._arrived.set()


async def follow_move(folder: Path, recorder: CallRecorder) -> list[Call]:
    """Play some plies, and return the way of one."""
    settings = Settings(data_dir=folder)
    now_ms = steady_clock()
    limits = limits_of(settings, now_ms)
    application = Application(settings, await open_storage(settings.database_url), FirstMoveBots(), now_ms, limits)
    await application.open()
    server = WebServer(settings, limits)
    server.serve_sessions(application.open_session)
    white, black = players = Player(), Player()
    for player in players:
        await player.connect(server, recorder)
    white.wire.send(CREATE)
    found = re.search(rb'"match":"(\w+)"', await white.receive(b'"accepted"'))
    assert found is not None
    match = found[1]
    for player in players:
        player.wire.send(b'{"type":"watch","match":"%b","since":0}' % match)
    black.wire.send(b'{"type":"join","id":"join","match":"%b","seat":1}' % match)
    ways = []
    for ply, move in enumerate(MOVES):
        mover, other = players[ply % 2], players[1 - ply % 2]
        await mover.receive(b'"turn"')
        await asyncio.sleep(0.7)  # until the update of who is present has been sent
        recorder.start()
        play = b'{"type":"play","id":"%d","match":"%b","move":"%b","seat":%d}'
        mover.wire.send(play % (ply, match, move.encode(), ply % 2))
        await mover.receive(b'"accepted"')
        await other.receive(b'"moved"')
        await asyncio.sleep(0.1)
        ways.append(recorder.finish())
    await application.close()
    return min(ways, key=len)


def way_of_a_move() -> list[Call]:
    """Return every call that a placing ply makes."""
    warm_up_rules(GAMES["morris"])
    recorder = CallRecorder()
    recorder.install()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(follow_move(Path(folder), recorder))
    finally:
        recorder.remove()


def main() -> None:
    """Print the way, and what it adds up to."""
    calls = way_of_a_move()
    file = ""
    for call in calls:
        if call.file != file:
            file = call.file
            print(file)
        print(f"{'  ' * (call.depth + 1)}{call.function}")
    server_files = {call.file for call in calls if call.file.startswith("server/")}
    engine_calls = sum(call.file.startswith("engine/") for call in calls)
    print(f"\n{engine_calls} calls are in the engine.")
    print(f"{len(server_files)} server files, {len(calls)} calls")


if __name__ == "__main__":
    main()
