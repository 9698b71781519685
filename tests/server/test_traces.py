"""Traces: a move with its commit and the bot's answer, a pairing, and what a collector receives."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from millrace.client import ME as MY_SEAT
from millrace.client import connect
from millrace.server.app.tracing import SpanBatches, Tracing
from millrace.server.bots.dispatcher import Dispatcher
from millrace.server.bots.requests import BotRequest
from millrace.server.runtime import tracing
from tests.server.in_process_server import Served, Visitor
from tests.server.web.two_players import BOT, ME, begin_between, create
from tests.serving import PATIENCE_S, ServerProcess
from tests.waiting import until, wait_until

Serve = Callable[..., "asyncio.Future[Served]"]


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
async def traced(serve: Serve, exporter: InMemorySpanExporter) -> AsyncIterator[Served]:
    """A server that records traces in memory."""
    recorded = Tracing(SimpleSpanProcessor(exporter))
    yield await serve(tracing=recorded)
    await recorded.close()
    assert tracing.tracer is None


def named(exporter: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.name == name]


def facts(span: ReadableSpan) -> dict[str, object]:
    return {name.removeprefix("millrace."): value for name, value in (span.attributes or {}).items()}


def trace_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return int(span.context.trace_id)


def expected_trace(player: Visitor, request: str) -> int:
    """Return the id of a trace that any node would give it."""
    there = InMemorySpanExporter()
    elsewhere = Tracing(SimpleSpanProcessor(there))
    elsewhere.report("any", 1.0, {"player": player.player["id"], "request": request})
    (span,) = there.get_finished_spans()
    return trace_of(span)


async def test_the_trace_of_a_move_has_its_commit_and_the_ids_of_request_match_and_player(
    traced: Served, exporter: InMemorySpanExporter
) -> None:
    ann, ben = await traced.visitor(), await traced.visitor()
    match = await begin_between(ann, ben, shuffle=False)
    answer = await ann.ask("play", match=match, move="d6", seat=0)
    await until(lambda: named(exporter, "Play"))
    (play,) = named(exporter, "Play")
    assert facts(play) == {"request": answer["id"], "match": match, "player": ann.player["id"]}
    assert play.status.is_ok
    assert play.context is not None
    (store,) = (span for span in named(exporter, "store") if trace_of(span) == trace_of(play))
    assert store.parent is not None
    assert store.parent.span_id == play.context.span_id
    assert facts(store) == {"match": match}
    recorded = tracing.tracer
    assert trace_of(play) == expected_trace(ann, answer["id"])
    tracing.tracer = recorded


async def test_a_refused_move_names_its_code_and_is_no_error_of_the_server(
    traced: Served, exporter: InMemorySpanExporter
) -> None:
    ann = await traced.visitor()
    match = await create(ann, ME, ME)
    assert (await ann.ask("play", match=match, move="nowhere", seat=0))["type"] == "refused"
    await until(lambda: named(exporter, "Play"))
    (play,) = named(exporter, "Play")
    assert facts(play)["refusal"] == "bad_move"
    assert play.status.is_unset


async def test_the_request_to_a_bot_belongs_to_the_trace_of_the_move_that_it_answers(
    traced: Served, exporter: InMemorySpanExporter
) -> None:
    ann = await traced.visitor()
    match = await create(ann, ME, BOT, shuffle=False)
    await ann.ask("play", match=match, move="d6", seat=0)
    await until(lambda: named(exporter, "bot choose"))
    (asked,) = named(exporter, "bot choose")
    (play,) = named(exporter, "Play")
    assert trace_of(asked) == trace_of(play)
    assert facts(asked).items() >= {"game": "morris", "level": "1", "urgency": "move", "match": match}.items()


async def test_a_pairing_lasts_from_the_search_to_the_match_in_the_trace_of_the_search(
    traced: Served, exporter: InMemorySpanExporter
) -> None:
    players = [await traced.visitor(), await traced.visitor()]
    for player in players:
        await player.ask("find_match", request={"game": "morris", "seats": 2})
    match = (await players[0].hear_until("paired"))["match"]
    pairings = named(exporter, "pairing")
    assert {facts(span)["player"] for span in pairings} == {player.player["id"] for player in players}
    assert {facts(span)["match"] for span in pairings} == {match}
    assert {trace_of(span) for span in pairings} == {trace_of(span) for span in named(exporter, "FindMatch")}
    assert all(span.end_time > span.start_time for span in pairings if span.end_time and span.start_time)


class EchoWorker:
    """A worker that answers at once."""

    def end_at(self, moment: float) -> None:
        """Nothing runs for long."""

    async def search(self, method_name: str, request: BotRequest, seconds: float) -> object:
        return method_name


async def test_a_request_to_a_bot_notes_when_its_search_begins(exporter: InMemorySpanExporter) -> None:
    recorded, dispatcher = Tracing(SimpleSpanProcessor(exporter)), Dispatcher()
    dispatcher.add_worker(EchoWorker(), is_short=False)
    bots = recorded.trace_bots(dispatcher)  # type: ignore[arg-type]
    try:
        assert await bots.choose(BotRequest("morris", "", (), 8, seed=1, movetime_ms=10)) == "choose"
    finally:
        await recorded.close()
        await dispatcher.close()
    (span,) = exporter.get_finished_spans()
    assert [event.name for event in span.events] == ["search begins"]


class StuckExporter(InMemorySpanExporter):
    """Exports nothing until it is shut down."""

    def __init__(self) -> None:
        super().__init__()
        self._is_shut_down = threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self._is_shut_down.wait()
        return SpanExportResult.FAILURE

    def shutdown(self) -> None:
        self._is_shut_down.set()


async def test_a_server_does_not_wait_long_for_a_collector_when_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millrace.server.app.tracing.EXPORT_SECONDS", 0.05)
    recorded = Tracing(SpanBatches(StuckExporter()))
    recorded.report("any", 1.0, {})
    async with asyncio.timeout(20):
        await recorded.close()


class Collector(BaseHTTPRequestHandler):
    """Counts the bytes of the spans that it receives."""

    received: ClassVar[dict[str, int]] = {}

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.rfile.read(length)
        self.received[self.path] = self.received.get(self.path, 0) + length
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # the name in the standard library
        pass


@pytest.mark.usefixtures("processes")
def test_a_collector_receives_the_traces_of_a_server_that_stops_in_order(tmp_path: Path) -> None:
    async def create_match(address: str) -> None:
        async with asyncio.timeout(PATIENCE_S), connect(address) as player:
            await player.create("morris", [MY_SEAT, MY_SEAT])

    Collector.received.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{collector.server_port}"
        with ServerProcess(tmp_path, "--traces", address) as server:
            asyncio.run(create_match(server.address))
            server.stop_in_good_order()
        wait_until(lambda: Collector.received)
        collector.shutdown()
    assert Collector.received.keys() == {"/v1/traces"}
