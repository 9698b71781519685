"""Commands about tournaments: listing, joining, leaving, and their standings."""

from collections.abc import Sequence
from datetime import datetime

from millrace.protocol import GameInfo, Standing, TournamentId, TournamentSummary

from ...clock_texts import format_timing
from ..formatting import title_of
from ..usage import UsageError
from .command import Command, Group
from .session import Entry, Session, first_of

STANDINGS = "standings"
"""The command that picking a tournament runs."""


def tournament_line(summary: TournamentSummary, games: Sequence[GameInfo]) -> str:
    """Return a tournament as a line of a list."""
    plan, players = summary.plan, f"{summary.players} {'player' if summary.players == 1 else 'players'}"
    starts = datetime.fromtimestamp(plan.starts_at_ms / 1000).strftime("%d %B %H:%M")
    when = {"planned": f"starts {starts}", "running": "running", "over": f"won by {summary.winner or 'nobody'}"}
    access = ", with a password" if summary.private else ""
    timing = f"{title_of(plan.game, games)}, {format_timing(plan.clock)}"
    return f"{plan.name}: {timing}, {plan.minutes} minutes, {when[summary.status]}, {players}{access}"


def standing_line(row: Standing) -> str:
    """Return a row of the standings as a line."""
    points = " ".join(map(str, row.points))
    notes = [word for word, holds in (("on fire", row.fire), ("paused", row.paused), ("playing", row.match)) if holds]
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"{row.rank:>3}. {row.player.name:<20} {row.score:>3}  {points}{note}"


def tournament_of(session: Session, word: str) -> TournamentId | None:
    """Return the tournament of a number in the latest list; None if that is not one of tournaments."""
    is_number = word.isdecimal() and 1 <= int(word) <= len(session.listed)
    entry = session.listed[int(word) - 1] if is_number else None
    return TournamentId(entry.name) if entry is not None and entry.command.startswith(STANDINGS) else None


async def join_tournament(session: Session, tournament: TournamentId, words: list[str]) -> None:
    """Join a tournament, with its password if it has one."""
    await session.me.tournaments.join(tournament, " ".join(words))
    session.face.say("You have joined. Your matches open by themselves; type withdraw to pause.")


async def _list_tournaments(session: Session, _: list[str]) -> None:
    found = await first_of(session.me.tournaments.all())
    games = session.me.games
    listed = [Entry(tournament_line(each, games), each.tournament, f"{STANDINGS} {each.tournament}") for each in found]
    session.list_entries(listed, "Tournaments; type join and a number:" if listed else "There are no tournaments.")


async def _show_standings(session: Session, words: list[str]) -> None:
    tournament = tournament_of(session, words[0]) or TournamentId(words[0])
    known = {each.tournament for each in await first_of(session.me.tournaments.all())}
    if tournament not in known:
        raise UsageError("There is no such tournament. Type tournaments for the list.")
    view = await first_of(session.me.tournaments.follow(tournament))
    session.names.update(row.player.name for row in view.standings)
    session.say([tournament_line(view.summary, session.me.games), *map(standing_line, view.standings)])


async def _withdraw(session: Session, words: list[str]) -> None:
    await session.me.tournaments.leave(tournament_of(session, words[0]) or TournamentId(words[0]))
    session.face.say("You are not paired any more. Type join and its number to return.")


TOURNAMENTS = Group(
    "Tournaments",
    (
        Command("tournaments", "list tournaments; join 1 joins the first", _list_tournaments),
        Command("standings TOURNAMENT", "show the standings of a tournament", _show_standings, "standings 1"),
        Command("withdraw TOURNAMENT", "withdraw from a tournament, or pause", _withdraw, "withdraw 1"),
    ),
)
