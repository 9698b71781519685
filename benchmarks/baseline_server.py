"""The least that a server of a small game can do, to compare with: it checks a move and sends it to both players.

`benchmarks.server --baseline` runs it. Each two connections share a board of 24 cells. A move takes a free cell of it,
in turn; a full board is emptied. Each move is one frame to both players by websockets' own `broadcast`. Nothing is
stored, nobody has a name, a clock or a list of legal moves.
"""

from typing import Any

import msgspec
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

CELLS = 24


class Move(msgspec.Struct):
    """What a player sends."""

    cell: int


_moves = msgspec.json.Decoder(Move)


class Table:
    """Two players and a board."""

    def __init__(self) -> None:
        self.players: list[ServerConnection] = []
        self._cells: list[int | None] = [None] * CELLS
        self._seq = 0

    def play(self, player: int, frame: str | bytes) -> None:
        """Send a move to both players, if it is one."""
        cell = _moves.decode(frame).cell
        if self._seq % 2 != player or not 0 <= cell < CELLS or self._cells[cell] is not None:
            raise ValueError("not a move")
        self._cells[cell] = player
        self._seq += 1
        if self._seq % CELLS == 0:
            self._cells = [None] * CELLS
        broadcast(self.players, msgspec.json.encode({"seq": self._seq, "player": player, "cell": cell}).decode())


class Tables:
    """The tables, of which the last may lack a player."""

    def __init__(self) -> None:
        self._open: Table | None = None

    async def handle(self, connection: ServerConnection) -> None:
        """Serve a player until the connection ends."""
        table, self._open = (self._open, None) if self._open is not None else (Table(), None)
        player = len(table.players)
        table.players.append(connection)
        if player == 0:
            self._open = table
        try:
            async for frame in connection:
                table.play(player, frame)
        except ConnectionClosed:
            pass


async def main() -> None:
    """Serve until killed; print the port first."""
    options: dict[str, Any] = {"compression": None, "ping_interval": None}
    async with serve(Tables().handle, "127.0.0.1", 0, **options) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
