"""The server's Prometheus metrics, served at `/metrics`."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram, Info

from millrace.protocol import Code, Event
from millrace.release import release_commit, release_version

Info("millrace_build", "The release and its commit.").info({"version": release_version(), "commit": release_commit()})
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
COMMIT_SECONDS = Histogram(
    "millrace_commit_seconds",
    "Time to commit a batch of events to the database.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)
LOOP_LAG_SECONDS = Histogram(
    "millrace_loop_lag_seconds",
    "How late the event loop wakes a task, measured every second.",
    buckets=(0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5),
)
HTTP_RESPONSES = Counter("millrace_http_responses_total", "Answers to HTTP requests, by status code.", ["code"])
PAIRING_SECONDS = Histogram(
    "millrace_pairing_seconds",
    "Time from a search for a quick pairing to its match.",
    buckets=(1, 2, 5, 10, 20, 30, 60, 120, 300),
)
BOT_MOVE_SECONDS = Histogram(
    "millrace_bot_move_seconds",
    "Time from the request for a bot's move to the move, including the queue.",
    buckets=(0.005, 0.01, 0.05, 0.1, 0.5, 1, 1.5, 2, 3, 5, 10, 30),
)
BOT_MOVES = Counter(
    "millrace_bot_moves_total",
    "Moves found for bots in matches, by who searched: server, page, or server_for_page after a page was asked.",
    ["by"],
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
BOT_GAMES_WAITING = Gauge("millrace_bot_games_waiting", "Games in which bots cannot move yet.")
BOTS_IN_TROUBLE = Gauge(
    "millrace_bots_in_trouble", "1 while something keeps bots, or some of their workers, from starting, otherwise 0."
)
BOT_REQUEST_RETRIES = Counter("millrace_bot_request_retries_total", "Requests repeated because a worker died or hung.")
BOT_WORKER_TIMEOUTS = Counter("millrace_bot_worker_timeouts_total", "Workers replaced because they hung.")
PUSH_MESSAGES = Counter(
    "millrace_push_messages_total", "Attempts to deliver a push message to a browser, by outcome.", ["outcome"]
)
MAILS = Counter("millrace_mails_total", "E-mails to players, by outcome.", ["outcome"])
MAIL_SERVER_FAILS = Gauge(
    "millrace_mail_server_fails", "1 while the mail server is away or refuses this server, otherwise 0."
)
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


ALERTED = (
    (REFUSALS, [code.value for code in Code]),
    (DISCONNECTIONS, ["slow"]),
    (HTTP_RESPONSES, [500, 503]),
    (BOT_QUEUE_SECONDS, ["move"]),
    (BOT_REQUESTS_SHORTENED, ["move"]),
    (BOT_REQUESTS_LATE, ["move"]),
    (PUSH_MESSAGES, ["delivered", "refused", "later"]),
    (MAILS, ["sent", "failed"]),
)
"""Metrics with labels that alert rules compare. They begin at 0: Prometheus sees no growth in what begins with 1."""

for _metric, _labels in ALERTED:
    for _label in _labels:
        _metric.labels(_label)
