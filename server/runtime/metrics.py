"""The server's Prometheus metrics, served at `/metrics`."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from millrace.protocol import Event

CONNECTIONS = Gauge("millrace_connections", "Open connections.")
ROOMS = Gauge("millrace_rooms", "Matches in memory.")
TASKS = Gauge("millrace_tasks", "Tasks of the event loop.")
INTERRUPTED = Gauge("millrace_interrupted", "1 while nothing can be stored and play is paused, otherwise 0.")
_EVENTS = Counter("millrace_events_total", "Events stored by this server, by kind.", ["kind"])
EVENTS_BY_KIND = {kind: _EVENTS.labels(kind.__name__) for kind in get_args(Event)}
REFUSALS = Counter("millrace_refusals_total", "Refused commands, by code.", ["code"])
LIMITS_REACHED = Counter(
    "millrace_limits_reached_total", "Uses refused by a limit, by limit and bound.", ["limit", "bound"]
)
DISCONNECTIONS = Counter("millrace_disconnections_total", "Connections closed by the server, by reason.", ["reason"])
COMMAND_SECONDS = Histogram(
    "millrace_command_seconds",
    "Time from a command to its answer, including storage.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
)
BOT_MOVE_SECONDS = Histogram(
    "millrace_bot_move_seconds",
    "Time from the request for a bot's move to the move, including the queue.",
    buckets=(0.005, 0.01, 0.05, 0.1, 0.5, 1, 1.5, 2, 3, 5, 10, 30),
)
BOT_QUEUE_SECONDS = Histogram(
    "millrace_bot_queue_seconds",
    "Time from a request to a bot to the start of its search, by urgency.",
    ["urgency"],
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30),
)
BOT_SEARCH_SECONDS = Counter(
    "millrace_bot_search_seconds_total",
    "Time spent on searches, by urgency and level.",
    ["urgency", "level"],
)
BOT_REQUESTS_WAITING = Gauge("millrace_bot_requests_waiting", "Requests to bots in the queue, by urgency.", ["urgency"])
BOT_REQUESTS_RUNNING = Gauge(
    "millrace_bot_requests_running", "Requests to bots being searched, by urgency.", ["urgency"]
)
BOT_REQUESTS_SHORTENED = Counter(
    "millrace_bot_requests_shortened_total", "Answers after less than the level's time, by urgency.", ["urgency"]
)
BOT_REQUESTS_LATE = Counter(
    "millrace_bot_requests_late_total", "Answers later than twice the level's time, by urgency.", ["urgency"]
)
BOT_REQUESTS_CANCELLED = Counter(
    "millrace_bot_requests_cancelled_total", "Withdrawn requests to bots, by urgency.", ["urgency"]
)
BOT_WORKERS = Gauge(
    "millrace_bot_workers", "Worker processes that search for bots, counted by the scheduler of a Dask cluster."
)
BOT_REQUEST_RETRIES = Counter("millrace_bot_request_retries_total", "Requests repeated because a worker died or hung.")
BOT_WORKER_TIMEOUTS = Counter("millrace_bot_worker_timeouts_total", "Workers replaced because they hung.")
PUSH_MESSAGES = Counter(
    "millrace_push_messages_total", "Attempts to deliver a push message to a browser, by outcome.", ["outcome"]
)
MAILS = Counter("millrace_mails_total", "E-mails to players, by outcome.", ["outcome"])
MEMBERS = Gauge("millrace_members", "Live nodes, as seen by this one; 1 for a server alone.")
MEMBERS.set(1)
CLOCK_DIFFERENCE = Gauge(
    "millrace_clock_difference_seconds", "How much this node's clock is ahead of the database's, 0 for a server alone."
)
BUS_CONNECTED = Gauge("millrace_bus_connected", "1 while the bus to the other nodes is connected, otherwise 0.")
BUS_EVENTS_SENT = Counter("millrace_bus_events_sent_total", "Events sent to other nodes.")
BUS_EVENTS_RECEIVED = Counter("millrace_bus_events_received_total", "Events received from other nodes.")
BUS_EVENTS_DROPPED = Counter(
    "millrace_bus_events_dropped_total",
    "Events that other nodes missed because the bus was interrupted or too slow, or that this node could not read.",
)
