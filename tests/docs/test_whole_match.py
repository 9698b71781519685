"""The whole match of `docs/protocol.md`, played on a running server, which must answer as shown."""

import asyncio
import re
import urllib.request
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from millrace.protocol import SOCKET_PATH
from tests.docs.examples import PAGE, read_examples
from tests.serving import PATIENCE_S, ServerProcess

TIMES = {"at_ms", "now_ms", "clocks_ms"}
"""Fields of which only the type is compared."""
NAMES = {"token", "match", "id", "name"}
"""Fields invented by a server: from then on the first value replaces the one on the page."""
FREE = {"games"}
"""Fields that grow with the server."""


class Conversation:
    """The people of the page, each on a connection, and the page's names for values of this server."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connections: dict[str, ClientConnection] = {}
        self._theirs: dict[str, str] = {}

    async def say(self, person: str, document: Any, anew: bool) -> None:
        if anew:
            connection = self._connections.pop(person)
            connection.transport.abort()
            await connection.wait_closed()
        if person not in self._connections:
            self._connections[person] = await connect(self._url)
        await self._connections[person].send(msgspec.json.encode(self._translated(document)), text=True)

    async def hear(self, person: str) -> Any:
        """Return the next message, skipping audiences and news of bots, which come at any time."""
        while True:
            heard = msgspec.json.decode(await self._connections[person].recv())
            if heard["type"] not in ("audience_update", "bot_availability"):
                return heard

    async def close(self) -> None:
        for connection in self._connections.values():
            await connection.close()

    def compare(self, heard: Any, shown: Any, path: str = "") -> None:
        """Compare a message with the page, except for fields that differ between servers."""
        field = path.rpartition(".")[2]
        if field in FREE:
            return
        if isinstance(shown, dict):
            assert list(heard) == list(shown), path
            for key in shown:
                self.compare(heard[key], shown[key], f"{path}.{key}")
        elif isinstance(shown, list) and field not in TIMES and field != "changes":
            assert len(heard) == len(shown), path
            for heard_item, shown_item in zip(heard, shown, strict=True):
                self.compare(heard_item, shown_item, path)
        elif field in NAMES and isinstance(shown, str):
            assert heard == self._theirs.setdefault(shown, heard), path
        elif field in TIMES:
            assert type(heard) is type(shown), path
        elif field == "changes":
            assert sorted(heard) == sorted(shown), path
        else:
            assert heard == shown, path

    def _translated(self, document: Any) -> Any:
        return {key: self._theirs.get(value, value) if key in NAMES else value for key, value in document.items()}


async def test_the_whole_match_is_played_as_shown(server: ServerProcess) -> None:
    conversation = Conversation(f"ws://{server.address}{SOCKET_PATH}")
    async with asyncio.timeout(PATIENCE_S):
        for example in read_examples():
            person, _, verb = example.label.partition(" ")
            if verb.startswith("says"):
                await conversation.say(person, example.document, verb == "says anew")
            elif verb == "hears":
                conversation.compare(await conversation.hear(person), example.document)
        await conversation.close()


def test_the_servers_health_has_the_documented_form(server: ServerProcess) -> None:
    (shown,) = re.findall(r"`(\{\"status\".*?\})`", PAGE.read_text(encoding="utf-8"))
    with urllib.request.urlopen(f"http://{server.address}/health") as answer:
        assert list(msgspec.json.decode(answer.read())) == list(msgspec.json.decode(shown))
