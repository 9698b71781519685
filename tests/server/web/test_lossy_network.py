"""Two players with two tabs each over a lossy network: despite losses and repetitions, all agree with the journal.

The state machine cuts, stalls, splits and half-opens connections, and repeats commands in other tabs. The journal is
the oracle: at the end every tab has its events in order without a gap, and each command had at most one effect, which
is the one that was acknowledged.
"""

import asyncio
import itertools
import json
import shutil
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import VERSION, Created, MatchId, Moved, encode
from millrace.server.callers.credentials import identify, new_token
from millrace.server.journal.entries import Recorded
from tests.server.in_process_server import Frame
from tests.server.starting import start_server
from tests.server.web.lossy_network import Link, LossyNetwork

PLAYERS, TABS = 2, 2
T = TypeVar("T")


class Tab:
    """A page at one player's match: its connection, and what it knows across connections."""

    def __init__(self, network: LossyNetwork, token: str) -> None:
        self._network = network
        self._token = token
        self._connection: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self.link: Link | None = None
        self.events: dict[int, Frame] = {}
        self.answers: list[Frame] = []
        self.news = asyncio.Event()

    async def open(self, match: str = "") -> None:
        """Connect anew, and ask for the events that are missing."""
        await self.close()
        self._connection = await connect(
            f"ws://localhost:{self._network.port}/socket", compression=None, open_timeout=60
        )
        self.link = self._network.links[-1]
        await self.send({"type": "hello", "version": VERSION, "token": self._token})
        self._reading = asyncio.create_task(self._read(self._connection))
        if match:
            await self.send({"type": "watch", "match": match, "since": len(self.events)})

    async def send(self, message: Frame) -> None:
        """Send a message, which may be lost."""
        if self._connection is not None:
            with suppress(OSError, WebSocketException):
                await self._connection.send(json.dumps(message))

    async def close(self) -> None:
        """Drop the connection."""
        if self._connection is not None and self._reading is not None:
            self._connection.transport.abort()
            await self._reading

    async def _read(self, connection: ClientConnection) -> None:
        with suppress(OSError, WebSocketException):
            while True:
                self._note(json.loads(await connection.recv()))

    def _note(self, frame: Frame) -> None:
        if frame["type"] in ("accepted", "refused"):
            self.answers.append(frame)
        for each in frame["events"] if frame["type"] == "match_events" else [frame]:
            if each["type"] == "match_event":
                assert each["seq"] == len(self.events) + 1, "an event is missing, or came twice"
                self.events[each["seq"]] = each["event"]
        self.news.set()


class LossyPlay(RuleBasedStateMachine):
    """What can happen to two players with two tabs each."""

    database: Path
    """Empty, with tables."""
    folder: Path
    runs = itertools.count()

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.commands: list[tuple[int, Frame]] = []
        """The seat and the message of each command."""
        self.match = MatchId("")

    @initialize()
    def begin(self) -> None:
        self._run(self._begin())

    @rule(seat=st.integers(0, 1), tab=st.integers(0, 1), choice=st.integers(0, 99))
    def play(self, seat: int, tab: int, choice: int) -> None:
        """Send a ply that was legal when the journal was last looked at."""
        state = self._state()
        moves = state.legal_moves
        move = state.format_move(moves[choice % len(moves)])
        self._command(seat, tab, {"type": "play", "seat": seat, "move": move})

    @rule(seat=st.integers(0, 1), tab=st.integers(0, 1))
    def offer_a_draw(self, seat: int, tab: int) -> None:
        ply = self._state().ply
        self._command(seat, tab, {"type": "offer", "seat": seat, "kind": "draw", "ply": ply})

    @rule(tab=st.integers(0, 1), age=st.integers(0, 5))
    def repeat(self, tab: int, age: int) -> None:
        """Send an earlier command once more, perhaps from the other tab."""
        if age < len(self.commands):
            seat, message = self.commands[-1 - age]
            self._run(self.tabs[seat][tab].send(message))

    @rule(seat=st.integers(0, 1), tab=st.integers(0, 1))
    def reconnect(self, seat: int, tab: int) -> None:
        self._run(self.tabs[seat][tab].open(self.match))

    @rule(seat=st.integers(0, 1), tab=st.integers(0, 1), how=st.sampled_from(["cut", "cut_near", "stall", "resume"]))
    def disturb(self, seat: int, tab: int, how: str) -> None:
        link = self.tabs[seat][tab].link
        assert link is not None
        self.loop.call_soon(getattr(link, how))

    @rule(seat=st.integers(0, 1), tab=st.integers(0, 1), piece=st.integers(1, 40))
    def split(self, seat: int, tab: int, piece: int) -> None:
        link = self.tabs[seat][tab].link
        assert link is not None
        link.piece = piece

    @rule()
    def wait(self) -> None:
        """Let everything happen that needs no clock."""
        for _ in range(20):
            self._journal()

    def teardown(self) -> None:
        try:
            if self.match:
                self._run(self._settle())
                self._check()
        finally:
            self._run(self._end())
            self.loop.close()

    async def _begin(self) -> None:
        path = shutil.copyfile(self.database, self.folder / f"{next(self.runs)}.sqlite3")
        self.server = await start_server(f"sqlite:///{path}", address_factor=1_000)
        self.network = LossyNetwork(self.server.port)
        await self.network.open()
        tokens = [new_token("guest") for _ in range(PLAYERS)]
        self.identities = [identify(token).id for token in tokens]
        self.tabs = [[Tab(self.network, token) for _ in range(TABS)] for token in tokens]
        ann, ben = (tabs[0] for tabs in self.tabs)
        await ann.open()
        seats = [{"occupant": "me"}, {"occupant": "open"}]
        clock = {"initial_ms": 600_000, "increment_ms": 0}
        await ann.send({"type": "create", "id": "create", "game": "morris", "seats": seats, "clock": clock})
        self.match = (await self._answer(ann))["match"]
        await ben.open()
        await ben.send({"type": "join", "id": "join", "match": self.match})
        await self._answer(ben)
        for tab in itertools.chain(*self.tabs):
            tab.answers.clear()
            await tab.open(self.match)

    async def _answer(self, tab: Tab) -> Frame:
        while not tab.answers:
            tab.news.clear()
            await tab.news.wait()
        return tab.answers[-1]

    async def _settle(self) -> None:
        """Connect every tab anew, repeat what was not answered, and wait until all know everything."""
        for tab in itertools.chain(*self.tabs):
            await tab.open(self.match)
        expected = {tabs[0]: len(tabs[0].answers) for tabs in self.tabs}
        for seat, message in self.commands:
            tab = self.tabs[seat][0]
            await tab.send(message)
            expected[tab] += 1  # Even one that was refused before may be legal now.
        while unanswered := [tab for tab, answers in expected.items() if len(tab.answers) < answers]:
            await self._news(unanswered)
        last_seq = (await self.server.stores.journal.load(self.match))[-1].seq
        while behind := [tab for tab in itertools.chain(*self.tabs) if len(tab.events) < last_seq]:
            await self._news(behind)

    async def _news(self, waited_for: object) -> None:
        tabs = [*itertools.chain(*self.tabs)]
        for tab in tabs:
            tab.news.clear()
        waiting = [asyncio.create_task(tab.news.wait()) for tab in tabs]
        done, pending = await asyncio.wait(waiting, timeout=30, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        assert done, f"nothing comes any more; still waited for: {waited_for}"

    def _check(self) -> None:
        recorded = self._journal()
        stored = {each.seq: json.loads(encode(each.entry.event)) for each in recorded}
        for tab in itertools.chain(*self.tabs):
            assert tab.events == stored
        effects = {each.entry.command_id: each.seq for each in recorded if each.entry.command_id is not None}
        counts = Counter(each.entry.command_id for each in recorded if each.entry.command_id is not None)
        assert set(counts.values()) <= {1}, "a command has had two effects"
        for _, message in self.commands:
            tabs = itertools.chain(*self.tabs)
            answers = [answer for tab in tabs for answer in tab.answers if answer["id"] == message["id"]]
            accepted = {answer["seq"] for answer in answers if answer["type"] == "accepted"}
            assert accepted == ({effects[message["id"]]} if message["id"] in effects else set())

    async def _end(self) -> None:
        for tab in itertools.chain(*self.tabs):
            await tab.close()
        await self.network.close()
        await self.server.close()
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)

    def _command(self, seat: int, tab: int, message: Frame) -> None:
        message = {"id": f"{message['type']}-{len(self.commands)}", "match": self.match, **message}
        self.commands.append((seat, message))
        self._run(self.tabs[seat][tab].send(message))

    def _journal(self) -> tuple[Recorded, ...]:
        return tuple(self._run(self.server.stores.journal.load(self.match)))

    def _state(self) -> State:
        """Return the position in the journal."""
        recorded = self._journal()
        created = recorded[0].entry.event
        assert isinstance(created, Created)
        moves = [each.entry.event.move for each in recorded if isinstance(each.entry.event, Moved)]
        return State.from_moves(find_game(created.game), created.setup, moves)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)


@pytest.mark.parametrize("examples", [12, pytest.param(1_000, marks=pytest.mark.slow)])
def test_everyone_agrees_with_the_journal_despite_a_lossy_network(
    examples: int, tmp_path: Path, migrated_file: Path
) -> None:
    LossyPlay.database, LossyPlay.folder = migrated_file, tmp_path
    limits = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    run_state_machine_as_test(LossyPlay, settings=limits)
