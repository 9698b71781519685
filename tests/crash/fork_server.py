"""A process that forks servers, each of which kills itself (SIGKILL) at a chosen point of its work.

`python -m tests.crash.fork_server` reads requests, one JSON line each, and forks a child for each; forking saves the
child the imports. The child prints `serving PORT PID`, and when it is dead its parent prints `ended POINTS`.

The points are counted from when the server serves, or from its start: each callback of the event loop before it runs
(so every await), each statement before SQLite runs it (so every commit), and each write to a socket before it is made.
What comes after a commit is the callback that reports it; so there are points before it, between it and the broadcast,
and after.
"""

import asyncio
import contextlib
import gc
import json
import mmap
import os
import random
import signal
import sqlite3
import struct
import sys
from asyncio import events, selector_events
from collections.abc import Collection, MutableSequence
from typing import Any

import msgspec

from millrace.engine.games import GAMES
from millrace.engine.kernel_cache import forbid_compiling
from millrace.engine.levels.warm_up import interpret_all_rules
from millrace.engine.state import State
from millrace.protocol import IdentityId, Player
from millrace.server.learning.openings import indexer
from millrace.server.lobby import matchmaker
from millrace.server.matches.built_in_bots import PLAYING_EACH_OTHER
from millrace.server.notifications import inbox
from millrace.server.players.accounts import hashing
from millrace.server.players.mail import mail_queue
from millrace.server.players.vacations import vacation_handler
from millrace.server.tournaments import (
    arena_reviews,
    built_in_entrants,
    decisions,
    tournament_news,
    tournament_runner,
)
from millrace.server.tournaments.built_in_entrants import built_in
from millrace.server.tournaments.events import AnyEvent, Closed
from millrace.server.tournaments.kinds import arena, rounds
from millrace.server.tournaments.ladders import ladder_news, ladder_runner
from millrace.server.tournaments.pairing.swiss_history import Colour
from millrace.server.tournaments.tournament import Tournament
from millrace.server.tournaments.tournament_views import PlayerOf
from millrace.server.web.pages import client_pages
from tests.processes import end_with_tests
from tests.server.databases import be_patient
from tests.server.starting import start_server

NEVER = 0


class Request(msgspec.Struct):
    """A server to be started."""

    url: str
    """Its database."""
    kill_at: int = NEVER
    """The point at which it kills itself."""
    from_start: bool = False
    """Whether points are counted from the start, not from when it serves."""


class Points:
    """Counts a child's points, in memory shared with its parent, and kills it at one of them."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 8)
        self.kill_at = NEVER
        self.are_counted = False

    @property
    def passed(self) -> int:
        """Number of points that the latest child has passed."""
        return int(struct.unpack("q", self._memory[:8])[0])

    def reset(self) -> None:
        """Begin to count."""
        self._memory[:8] = struct.pack("q", 0)

    def note(self, *_: object) -> None:
        """Pass a point, or be killed at it."""
        if not self.are_counted:
            return
        passed = self.passed + 1
        self._memory[:8] = struct.pack("q", passed)
        if passed == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


class Unshuffled(random.Random):
    """Leaves everything in order, so that runs do not differ in who plays first."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Do nothing."""


_SAID = os.dup(sys.stdout.fileno())
"""Where the parent listens; what else is printed, such as the log, goes to the standard error."""


def say(*words: object) -> None:
    """Print a line at once and in one piece."""
    os.write(_SAID, " ".join(map(str, (*words, "\n"))).encode())


def mark_points(points: Points) -> None:
    """Have the event loop, SQLite and the sockets note their points."""

    def before(owner: Any, name: str) -> None:
        usual = getattr(owner, name)

        def noting(*arguments: Any, **named: Any) -> Any:
            points.note()
            return usual(*arguments, **named)

        setattr(owner, name, noting)

    before(events.Handle, "_run")
    before(selector_events._SelectorSocketTransport, "write")  # type: ignore[attr-defined]
    connect = sqlite3.connect

    def connect_and_trace(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **named)
        connection.set_trace_callback(points.note)
        return connection

    sqlite3.connect = connect_and_trace  # type: ignore[assignment]


async def wait_for_ever(*_: object) -> None:
    """Wait for a mail server that does not answer, so that mails stay stored."""
    await asyncio.Event().wait()


def due_in_scenarios(tournament: Tournament, now_ms: int) -> list[AnyEvent]:
    """Let a tournament in rounds start as soon as two players have joined, however long a killed server took, and a
    bots' arena end once its visitors have left and have played."""
    visitors = [each for each in tournament.entrants.values() if each.identity not in built_in(tournament)]
    has_played = tournament.waves > 0 and not tournament.pairs and all(each.is_paused for each in visitors)
    if tournament.plan.bots and tournament.status == "running" and has_played:
        return [Closed()]
    is_early = tournament.plan.kind != "arena" and len(tournament.entrants) < arena.SEATS
    return [] if is_early else decisions.due(tournament, now_ms)


def are_wanted_by_both(tournament: Tournament, online: Collection[IdentityId], player_of: PlayerOf) -> bool:
    """Have the server's own bots wait for two visitors, so that it does not matter who returns first."""
    return len(online) >= arena.SEATS and built_in_entrants.are_wanted(tournament, online, player_of)


def hurry() -> None:
    """Shorten the server's waits, so that a scenario takes no longer than its commands."""
    hashing.MEMORY_KIB = 64
    matchmaker.WAVE_SECONDS = 0.05  # type: ignore[attr-defined]
    inbox.FLUSH_SECONDS = 0.02
    tournament_runner.MOST_SEEDS = 1
    tournament_runner.TICK_SECONDS, arena.LEAST_WAIT_MS, tournament_news.UPDATE_SECONDS = 0.05, 0, 0.05
    ladder_runner.LOOK_SECONDS, ladder_news.UPDATE_SECONDS = 0.05, 0.05
    tournament_runner.due, rounds.draw_colour = due_in_scenarios, lambda _: Colour.WHITE  # type: ignore[attr-defined,assignment]
    tournament_runner.are_wanted = are_wanted_by_both  # type: ignore[attr-defined]
    built_in_entrants.SITE = Player(IdentityId("account-Annabel"), "Annabel", registered=True)  # type: ignore[attr-defined]
    built_in_entrants.PLAYING_EACH_OTHER = PLAYING_EACH_OTHER[0], PLAYING_EACH_OTHER[-1]  # type: ignore[attr-defined]
    arena_reviews.WAIT_SECONDS = indexer.WAIT_SECONDS = 0.2
    arena_reviews.REST = 0
    vacation_handler.LOOK_SECONDS = 0.05
    mail_queue.send_mail, mail_queue.TIMEOUT_SECONDS = wait_for_ever, 3_600  # type: ignore[assignment]
    random.SystemRandom = Unshuffled  # type: ignore[misc, assignment]
    be_patient()
    # What follows is done once before the forks, which then share it. Nothing is compiled for a few plies.
    forbid_compiling()
    interpret_all_rules()
    for game in GAMES.values():
        State.of(game, "").legal_moves  # noqa: B018
    client_pages()


async def serve(request: Request, points: Points) -> None:
    """Serve until killed."""
    started = await start_server(
        request.url, address_factor=1_000, smtp="smtp://127.0.0.1:9", mail_from="play@example.org"
    )
    if not request.from_start:
        points.are_counted = True
    say("serving", started.port, os.getpid())
    await asyncio.Event().wait()


def fork_servers() -> None:
    """Fork a server for each line, and wait for its end."""
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    points = Points()
    mark_points(points)
    hurry()
    gc.freeze()
    for line in sys.stdin:
        request = msgspec.convert(json.loads(line), Request)
        points.reset()
        points.kill_at, points.are_counted = request.kill_at, request.from_start
        child = os.fork()
        if child == 0:
            end_with_tests()
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(serve(request, points))
            os._exit(1)
        os.waitpid(child, 0)
        points.are_counted = False
        say("ended", points.passed)


if __name__ == "__main__":
    fork_servers()
