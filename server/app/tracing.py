"""Traces of commands, pairings and requests to bots, recorded by OpenTelemetry and sent to a collector.

A trace begins with a player's message. Storing its events is a span in it, and so is the request to the bot that
answers it. Trace ids are made from the player and the command's id, so nodes that work on one command record one trace.

Nothing here is imported unless `serve --traces` is given. It wraps routes, journal and bots when they are built, so
the way of a move has no call for traces that are off.
"""

import asyncio
import hashlib
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, Status, StatusCode, get_current_span, use_span

from millrace.protocol import Code, Message
from millrace.protocol.refusal import Refusal
from millrace.release import release_version

from ..bots.requests import BotRequest, Bots, Urgency
from ..callers.caller import Caller
from ..callers.feature import Route, Routes
from ..journal.journal_store import Journal
from ..runtime import tracing
from ..runtime.tracing import Ids

EXPORT_SECONDS = 2
"""Maximum time for sending spans to the collector, also while the server stops."""
TRACED_REQUESTS = frozenset({"choose", "evaluate", "analyse", "look_up", "draw_endings", "judge_ending"})
"""The methods of `Bots` that answer a request."""

Handle = Callable[[Any, Caller], Awaitable[Message | None]]


class RequestTraceIds(RandomIdGenerator):
    """Makes the id of a trace from a player's command, on every node the same."""

    def __init__(self) -> None:
        self.request = ""
        """The player and the command that the next trace is about; empty for a random id."""

    def generate_trace_id(self) -> int:
        """Return the id of a trace."""
        if not self.request:
            return super().generate_trace_id()
        return int.from_bytes(hashlib.sha256(self.request.encode()).digest()[:16], "big")


class SpanBatches(BatchSpanProcessor):
    """Sends spans in batches; the last ones only if the collector takes them in time."""

    def shutdown(self) -> None:
        """Send what has been recorded. The base class waits up to 30 s for that; here, a thread does that which does
        not keep the process from ending."""
        sending = threading.Thread(target=super().shutdown, name="last spans", daemon=True)
        sending.start()
        sending.join(EXPORT_SECONDS)


class Tracing:
    """Records the traces of a server."""

    def __init__(self, processor: SpanProcessor, node: str = "") -> None:
        self._ids = RequestTraceIds()
        named = {"service.name": "millrace", "service.version": release_version(), "service.instance.id": node}
        self._provider = TracerProvider(resource=Resource.create(named), id_generator=self._ids)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("millrace")
        tracing.tracer = self

    async def close(self) -> None:
        """Send what has been recorded, and record no more."""
        tracing.tracer = None
        await asyncio.to_thread(self._provider.shutdown)

    def note(self, event: str) -> None:
        """Note that something has happened in the running span."""
        get_current_span().add_event(event)

    def report(self, name: str, seconds: float, ids: Ids) -> None:
        """Record what ends now and has taken some seconds, in the trace of its command."""
        self._begin(name, ids, time.time_ns() - int(seconds * 1e9)).end()

    def trace_routes(self, routes: Routes) -> Routes:
        """Return the routes with a trace for each message."""
        return {kind: replace(route, handle=self._traced(route)) for kind, route in routes.items()}

    def trace_journal(self, journal: Journal) -> Journal:
        """Return a journal whose appends are spans of the command that they store."""

        def append(match: str, *arguments: Any, **options: Any) -> asyncio.Future[bool]:
            if not get_current_span().get_span_context().is_valid:
                return journal.append(match, *arguments, **options)  # type: ignore[arg-type]
            span = self._tracer.start_span("store", attributes={"millrace.match": match})
            stored = journal.append(match, *arguments, **options)  # type: ignore[arg-type]
            stored.add_done_callback(partial(_end, span))
            return stored

        return cast("Journal", _Wrapped(journal, {"append": append}))

    def trace_bots(self, bots: Bots) -> Bots:
        """Return bots whose requests are spans, within the trace of the command that led to them."""
        return cast("Bots", _Wrapped(bots, {name: self._traced_request(bots, name) for name in TRACED_REQUESTS}))

    def _begin(self, name: str, ids: Ids, began_ns: int | None = None) -> Span:
        """Begin the first span of a trace, or its first span on this node."""
        self._ids.request = f"{ids['player']} {ids['request']}" if ids.keys() >= {"player", "request"} else ""
        return self._tracer.start_span(name, Context(), attributes=_attributes(ids), start_time=began_ns)

    def _traced(self, route: Route[Any]) -> Handle:
        name, handle = route.message.__name__, route.handle

        def handle_traced(message: Any, caller: Caller) -> Awaitable[Message | None]:
            ids = {"request": getattr(message, "id", None), "match": getattr(message, "match", None)}
            known = {key: str(value) for key, value in ids.items() if value}
            span = self._begin(name, {**known, "player": caller.identity})
            try:
                with use_span(span, record_exception=False, set_status_on_exception=False):
                    answer = handle(message, caller)
            except BaseException as error:
                _end_with(span, error)
                raise
            if isinstance(answer, asyncio.Future):
                answer.add_done_callback(partial(_end, span))
                return answer
            return _follow(span, answer)

        return handle_traced

    def _traced_request(self, bots: Bots, name: str) -> Callable[[BotRequest], Awaitable[Any]]:
        answer = getattr(bots, name)

        async def ask(request: BotRequest) -> Any:
            facts = {"game": request.game, "level": str(request.level), "urgency": request.urgency.name.lower()}
            # A match between bots would become one endless trace of the command that began it.
            context = Context() if request.urgency is Urgency.EXHIBITION else None
            self._ids.request = ""
            attributes = _attributes({**facts, **request.ids})
            with self._tracer.start_as_current_span(f"bot {name}", context, attributes=attributes):
                return await answer(request)

        return ask


class _Wrapped:
    """An object of which some methods are replaced."""

    def __init__(self, wrapped: object, methods: dict[str, Callable[..., Any]]) -> None:
        self._wrapped = wrapped
        self.__dict__.update(methods)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)


def start_tracing(address: str, node: str) -> Tracing:
    """Record traces, and send them to the collector at an address, by OTLP over HTTP."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  # tests need none

    exporter = OTLPSpanExporter(f"{address.rstrip('/')}/v1/traces", timeout=EXPORT_SECONDS)
    return Tracing(SpanBatches(exporter), node)


def _attributes(ids: Ids) -> dict[str, str]:
    return {f"millrace.{name}": value for name, value in ids.items()}


async def _follow(span: Span, answer: Awaitable[Message | None]) -> Message | None:
    failure = None
    try:
        with use_span(span, record_exception=False, set_status_on_exception=False):
            return await answer
    except BaseException as error:
        failure = error
        raise
    finally:
        _end_with(span, failure)


def _end(span: Span, done: "asyncio.Future[Any]") -> None:
    if done.cancelled():
        span.end()
    else:
        _end_with(span, done.exception())


def _end_with(span: Span, error: BaseException | None) -> None:
    """End a span. A refusal is an error only if the server is at fault."""
    if isinstance(error, Refusal):
        span.set_attribute("millrace.refusal", error.code.value)
    if error is not None and not (isinstance(error, Refusal) and error.code is not Code.UNAVAILABLE):
        span.set_status(Status(StatusCode.ERROR, str(error)))
    span.end()
