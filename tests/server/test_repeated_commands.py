"""Every command sent again, as after a lost answer, gets the same answer and has no second effect.

Again on the same connection, on two connections at once, on another node, and after a restart. Sent at the same time on
two nodes, it takes effect once too.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from typing import Any, NamedTuple, get_args

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from websockets.exceptions import ConnectionClosed

from millrace import protocol
from millrace.protocol import VERSION, ClientMessage
from millrace.server.app.stores import Stores
from millrace.server.app.tables import metadata
from millrace.server.lobby import matchmaker
from millrace.server.moderation import enforcement
from millrace.server.players.accounts import hashing
from millrace.server.players.profiles import last_seen
from millrace.server.storage.address import parse_address
from millrace.server.storage.database import open_engine
from tests.server.in_process_server import PATIENCE_SECONDS, FirstMoveBots, Frame, Served, SteppedClock, Visitor
from tests.server.moderation.console import Console
from tests.server.node_cluster import Cluster
from tests.server.players.mail.mail_server import MailServer, mail_server
from tests.server.repeated_commands import OCCASIONS, Occasion, World

WITHOUT_EFFECT = frozenset(
    {
        *(protocol.Analyse, protocol.AnalyseMatch, protocol.Compose, protocol.Describe, protocol.Explore),
        *(protocol.ExploreOpening, protocol.FindPlayers, protocol.GetBlocked, protocol.GetChatContext),
        *(
            protocol.GetBotRecords,
            protocol.GetCrosstable,
            protocol.GetEmail,
            protocol.GetEngineLine,
            protocol.GetFittingBot,
        ),
        *(
            protocol.GetLadders,
            protocol.GetLeaders,
            protocol.GetLegalMoves,
            protocol.GetLesson,
            protocol.GetModerationLog,
        ),
        *(
            protocol.GetMistake,
            protocol.GetModerationRecord,
            protocol.GetNotificationKinds,
            protocol.GetOpenings,
            protocol.GetPageSettings,
            protocol.GetPlan,
        ),
        *(protocol.GetTournamentMatches, protocol.GetVacation),
        *(protocol.GetPlayerRatings, protocol.GetPreferences, protocol.GetProfile, protocol.GetPushKey),
        *(
            protocol.GetPuzzle,
            protocol.GetPuzzleHistory,
            protocol.GetRaceRun,
            protocol.GetRemarks,
            protocol.GetSiteControls,
            protocol.GetStudy,
        ),
        *(protocol.ListStudies, protocol.ListTokens, protocol.PlayForBot, protocol.Preview),
        *(protocol.ProbeTablebase, protocol.SearchMatches, protocol.StopAnalysis),
    }
)
"""Requests that store nothing by themselves. Messages without an id, such as `watch`, store nothing either."""

REFUSED = {
    "register": ("guest_registered", "hello_first"),
    "sign_out": ("signed_out", "bad_token", "hello_first"),
    "delete_account": ("signed_out", "bad_token", "hello_first"),
    "claim": ("too_early",),
    "play_bot": ("not_searching",),
}
"""How commands may be refused on other connections: some make the sender's token invalid. A node that has just learned
of a match or a search counts for how long a player has been absent or waiting from then, until it reads that another
node has carried out the command."""

LATER = frozenset(
    {
        *("events", "heartbeats", "mails", "match_players", "matches", "notifications", "opening_moves"),
        *("tournament_events", "tournaments"),
    }
)
"""Tables that the server changes in the background as well."""
RESUMED = frozenset({"plans", "searches"})
"""Tables to which a server that starts again adds what it resumes."""
CODES = frozenset({"email", "mailed_recovery"})
"""The kinds of grants that are made when a mail is sent."""

TWICE = "SELECT match, seat, command_id FROM events WHERE command_id <> '' GROUP BY 1, 2, 3 HAVING count(*) > 1"

Rows = Counter[tuple[Any, ...]]


class Tables:
    """The tables of the nodes' database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def rows(self) -> Rows:
        """Return the rows of all tables but what changes in the background, each after the name of its table."""
        async with self._engine.connect() as connection:
            rows = [
                (table.name, *row)
                for table in metadata.sorted_tables
                if table.name not in LATER
                for row in await connection.execute(table.select())
            ]
        return Counter(row for row in rows if row[0] != "grants" or CODES.isdisjoint(row))

    async def wait_until_grown(self, command: str, before: Rows, effect: Counter[object]) -> None:
        """Return once the tables have as many rows more as an effect adds."""
        now = grown(before, await self.rows())
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while now != effect:
                    now = grown(before, await self.rows())
        assert now == effect, command

    async def events_stored_twice(self) -> list[tuple[Any, ...]]:
        """Return the commands that have led to events twice."""
        async with self._engine.connect() as connection:
            return [tuple(row) for row in await connection.execute(text(TWICE))]


@pytest.fixture
async def tables(url: str) -> AsyncIterator[Tables]:
    engine = open_engine(parse_address(url))
    yield Tables(engine)
    await engine.dispose()


@pytest.fixture
async def mails() -> AsyncIterator[MailServer]:
    async with mail_server() as running:
        yield running


def settings_of(mails: MailServer) -> dict[str, Any]:
    """Return the settings of a node that sends mails to many."""
    return {"smtp": mails.address, "mail_from": "play@example.org", "address_factor": 1_000}


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


async def think_forever(*_: object) -> str:
    """Make no move, so that nothing happens after a command."""
    await asyncio.Event().wait()
    raise AssertionError


@pytest.fixture
async def cluster(
    url: str, mails: MailServer, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Cluster]:
    """Two nodes that send mails."""
    monkeypatch.setattr(hashing, "MEMORY_KIB", 64)
    monkeypatch.setattr(enforcement, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(matchmaker, "WAVE_SECONDS", 0.1)
    monkeypatch.setattr(last_seen, "STORE_SECONDS", 10 * PATIENCE_SECONDS)  # not meanwhile
    monkeypatch.setattr(FirstMoveBots, "choose", think_forever)
    async with AsyncExitStack() as stack:
        cluster = Cluster(url, stack)
        cluster.now_ms = clock
        for name in ("first", "second"):
            await cluster.start(name, **settings_of(mails))
        yield cluster


@pytest.fixture
async def world(cluster: Cluster, stores: Stores, clock: SteppedClock, mails: MailServer) -> World:
    return World(cluster.first, clock, Console(stores), mails)


def named_occasions() -> Iterator[tuple[str, Occasion]]:
    for kind, occasion in OCCASIONS.items():
        yield str(kind.__struct_config__.tag), occasion


def test_every_command_has_an_occasion() -> None:
    commands = {kind for kind in get_args(ClientMessage) if "id" in kind.__struct_fields__}
    assert OCCASIONS.keys() | WITHOUT_EFFECT == commands
    assert not OCCASIONS.keys() & WITHOUT_EFFECT


def grown(before: Rows, after: Rows) -> Counter[object]:
    """Return by how many rows each table has grown."""
    of_tables = Counter(row[0] for row in after.elements())
    of_tables.subtract(Counter(row[0] for row in before.elements()))
    return Counter({table: rows for table, rows in of_tables.items() if rows})


def changed(before: Rows, after: Rows) -> list[tuple[Any, ...]]:
    """Return the rows that are new, or gone."""
    return [*(after - before), *(before - after)]


class Sent(NamedTuple):
    """A command that has been answered."""

    name: str
    fields: Frame
    token: str
    answer: Frame

    def is_repeated(self, answer: Frame) -> bool:
        """Return whether this is a right answer to the same command."""
        # That to `find_match` tells how the search stands.
        is_same = {**answer, "bot_level": None} == {**self.answer, "bot_level": None}
        return is_same or answer.get("code") in REFUSED.get(self.name, ())


async def connect(served: Served, token: str) -> Visitor:
    """Return a visitor that has said hello, welcome or not."""
    visitor = await served.socket()
    await visitor.say("hello", version=VERSION, token=token)
    return visitor


async def answer_of(visitor: Visitor, name: str, fields: Frame) -> Frame:
    """Send a command and return its answer, or the refusal with which the connection is closed."""
    try:
        return await visitor.ask(name, **fields)
    except ConnectionClosed:
        with suppress(ConnectionClosed):
            await visitor.hear_until("nothing more")
        return next(frame for frame in reversed(visitor.read) if frame["type"] == "refused")


@pytest.mark.parametrize("url", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)], indirect=True)
async def test_a_repeated_command_gets_the_same_answer_and_has_one_effect(
    world: World, cluster: Cluster, tables: Tables, mails: MailServer
) -> None:
    first, second = cluster.first, cluster.second
    wrong: list[object] = []
    sent: list[Sent] = []

    async def repeat(command: Sent, *visitors: Visitor) -> None:
        answers = await asyncio.gather(*(answer_of(each, command.name, command.fields) for each in visitors))
        wrong.extend((command, answer) for answer in answers if not command.is_repeated(answer))

    for name, occasion in named_occasions():
        by, fields = await occasion(world)
        before = await tables.rows()
        answer = await by.ask(name, **fields)
        assert answer["type"] != "refused", (name, answer)
        after = await tables.rows()
        sent.append(command := Sent(name, {**fields, "id": answer["id"]}, by.token, answer))
        await repeat(command, by)
        await repeat(command, *[await connect(first, by.token) for _ in range(2)])
        await repeat(command, await connect(second, by.token))
        wrong.extend((name, row) for row in changed(after, await tables.rows()))

        by, fields = await occasion(world)
        other = await connect(second, by.token)
        await other.hear_until("welcome")
        between = await tables.rows()
        answers = await asyncio.gather(*(answer_of(each, name, {**fields, "id": "race"}) for each in (by, other)))
        told = [each for each in answers if each.get("code") not in REFUSED.get(name, ())]
        wrong.extend((name, each) for each in told if each != told[0])
        await tables.wait_until_grown(name, between, grown(before, after))

    for node in ("first", "second"):
        await cluster.stop(node)
    third = await cluster.start("third", **settings_of(mails))
    before = await tables.rows()
    for command in sent:
        await repeat(command, await connect(third, command.token))
    wrong.extend(row for row in changed(before, await tables.rows()) if row[0] not in RESUMED)
    assert not wrong, "\n".join(map(str, wrong))
    assert not await tables.events_stored_twice()
