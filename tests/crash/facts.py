"""The contents of a database without anything that differs between runs, and properties of every run.

Times, random ids, and the names and seats of guests are left out; a match is named by what it was made for.
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import asyncpg

Row = tuple[Any, ...]

_LEFT_OUT = frozenset(
    {"clocks_ms", "player", "rating", "limit_ms", "grace_ms", "first_ply_ms", "invited", "by", "tournament"}
)
"""Fields of events that hold times or players."""


class Event(NamedTuple):
    """A row of `events`."""

    match: str
    seq: int
    command_id: str | None
    body: dict[str, Any]


async def fetch(url: str, statement: str) -> list[Row]:
    """Return the rows of a query."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
            return database.execute(statement).fetchall()
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(statement)]
    finally:
        await connection.close()


async def events_of(url: str) -> dict[str, list[Event]]:
    """Return the events of each match in order."""
    events = defaultdict(list)
    for match, seq, command_id, body in await fetch(
        url, "SELECT match, seq, command_id, body FROM events ORDER BY match, seq"
    ):
        events[match].append(Event(match, seq, command_id, json.loads(body)))
    return events


async def facts_of(url: str) -> dict[str, Any]:
    """Return the contents of a database, comparable between runs."""
    accounts: dict[str, str] = dict(await fetch(url, "SELECT id, name FROM accounts"))
    created = await fetch(url, "SELECT id, origin_by, origin_command FROM matches ORDER BY created_ms, id")
    labels: dict[str, str] = {}
    for match, by, command in created:
        of = accounts.get(by) or ("a rematch" if by in labels else by if by in ("pairing", "tournament") else "guest")
        labels[match] = of if by in labels or by in ("pairing", "tournament") else f"{of} {command}"
    labels |= {tournament: "a tournament" for (tournament,) in await fetch(url, "SELECT id FROM tournaments")}
    labels |= {study: "a study" for (study,) in await fetch(url, "SELECT id FROM studies")}

    def name(value: object) -> object:
        if value in labels:
            return labels[str(value)]
        if value in accounts:
            return accounts[str(value)]
        before, slash, after = str(value).partition("/")
        if slash and before in labels:
            return f"{labels[before]}/{after}"
        return next((kind for kind in ("guest", "deleted") if str(value).startswith(f"{kind}-")), value)

    async def table(statement: str) -> Counter[Row]:
        rows = await fetch(url, statement)
        return Counter(tuple(round(v, 6) if isinstance(v, float) else name(v) for v in row) for row in rows)

    events = Counter(
        (labels[match], *(_plain_text(event, name) for event in of_match if event.body["type"] != "resumed"))
        for match, of_match in (await events_of(url)).items()
    )
    return {
        "events": events,
        "matches": await table(
            "SELECT id, game, rated, plies, termination, result, ended_ms IS NULL, archived_ms IS NULL FROM matches"
        ),
        "seats": await table("SELECT match, identity, rank, result FROM match_players"),
        "ratings": await table("SELECT identity, game, seats, speed, mu, sigma, matches FROM ratings"),
        "history": await table("SELECT match, identity, rank, plies, mu_before, mu_after FROM rating_history"),
        "notifications": await table("SELECT identity, kind, subject, player, explanation, is_read FROM notifications"),
        "chat": await table("SELECT match, number, room, identity, command_id, text FROM chat_lines"),
        "reports": await table("SELECT reporter, command_id, match, player, line, text, note, outcome FROM reports"),
        "restrictions": await table("SELECT identity, kind, reason FROM restrictions"),
        "moderation": await table("SELECT number, by_name, command_id, action, reason, player FROM moderation_log"),
        "follows": await table('SELECT "by", whom FROM follows'),
        "blocks": await table('SELECT "by", whom FROM blocks'),
        "pairings": await table("SELECT identity, command_id, match FROM pairings"),
        "puzzle solvers": await table("SELECT identity, game, mu, sigma, attempts, solved FROM puzzle_solvers"),
        "puzzle ratings": await table("SELECT game, puzzle, mu, sigma, matches FROM puzzle_ratings"),
        "puzzle attempts": await table("SELECT identity, game, puzzle, solved, points FROM puzzle_attempts"),
        "studies": await table("SELECT identity, title, game, text, name, place FROM studies"),
        "study editors": await table("SELECT identity FROM study_editors"),
        "tokens": await table("SELECT identity, kind, label FROM grants WHERE kind IN ('session', 'api', 'recovery')"),
        # One to an account without an address is dropped when its turn comes.
        "mails": await table("SELECT kind, identity, address FROM mails WHERE address <> ''"),
        "tournaments": await table('SELECT "by", is_over FROM tournaments'),
        "tournament players": await table("SELECT identity FROM tournament_players"),
        "tournament events": Counter(
            json.loads(body)["type"] for (body,) in await fetch(url, "SELECT body FROM tournament_events")
        ),
        "ladder players": await table("SELECT identity, ladder FROM ladder_players"),
        "ladder events": Counter(
            tuple((key, name(value)) for key, value in json.loads(body).items() if key != "seat")
            for (body,) in await fetch(url, "SELECT body FROM ladder_events")
        ),
        "vacations": await table("SELECT identity, number, until_ms > at_ms FROM vacations"),
        "answers": await table("SELECT identity, command_id, kind FROM answers"),
        "reviews": await table("SELECT match FROM match_analyses"),
        "profiles": await table("SELECT identity, bio, country, toggled_notifications FROM profiles WHERE bio <> ''"),
    }


async def check(url: str, acknowledged: Sequence[tuple[str, str, int]], seen: dict[str, dict[int, Any]]) -> None:
    """Check the properties of any run: acknowledgements, sequence numbers, clocks, seats, ratings, received events."""
    events = await events_of(url)
    seats = Counter(await fetch(url, "SELECT match, seat, identity FROM match_players"))
    history = Counter(match for (match,) in await fetch(url, "SELECT match FROM rating_history"))
    for match, of_match in events.items():
        types = check_events(of_match)
        commands = {event.command_id for event in of_match if event.command_id is not None}
        commands = {command for command in commands if not command.startswith("farewell")}  # of a ban
        assert commands <= {command for command, of, _ in acknowledged if of == match}
        seated = (event.body for event in of_match if event.body["type"] == "seated")
        latest = {body["seat"]: body["player"]["id"] for body in seated}
        for seat, identity in latest.items():
            assert seats[match, seat, identity] == 1
        if types["rated"] and not types["voided"]:
            assert history[match] > 0
    for command, match, seq in acknowledged:
        stored = events[match][seq - 1]
        assert stored.command_id == command or stored.body["type"] == "created", (command, stored)
    for match, of_match_seen in seen.items():
        for seq, event in of_match_seen.items():
            assert events[match][seq - 1].body == event


def check_events(events: Sequence[Event]) -> Counter[str]:
    """Check that numbers have no gap, that events happen once, and the clocks; return how often each type occurs."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    types = Counter(event.body["type"] for event in events)
    assert types["created"] == 1
    assert max(types[once] for once in ("started", "ended", "rated", "rematch_started")) <= 1
    _check_clocks(events)
    return types


def _check_clocks(events: Sequence[Event]) -> None:
    """Check that no clock gains more than its increment with an event."""
    clock = events[0].body.get("clock")
    if clock is None or clock.get("renews"):
        return
    before = None
    for event in events:
        after = event.body.get("clocks_ms")
        if after is None or event.body["type"] == "time_given":
            continue
        if before is not None:
            assert all(0 <= new <= old + clock["increment_ms"] for old, new in zip(before, after, strict=True))
        before = after


def _plain_text(event: Event, name: Callable[[object], object]) -> str:
    """Return what is compared of an event."""
    body = event.body.items()
    return json.dumps({key: name(value) for key, value in body if key not in _LEFT_OUT and _is_plain(value)})


def _is_plain(value: object) -> bool:
    return not isinstance(value, dict | list)
