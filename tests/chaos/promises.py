"""The properties of the database after a run: nothing lost, nothing twice, nobody left waiting."""

import asyncio
import json
import time
from collections import Counter, defaultdict

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Created, Event, MatchId, Moved, Rated, parse_event
from millrace.server.notifications.inbox import MOST_OF_KIND
from tests.chaos.witness import Witness
from tests.crash.facts import Event as StoredEvent
from tests.crash.facts import check_events, events_of, fetch
from tests.serving import PATIENCE_S

Journal = dict[MatchId, list[Event]]
"""The events of each match; the first has the number 1."""


async def check_promises(url: str, witness: Witness) -> Journal:
    """Check the players' records against a database, and the database against itself; return its journal."""
    rows = await events_of(url)
    journal: Journal = {}
    for match, stored in rows.items():
        _check_rows(stored)
        journal[MatchId(match)] = [_parsed(row) for row in stored]
    for events in journal.values():
        _check_moves(events)
    check_acknowledged(journal, witness)
    check_seen(journal, witness)
    await check_ratings(url, journal)
    await check_pairings(url, witness)
    await check_notifications(url, witness)
    return journal


def _parsed(row: StoredEvent) -> Event:
    return parse_event(json.dumps(row.body))


def _check_rows(events: list[StoredEvent]) -> None:
    """Check the events of a match, and that no command has two effects."""
    check_events(events)
    plies = Counter(
        event.command_id for event in events if event.body["type"] == "moved" and not event.body.get("forced")
    )
    assert not [command for command, count in plies.items() if command is not None and count > 1]


def _check_moves(events: list[Event]) -> None:
    """Check that the moves are legal, one after the other."""
    created = events[0]
    assert isinstance(created, Created)
    state = State.of(find_game(created.game), created.setup)
    for event in events:
        if isinstance(event, Moved):
            state = state.play_text(event.move)


def check_acknowledged(journal: Journal, witness: Witness) -> None:
    """Check that every acknowledged ply is stored under its number, and that people made no others."""
    for match, seq in witness.acknowledged:
        stored = journal[match][seq - 1 : seq]
        assert [type(event) for event in stored] == [Moved], (match, seq, stored)
    made = {
        (match, seq)
        for match in witness.between_people
        for seq, event in enumerate(journal[match], 1)
        if isinstance(event, Moved) and not event.forced
    }
    acknowledged = {ply for ply in witness.acknowledged if ply[0] in witness.between_people}
    assert made == acknowledged, f"not acknowledged: {made - acknowledged}"


def check_seen(journal: Journal, witness: Witness) -> None:
    """Check that everyone has seen each event of a match once, in order, up to its end."""
    for match, by_reader in witness.seen.items():
        for events in by_reader:
            assert [each.seq for each in events] == list(range(1, len(events) + 1)), match
            assert [each.event for each in events] == journal[match][: len(events)], match


async def check_ratings(url: str, journal: Journal) -> None:
    """Check that each match that counts has changed each rating once, one after the other."""
    rows = await fetch(
        url,
        "SELECT identity, game, seats, speed, match, mu_before, sigma_before, mu_after, sigma_after"
        " FROM rating_history",
    )
    changed = Counter((match, identity) for identity, _, _, _, match, *_ in rows)
    assert max(changed.values(), default=1) == 1
    counted = {
        match
        for match, events in journal.items()
        for event in events
        if isinstance(event, Rated) and any(change is not None for change in event.changes)
    }
    assert {match for match, _ in changed} == counted
    ratings = defaultdict(list)
    for identity, game, seats, speed, _, *change in rows:
        ratings[identity, game, seats, speed].append(tuple(change))
    stored = await fetch(url, "SELECT identity, game, seats, speed, mu, sigma, matches FROM ratings WHERE matches > 0")
    for identity, game, seats, speed, mu, sigma, matches in stored:
        changes = ratings.pop((identity, game, seats, speed))
        assert matches == len(changes)
        # Each change began where another had ended, and one of them ended where the rating is now.
        before, after = Counter(change[:2] for change in changes), Counter(change[2:] for change in changes)
        after[mu, sigma] -= 1
        assert sum((before - after).values()) == 1, (identity, changes, (mu, sigma))
        assert sum((after - before).values()) == 0, (identity, changes, (mu, sigma))
    assert not ratings


async def check_pairings(url: str, witness: Witness) -> None:
    """Check that each search has led to one match, that of two people, and that none is left."""
    seats = defaultdict(set)
    for identity, match in await fetch(url, "SELECT identity, match FROM match_players"):
        seats[match].add(identity)
    played = defaultdict(set)
    for match, identities in seats.items():
        for identity in identities:
            played[identity].add(match)
    for identity, matches in witness.paired.items():
        assert len(set(matches)) == len(matches), "one search has led to the match of another"
        others = played[identity] - set(matches)
        assert len(others) <= (identity in witness.cancelled_searches), (identity, others)
        assert all(len(seats[match]) == 2 for match in matches)
    give_up_at = time.monotonic() + PATIENCE_S
    while searches := await fetch(url, "SELECT identity, command_id, since_ms, node, details FROM searches"):
        assert time.monotonic() < give_up_at, searches
        await asyncio.sleep(0.5)


async def check_notifications(url: str, witness: Witness) -> None:
    """Check that challengers have one notification of each acceptance, and that no challenge is left waiting."""
    for identity, matches in witness.accepted_challenges.items():
        rows = await fetch(
            url,
            f"SELECT subject FROM notifications WHERE identity = '{identity}' AND kind = 'challenge_accepted'"
            " ORDER BY at_ms",
        )
        assert [subject for (subject,) in rows] == matches[-MOST_OF_KIND:]
    waiting = await fetch(url, "SELECT identity, subject FROM notifications WHERE kind = 'challenged'")
    assert not waiting
