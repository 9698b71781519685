"""The server's metrics for Prometheus, served at `/metrics`."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from .protocol import Event

CONNECTIONS = Gauge("millrace_connections", "Open connections.")
ROOMS = Gauge("millrace_rooms", "Matches held in memory.")
_EVENTS = Counter("millrace_events_total", "Events broadcast, by kind.", ["kind"])
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
BOT_WAIT_SECONDS = Histogram(
    "millrace_bot_wait_seconds",
    "From asking a bot to the beginning of its search, by class.",
    ["urgency"],
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30),
)
BOT_THINKING_SECONDS = Counter(
    "millrace_bot_thinking_seconds_total",
    "Search time of workers, by class.",
    ["urgency", "level"],
)
BOTS_WAITING = Gauge("millrace_bots_waiting", "Requests to bots that wait for a worker, by class.", ["urgency"])
BOTS_RUNNING = Gauge("millrace_bots_running", "Requests to bots that a worker is searching, by class.", ["urgency"])
BOTS_CUT = Counter("millrace_bots_cut_total", "Answers whose search was cut short, by class.", ["urgency"])
BOTS_LATE = Counter("millrace_bots_late_total", "Answers later than twice the level's time, by class.", ["urgency"])
BOTS_CANCELLED = Counter("millrace_bots_cancelled_total", "Cancelled requests to bots, by class.", ["urgency"])
BOT_RETRIES = Counter("millrace_bot_retries_total", "Requests to bots repeated after a worker died or hung.")
BOT_TIMEOUTS = Counter("millrace_bot_timeouts_total", "Requests to bots whose worker hung.")
