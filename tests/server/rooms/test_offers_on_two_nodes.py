"""Offers among players on different nodes have the same results as in one room, even if two players act at once."""

import asyncio
import itertools
import shutil
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from millrace.protocol import (
    AcceptOffer,
    Code,
    CommandId,
    Create,
    DeclineOffer,
    EndPause,
    Event,
    MatchCommand,
    MatchId,
    Offer,
    OfferKind,
    Paused,
    Play,
    Player,
)
from millrace.protocol.refusal import Refusal
from millrace.server.matches.match import Match
from millrace.server.matches.referee import decide
from millrace.server.rooms.player_commands import carry_out
from tests.server.matches.offers_model import KINDS, SETUPS, ModelledMatch, with_events
from tests.server.node_cluster import Cluster
from tests.server.tables import ID, ME, OPEN, PEOPLE
from tests.serving import PATIENCE_S

T = TypeVar("T")
SeatCommand = Play | Offer | AcceptOffer | DeclineOffer | EndPause


class Act(NamedTuple):
    """What a player does."""

    kind: str
    seat: int
    offer: OfferKind = "draw"
    choice: int = 0


class Move(NamedTuple):
    """A player moves to the other node."""

    seat: int


_numbers = itertools.count()
_seats = st.integers(0, 2)
_kinds = st.sampled_from(["play", "play", "offer", "offer", "accept", "decline", "end_pause"])
_acts = st.builds(Act, _kinds, _seats, st.sampled_from(KINDS), st.integers(0, 10**6))
_departures = st.builds(Act, st.just("leave"), _seats)
_steps = st.lists(
    st.one_of(_acts, st.tuples(_acts, _acts), _departures, st.builds(Move, _seats)), min_size=20, max_size=60
)


class MatchOnTwoNodes(ModelledMatch):
    """A match whose players are on different nodes, and its model."""

    def __init__(self, cluster: Cluster, loop: asyncio.AbstractEventLoop, places: Sequence[int]) -> None:
        self._rooms = [node.started.application.rooms for node in cluster.nodes.values()]
        self._journal = cluster.nodes["first"].started.stores.journal
        self._network = cluster.network
        self._loop = loop
        self._places = dict(zip((player.id for player in PEOPLE), places, strict=False))
        """The number of the node to which each player is connected."""

    def open(self, seats: int) -> Match:
        game, setup = SETUPS[seats]
        command = Create(new_id(), game, (ME, *(OPEN,) * (seats - 1)), setup)
        accepted = self._run(self._rooms[self._places[PEOPLE[0].id]].new.open(command, PEOPLE[0]))
        return self._run(self._heard_by_all(accepted.match))

    def carry_out(self, command: MatchCommand, player: Player) -> Sequence[Event]:
        (code,), events = self._send([(command, player)])
        if code is not None:
            raise Refusal(code, "")
        return events

    def take(self, step: Act | Move | tuple[Act, Act]) -> None:
        """Take a step; skip it if it is impossible."""
        match step:
            case Move(seat):
                self._places[PEOPLE[seat].id] = 1 - self._places[PEOPLE[seat].id]
            case Act(kind="play", choice=choice):
                self.play(choice)
            case Act(kind="leave", seat=seat):
                self.leave(seat)
            case Act(kind="end_pause", seat=seat):
                self.end_pause(seat)
            case Act(kind, seat, offer):
                {"offer": self.offer, "accept": self.accept, "decline": self.decline}[kind](seat, offer)
            case (first, second):
                if self.match.mover is not None and {first.seat, second.seat} <= self.model.playing:
                    self._take_at_once([self._command_of(first), self._command_of(second)])

    def _take_at_once(self, commands: Sequence[SeatCommand]) -> None:
        """Carry out two commands at once; the result must be that of one of the two orders."""
        before, players = self.match, [self.player(command.seat) for command in commands]
        codes, events = self._send(list(zip(commands, players, strict=True)))
        for order in ((0, 1), (1, 0)):
            results = one_after_the_other(before, [(commands[number], players[number]) for number in order])
            is_answered_so = [code for code, _ in results] == [codes[number] for number in order]
            led_to_both = [timeless(event) for _, led_to in results for event in led_to]
            if is_answered_so and led_to_both == [timeless(event) for event in events]:
                break
        else:
            raise AssertionError(f"{commands} came to {codes} and {events}")
        for number, (code, led_to) in zip(order, results, strict=True):
            if code is None:
                self.model.take(commands[number], led_to)

    def _command_of(self, act: Act) -> SeatCommand:
        match act.kind:
            case "play":
                return self.ply(act.choice)
            case "offer":
                return Offer(ID, self.match.id, act.seat, act.offer)
            case "accept":
                return AcceptOffer(ID, self.match.id, act.seat, act.offer)
            case "decline":
                return DeclineOffer(ID, self.match.id, act.seat, act.offer)
        return EndPause(ID, self.match.id, act.seat)

    def _send(self, asked: Sequence[tuple[MatchCommand, Player]]) -> tuple[list[Code | None], list[Event]]:
        """Send commands at once; return the refusal of each, None if it is carried out, and the stored events."""

        async def send() -> list[Code | None]:
            rooms = [await self._rooms[self._places[player.id]].find(command.match) for command, player in asked]
            answers = await asyncio.gather(
                *(
                    carry_out(room, replace(command, id=new_id()), player)
                    for room, (command, player) in zip(rooms, asked, strict=True)
                ),
                return_exceptions=True,
            )
            for answer in answers:
                if isinstance(answer, BaseException) and not isinstance(answer, Refusal):
                    raise answer
            return [answer.code if isinstance(answer, Refusal) else None for answer in answers]

        known = self.match.seq
        codes = self._run(send())
        self.match = self._run(self._heard_by_all(self.match.id))
        recorded = self._run(self._journal.load(self.match.id))
        return codes, [each.entry.event for each in recorded if each.seq > known]

    async def _heard_by_all(self, match: MatchId) -> Match:
        """Return a match when all nodes know its latest event."""
        rooms = [await each.find(match) for each in self._rooms]
        seq = (await self._journal.load(match))[-1].seq
        while any(room.match.seq < seq for room in rooms):
            await self._network.settle(0.001)
        first, second = (room.match for room in rooms)
        assert (first.seq, first.offers, first.pause) == (second.seq, second.offers, second.pause)
        assert first.state.move_texts == second.state.move_texts
        return first

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(asyncio.wait_for(coroutine, PATIENCE_S))


def one_after_the_other(
    match: Match, asked: Sequence[tuple[MatchCommand, Player]]
) -> list[tuple[Code | None, Sequence[Event]]]:
    """Return the refusal of each command, None if it is carried out, and its events."""
    results: list[tuple[Code | None, Sequence[Event]]] = []
    for command, player in asked:
        try:
            events = decide(match, command, player, 0).events
        except Refusal as refusal:
            results.append((refusal.code, ()))
        else:
            results.append((None, events))
            match = with_events(match, events)
    return results


def new_id() -> CommandId:
    """Return the id of a new command."""
    return CommandId(f"{next(_numbers)}")


def timeless(event: Event) -> Event:
    """Return an event without its time."""
    return replace(event, ends_at_ms=0) if isinstance(event, Paused) else event


@pytest.fixture
def two_nodes(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, migrated_file: Path, quick_intervals: None
) -> Iterator[Cluster]:
    """Two nodes that run while that loop does; events travel for some milliseconds."""
    stack = AsyncExitStack()
    cluster = Cluster(f"sqlite:///{shutil.copyfile(migrated_file, tmp_path / 'test.sqlite3')}", stack)
    cluster.network.delay_seconds = 0.004
    for name in ("first", "second"):
        loop.run_until_complete(cluster.start(name))
    yield cluster
    loop.run_until_complete(stack.aclose())


def test_offers_come_to_the_same_on_whatever_nodes_the_players_are(
    two_nodes: Cluster, loop: asyncio.AbstractEventLoop
) -> None:
    @given(
        seats=st.sampled_from([2, 3]),
        places=st.lists(st.integers(0, 1), min_size=3, max_size=3),
        steps=_steps,
    )
    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    def play(seats: int, places: list[int], steps: list[Act | Move | tuple[Act, Act]]) -> None:
        table = MatchOnTwoNodes(two_nodes, loop, places)
        table.begin(seats)
        for step in steps:
            if table.model.is_over:
                table.begin(seats)
            table.take(step)
            table.check()

    play()
