"""Hostile input is refused with a code, or closes the connection with a reason; other play continues."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from millrace.client.connection import Connection
from millrace.client.connection import connect as play_on
from millrace.client.match_commands import ME
from millrace.protocol import MAX_FRAME_BYTES, MOST_READ_BYTES, Code, MatchId
from tests.node_processes import TwoNodes
from tests.serving import PATIENCE_S, ServerProcess

MARK = "mark"
"""The id, and the match, of a command that is always refused."""

CODES = {code.value for code in Code}
CLOSE_CODES = {1002, 1003, 1007, 1008, 1009}
"""Protocol error, unsupported data, invalid payload, policy, too big: what a client's own fault closes with."""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
names = st.sampled_from(["morris", "battlesheep", "mingmang", "chess", ""])
texts = st.text(max_size=60) | st.sampled_from(
    [
        "........................ w 9 9",
        "WWWWWWWWWWWWBBBBBBBBBBBB w 9 9",
        "flying=off",
        "seats=4 seed=1",
        "seed=-1",
        "pasture=none",
        "8/8/8/8/8/8/8/8 b 0",
        "wwwwwwww/8/8/8/8/8/8/bbbbbbbb b 1",
        "0,0,0/0,r16,0/0,0,b16 r 2",
        "r16 r 2",
        "seats=99",
        "opening=tiles seats=3",
        "/" * 500,
        "0," * 900,
    ]
)
plans = st.lists(
    st.fixed_dictionaries(
        {"occupant": st.sampled_from(["me", "open", "bot", "cat"])}, optional={"level": st.integers(-1, 9)}
    ),
    max_size=5,
)
moves = st.sampled_from(["d6", "a4-a7", "a1-a4", "pass", "c3", "c3-f3:7", "d6xd6", "d6 d6", " ", "d6 "]) | st.text(
    max_size=70
)
ids = st.text(max_size=70)
seats = st.integers(-2, 5)


def commands(match: str) -> st.SearchStrategy[dict[str, Any]]:
    """Messages of the right shape, on a match of others and on others' seats."""
    matches = st.just(match) | st.text(max_size=40)
    acting = {"id": ids, "match": matches, "seat": seats}
    signing_in = {"id": ids, "name": texts, "password": texts, "browser": st.booleans()}
    scopes = st.lists(st.sampled_from(["play", "read", "admin"]))
    kinds: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "play": {**acting, "move": moves},
        **dict.fromkeys(("resign", "abort", "rematch", "join"), acting),
        "fill_seat": {**acting, "level": st.integers(0, 9)},
        "choose_stand_in": {**acting, "for_seat": seats, "choice": st.sampled_from(["bot", "skip", ""])},
        "create": {"id": ids, "game": names, "seats": plans, "setup": texts},
        "watch": {"match": matches, "since": st.integers()},
        **dict.fromkeys(("register", "sign_in"), signing_in),
        "create_token": {"id": ids, "label": texts, "scopes": scopes},
        "revoke_token": {"id": ids, "token_id": texts},
        "delete_account": {"id": ids, "password": texts},
        "hello": {"version": st.integers(), "token": st.text(max_size=140)},
    }
    return st.one_of([st.fixed_dictionaries({"type": st.just(kind), **fields}) for kind, fields in kinds.items()])


def frames(match: str) -> st.SearchStrategy[str | bytes]:
    """Frames of every kind that a stranger could send."""
    well_formed = commands(match)
    mistyped = st.builds(
        lambda message, key, value: {**message, key: value},
        well_formed,
        st.sampled_from(["type", "id", "match", "seat", "move", "since", "seats", "setup", "version", "extra"]),
        json_values,
    )
    return st.one_of(
        st.text(max_size=200),
        st.binary(max_size=200),
        json_values.map(json.dumps),
        well_formed.map(json.dumps),
        mistyped.map(json.dumps),
        st.integers(MAX_FRAME_BYTES + 1, 2 * MOST_READ_BYTES).map(lambda size: "x" * size),
    )


class HonestPair:
    """One player of both seats, who goes on playing while others misbehave."""

    def __init__(self, connection: Connection, match: MatchId) -> None:
        self._connection = connection
        self.match = match
        self._feed = connection.watch(match)
        self._plies = 0

    async def play_on(self) -> None:
        """Make one more ply; when the match is over begin another."""
        turn = await self._feed.my_turn()
        if turn is None:
            self.match = (await self._connection.create("morris", [ME, ME])).match
            self._feed = self._connection.watch(self.match)
            turn = await self._feed.my_turn()
        assert turn is not None
        self._plies += 1
        await turn.play(turn.moves[self._plies % len(turn.moves)])


async def hear_out(socket: ClientConnection, frame: str | bytes) -> None:
    """Send a frame, then one that is always refused, and check every answer up to that refusal.

    Raises: ConnectionClosed.
    """
    await socket.send(frame)
    await socket.send(json.dumps({"type": "join", "id": MARK, "match": MARK}))
    while (answer := json.loads(await socket.recv())).get("id") != MARK:
        if answer["type"] == "refused":
            assert answer["code"] in CODES
            assert answer["message"]
    assert answer["code"] in (Code.UNKNOWN_MATCH, Code.HELLO_FIRST)


async def attack(address: str, sent: Sequence[str | bytes], greets: bool) -> None:
    """Connect, send frames, and check that each is answered or the connection is closed with a stated reason."""
    async with connect(f"ws://{address}/socket", compression=None, open_timeout=None) as stranger:
        if greets:
            await stranger.send('{"type":"hello","version":2}')
            assert json.loads(await stranger.recv())["type"] == "welcome"
        try:
            for frame in sent:
                await hear_out(stranger, frame)
        except ConnectionClosed as error:
            closed = error.rcvd
        else:
            return
    assert closed is not None, "the connection broke without a close frame"
    assert closed.code in CLOSE_CODES
    assert closed.reason


@pytest.mark.parametrize(
    "kind", [ServerProcess, pytest.param(TwoNodes, marks=(pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow))]
)
@pytest.mark.usefixtures("processes")
def test_hostile_frames_are_refused_and_other_play_continues(
    kind: type[ServerProcess | TwoNodes], tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with kind(tmp_path, "--limit", "messages.connection=40000") as server:
        honest_connection = play_on(server.address)
        honest = loop.run_until_complete(honest_connection.__aenter__())
        match = loop.run_until_complete(honest.create("morris", [ME, ME])).match
        pair = HonestPair(honest, match)

        @given(sent=st.lists(frames(match), min_size=1, max_size=8), greets=st.booleans())
        @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
        def attack_and_play_on(sent: list[str | bytes], greets: bool) -> None:
            async def bounded() -> None:
                async with asyncio.timeout(PATIENCE_S):
                    await attack(server.address, sent, greets)
                    await pair.play_on()

            loop.run_until_complete(bounded())

        attack_and_play_on()
        loop.run_until_complete(honest_connection.__aexit__(None, None, None))
        server.stop()
        assert not [line for line in server.output if "Traceback" in line or "[error" in line], server.output
