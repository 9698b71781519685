"""What the server counts of itself, in Prometheus's terms; served at `/metrics`."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from server.protocol import Event

CONNECTIONS = Gauge("millrace_connections", "Sockets that are open.")
ROOMS = Gauge("millrace_rooms", "Matches held in memory.")
_EVENTS = Counter("millrace_events_total", "Events told, by kind.", ["kind"])
EVENTS_BY_KIND = {kind: _EVENTS.labels(kind.__name__) for kind in get_args(Event)}
REFUSALS = Counter("millrace_refusals_total", "Commands refused, by code.", ["code"])
DISCONNECTED = Counter("millrace_disconnected_total", "Connections that the server closed, by reason.", ["reason"])
COMMAND_SECONDS = Histogram(
    "millrace_command_seconds",
    "From a command's arrival to its answer, storing included.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
)
BOT_SECONDS = Histogram(
    "millrace_bot_seconds",
    "From asking a bot to its move, waiting for a worker included.",
    buckets=(0.005, 0.01, 0.05, 0.1, 0.5, 1, 1.5, 2, 3, 5, 10, 30),
)
BOT_RETRIES = Counter("millrace_bot_retries_total", "Bot plies asked for again after a worker died or was overdue.")
BOTS_WAITING = Gauge("millrace_bots_waiting", "Bot plies asked for and not yet answered.")
