"""Commands about ladders: listing them, their places, joining, leaving and challenging."""

from collections.abc import Sequence

from millrace.protocol import GameInfo, LadderChange, LadderPlace, LadderSummary, TournamentId
from millrace.protocol.refusal import text_of

from ..formatting import ladder_title
from ..usage import UsageError
from .command import Command
from .session import COMPLETED, PROFILE, Entry, Session, first_of

USAGE = "Usage: ladder, ladder GAME, ladder join GAME, ladder leave GAME, or ladder challenge GAME NAME"
CHANGES = {
    "joined": "{player} joined at place {place}",
    "left": "{player} left place {place}",
    "won": "{player} won place {place} against {opponent}",
    "timed_out": "{player} lost on time and place {place}",
}


def ladder_line(ladder: LadderSummary, games: Sequence[GameInfo]) -> str:
    """Return a ladder as a line of a list."""
    players = f"{ladder.players} {'player' if ladder.players == 1 else 'players'}"
    own = "" if ladder.you is None else f", your place is {ladder.you}"
    return f"{ladder_title(ladder, games)}: {players}{own}"


def place_line(place: LadderPlace, own: int | None) -> str:
    """Return a place as a line: whom one may challenge, and of those above why not."""
    rating = f"{place.rating}{'?' if place.provisional else ''}"
    note = ""
    if place.challengeable:
        note = "  you can challenge"
    elif place.objection is not None and own is not None and place.place < own:
        note = f"  {text_of(place.objection)}"
    return f"{place.place:>3}. {place.player.name:<20} {rating:>6}{'  you' if place.place == own else note}"


def change_line(change: LadderChange) -> str:
    """Return a change as a line."""
    opponent = "" if change.opponent is None else change.opponent.name
    return CHANGES[change.kind].format(player=change.player.name, place=change.place, opponent=opponent)


def _ladder_of(session: Session, word: str) -> TournamentId:
    """Return the ladder of a game: that for bots for a bot, or if the word ends so."""
    name, _, rest = session.name_of(word).partition("-")
    bots = rest == "bots" or session.me.player.bot
    return TournamentId(f"ladder-{session.game(name).name}{'-bots' if bots else ''}")


async def _run(session: Session, words: list[str]) -> None:
    match words:
        case []:
            names = {each: each.game + "-bots" * each.bots for each in await session.me.ladders.all()}
            ladders = [
                Entry(ladder_line(each, session.me.games), name, f"ladder {name}") for each, name in names.items()
            ]
            session.list_entries(ladders, "Ladders:")
        case ["join", game]:
            await session.me.ladders.join(_ladder_of(session, game))
            session.face.say(
                f"You have joined at the bottom. Type ladder {session.name_of(game)} to see whom you can challenge."
            )
        case ["leave", game]:
            await session.me.ladders.leave(_ladder_of(session, game))
            session.face.say("You have left the ladder.")
        case ["challenge", game, name]:
            session.open_match(await session.me.ladders.challenge(_ladder_of(session, game), session.player_of(name)))
        case [game] if game not in ("join", "leave", "challenge"):
            await _show(session, session.name_of(game))
        case _:
            raise UsageError(USAGE)


async def _show(session: Session, name: str) -> None:
    view = await first_of(session.me.ladders.follow(_ladder_of(session, name)))
    session.names.update(place.player.name for place in view.places)
    own = view.summary.you
    join, leave = f"ladder join {name}", f"ladder leave {name}{COMPLETED}"
    rows = [Entry("Join", name, join) if own is None else Entry("Leave", name, leave)]
    for place in view.places:
        player = place.player.name
        command = f"ladder challenge {name} {player}{COMPLETED}" if place.challengeable else f"{PROFILE} {player}"
        rows.append(Entry(place_line(place, own), player, command))
    for each in (*view.yours, *view.matches):
        line = f"{each.challenger.name} challenges {each.challenged.name}"
        rows.append(Entry(line, each.match, f"open {each.match}"))
    session.list_entries(
        rows, "\n".join([ladder_line(view.summary, session.me.games), *map(change_line, view.changes)])
    )


LADDER = Command("ladder [GAME...]", "ladders; ladder join GAME, leave, challenge", _run, "ladder morris")
