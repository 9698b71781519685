"""Commands about tournaments: listing, joining, leaving, and their standings."""

from collections.abc import Sequence
from datetime import datetime

from millrace.protocol import (
    GameInfo,
    MatchId,
    Standing,
    TournamentId,
    TournamentPlan,
    TournamentSummary,
    TournamentTable,
    TournamentView,
    chat_of_tournament,
)

from ...clock_texts import format_timing
from ..boards import OpenMatch
from ..formatting import title_of
from ..usage import UsageError
from .command import Command, Group
from .ladders import LADDER
from .session import COMPLETED, PROFILE, Entry, Session, first_of

SIMUL_USAGE = "Usage: simul accept TOURNAMENT NAME, simul remove TOURNAMENT NAME, simul start TOURNAMENT, or simul next"
SHOWN_LINES = 20
"""Chat lines shown at once."""


def tournament_line(summary: TournamentSummary, games: Sequence[GameInfo]) -> str:
    """Return a tournament as a line of a list."""
    plan, players = summary.plan, f"{summary.players} {'player' if summary.players == 1 else 'players'}"
    starts = datetime.fromtimestamp(plan.starts_at_ms / 1000).strftime("%d %B %H:%M")
    round_ = f"round {summary.round}" if summary.round else "running"
    over = f"won by {summary.winner or 'nobody'}"
    if plan.kind == "simul":
        round_, over = f"{summary.by} plays everyone", f"{summary.by} played everyone"
    when = {"planned": f"starts {starts}", "running": round_, "over": over}
    access = ", with a password" if summary.private else ""
    timing = f"{title_of(plan.game, games)}, {format_timing(plan.clock)}"
    return f"{plan.name}: {timing}, {kind_text(plan)}, {when[summary.status]}, {players}{access}"


def kind_text(plan: TournamentPlan) -> str:
    """Return the kind of a tournament, and how long it is."""
    return _kind_text(plan) + (f", {plan.round_days} days for each round" if plan.round_days else "")


def _kind_text(plan: TournamentPlan) -> str:
    match plan.kind:
        case "arena":
            tables = f"{'duplicate ' if plan.duplicate else ''}tables of {plan.seats}, " if plan.seats > 2 else ""
            return f"{tables}{plan.minutes} minutes"
        case "swiss":
            return f"Swiss of {plan.rounds} rounds"
        case "round_robin":
            return "double round robin" if plan.double else "round robin"
        case "knockout":
            return f"{'double elimination' if plan.double else 'knockout'}, best of {plan.best_of}"
        case "simul":
            return "simultaneous exhibition"


def points_text(halves: int) -> str:
    """Return half points as text.

    >>> points_text(7), points_text(1), points_text(4)
    ('3½', '½', '2')
    """
    whole = str(halves // 2) if halves != 1 else ""
    return f"{whole}½" if halves % 2 else whole


def score_text(score: int, plan: TournamentPlan) -> str:
    """Return a score, or the points of a match, as text."""
    if plan.seats > 2:
        return f"{round(score / 12, 2):g}"
    return str(score) if plan.kind == "arena" else points_text(score)


def standing_line(row: Standing, plan: TournamentPlan) -> str:
    """Return a row of the standings as a line."""
    points = " ".join(score_text(each, plan) for each in row.points)
    states = (
        ("on fire", row.fire),
        ("out", row.out),
        ("disqualified", row.disqualified),
        ("paused", row.paused and not row.disqualified),
        ("accepted", row.accepted and not row.points and not row.match),
        ("playing", row.match),
    )
    notes = [word for word, holds in states if holds]
    if row.buchholz is not None and row.sonneborn_berger is not None:
        tie_breaks = f"Buchholz {points_text(row.buchholz)}, Sonneborn-Berger {row.sonneborn_berger / 4:g}"
        notes = [tie_breaks, *([] if row.performance is None else [f"performance {row.performance}"]), *notes]
    if row.difference is not None:
        notes = [f"difference {row.difference / 100:+g}", *notes]
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"{row.rank:>3}. {row.player.name:<20} {score_text(row.score, plan):>3}  {points}{note}"


def table_line(table: TournamentTable, plan: TournamentPlan) -> str:
    """Return a table of a round, or an encounter of a knockout, as a line."""
    names = ["nobody" if player is None else player.name for player in table.players]
    if plan.seats > 2:
        points = [""] * len(names) if table.points is None else [f" {score_text(each, plan)}" for each in table.points]
        seats = ", ".join(map("".join, zip(names, points, strict=True)))
        return f"Round {table.round}, table {table.table}: {seats}"
    one, other = names
    if table.points is None:
        result = "forfeit" if table.forfeit else "-"
    else:
        result = " - ".join(map(points_text, table.points)) + (", forfeit" if table.forfeit else "")
    place = f"Round {table.round}, table {table.table}" if table.table else f"Match {table.round}"
    return f"{place}: {one} against {other}: {result}"


def tournament_of(session: Session, word: str) -> TournamentId | None:
    """Return the tournament of an id that was shown, or of a number in the latest list; None if there is none."""
    name = session.name_of(word)
    return TournamentId(name) if name in session.tournaments else None


async def join_tournament(session: Session, tournament: TournamentId, words: list[str]) -> None:
    """Join a tournament, with its password if it has one."""
    await session.me.tournaments.join(tournament, " ".join(words))
    session.tournament = tournament
    session.face.say(
        "You have joined. Your matches open by themselves, also while you play a bot; type withdraw to pause."
    )


async def _list_tournaments(session: Session, _: list[str]) -> None:
    found = await first_of(session.me.tournaments.all())
    games = session.me.games
    session.tournaments.update(each.tournament for each in found)
    listed = [Entry(tournament_line(each, games), each.tournament, f"standings {each.tournament}") for each in found]
    session.list_entries(listed, "Tournaments; join 1 joins the first:" if listed else "There are no tournaments.")


async def _known(session: Session, word: str, advice: str = "Type tournaments for the list.") -> TournamentId:
    """Return the tournament of an id or a number in the latest list. Raises: UsageError, ClientError."""
    if (tournament := tournament_of(session, word)) is not None:
        return tournament
    session.tournaments.update(each.tournament for each in await first_of(session.me.tournaments.all()))
    if word not in session.tournaments:
        raise UsageError(f"There is no such tournament. {advice}")
    return TournamentId(word)


async def _show_standings(session: Session, words: list[str]) -> None:
    tournament = await _known(session, words[0])
    view = await first_of(session.me.tournaments.follow(tournament))
    if words[1:]:
        matches = await session.me.tournaments.matches(tournament, words[1])
        lines = [(each.match or MatchId(""), table_line(each, view.summary.plan)) for each in matches]
        session.list_matches(lines, "open", f"{words[1]}:", f"{words[1]} has no matches yet.")
        return
    session.names.update(row.player.name for row in view.standings)
    summary, plan = view.summary, view.summary.plan
    apart = [f"{one.name} and {other.name} are kept apart." for one, other in view.forbidden]
    is_halted = summary.status == "running" and not session.me.interruption.latest.is_over
    halt = ["Its time stands still: nothing can be stored right now."] if is_halted else []
    description = [plan.description] if plan.description else []
    is_shown = summary.round if plan.kind != "knockout" else None
    tables = [table for table in view.tables if is_shown in (None, table.round)]
    rows = [Entry(standing_line(row, plan), row.player.name, f"{PROFILE} {row.player.name}") for row in view.standings]
    rows += [
        Entry(table_line(each, plan), each.match or "", f"open {each.match}" * bool(each.match)) for each in tables
    ]
    heading = "\n".join([tournament_line(summary, session.me.games), *description, *halt, *apart])
    session.list_entries([*_choices_of(view), *rows], heading)


def _choices_of(view: TournamentView) -> list[Entry]:
    """Return what the player can do about a tournament."""
    tournament, you = view.summary.tournament, view.you
    choices = [Entry("Read the chat", tournament, f"chat {tournament}")]
    if view.summary.status == "over":
        return choices
    if you is None or you.standing.paused:
        verb = "Join" if you is None else "Return"
        command = f"join {tournament}" + (f" PASSWORD{COMPLETED}" if view.summary.private else "")
        return [Entry(verb, tournament, command), *choices]
    return [Entry("Withdraw", tournament, f"withdraw {tournament}"), *choices]


async def _chat(session: Session, words: list[str]) -> None:
    chat = chat_of_tournament(await _known(session, words[0], f"In a match, write with say: say {' '.join(words)}"))
    if text := " ".join(words[1:]):
        await session.me.chat.say(chat, text)
    async with session.me.chat.listen(chat) as feed:
        lines = [f"{line.player.name}: {line.text}" for line in await feed.latest() if line.text]
    session.say(lines[-SHOWN_LINES:], "Nobody has written yet.")


async def _withdraw(session: Session, words: list[str]) -> None:
    if not words and session.tournament is None:
        raise UsageError("You have joined no tournament. Type tournaments for the list.")
    tournament = await _known(session, words[0]) if words else session.tournament
    assert tournament is not None
    view = await first_of(session.me.tournaments.follow(tournament))
    name = view.summary.plan.name
    if view.you is None and view.summary.by != session.me.player.name:
        raise UsageError(f"You have not joined {name}.")
    await session.me.tournaments.leave(tournament)
    session.face.say(f"You are not paired any more in {name}. Type join {tournament} to return.")


async def _disqualify(session: Session, words: list[str]) -> None:
    tournament = await _known(session, words[0])
    await session.me.tournaments.disqualify(tournament, words[1])
    session.face.say(f"{words[1]} is disqualified. Results against {words[1]} no longer count.")


async def _forbid(session: Session, words: list[str]) -> None:
    tournament = await _known(session, words[0])
    _, one, other, *rest = words
    if rest not in ([], ["off"]):
        raise UsageError("Type off after the names to let them meet again.")
    await session.me.tournaments.forbid(tournament, one, other, on=not rest)
    session.face.say(f"{one} and {other} {'may meet again' if rest else 'are kept apart from the next round on'}.")


async def _run_simul(session: Session, words: list[str]) -> None:
    tournaments = session.me.tournaments
    match words:
        case ["accept" | "remove" as what, tournament, player]:
            is_on = what == "accept"
            await tournaments.accept(await _known(session, tournament), player, on=is_on)
            session.face.say(f"{player} {'is accepted' if is_on else 'is not accepted any more'}.")
        case ["start", tournament]:
            await tournaments.start(await _known(session, tournament))
            session.face.say("The exhibition begins. Type simul next for the next board that waits for you.")
        case ["next"]:
            shown = session.shown.match if isinstance(session.shown, OpenMatch) else None
            yours = await first_of(session.me.lobby.your_matches())
            waiting = [each.match for each in yours if each.tournament and each.is_your_turn and each.match != shown]
            if waiting:
                session.open_match(waiting[0])
            else:
                session.face.say("No other board waits for you.")
        case _:
            raise UsageError(SIMUL_USAGE)


TOURNAMENTS = Group(
    "Tournaments",
    (
        Command("tournaments", "list tournaments; join 1 joins the first", _list_tournaments),
        Command("standings TOURNAMENT [NAME]", "show them and the round, or NAME's", _show_standings, "standings 1"),
        Command("chat TOURNAMENT [TEXT...]", "read a tournament's chat, or write", _chat, "chat 1 Good luck!"),
        Command("withdraw [TOURNAMENT]", "withdraw from a tournament, or pause", _withdraw, "withdraw 1"),
        Command("simul WHAT...", "host a simul: accept NAME, remove NAME, start", _run_simul, "simul accept 1 Ann"),
        LADDER,
        Command("forbid TOURNAMENT A B [off]", "keep players of your Swiss apart", _forbid, "forbid 1 Ann Walker"),
        Command(
            "disqualify TOURNAMENT PLAYER", "as a moderator, disqualify a player", _disqualify, "disqualify 1 Walker"
        ),
    ),
    needs_others=True,
)
