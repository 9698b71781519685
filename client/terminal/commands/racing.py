"""Commands for puzzles against the clock: storms and races."""

from millrace.protocol import Code

from ...errors import RefusedError
from ..boards import OpenRace, OpenStorm
from ..usage import UsageError
from .command import Command
from .session import Session

RACE_WORDS = ("start", "standings", "again", "leave")
"""What can be done in a race."""


async def _begin_storm(session: Session, words: list[str]) -> None:
    session.open(await OpenStorm.begin(session.me, session, session.game_of(words)))


async def _race(session: Session, words: list[str]) -> None:
    if len(words) > 1:
        raise UsageError(RACE.usage)
    what = words[0] if words else ""
    if what in RACE_WORDS:
        await _do_in_race(session, session.shown_as(OpenRace), what)
    elif not what or what in {game.name for game in session.me.games}:
        await _show_race(session, await session.me.races.open(what))
    else:
        await _join_race(session, what.rstrip("/").rpartition("/")[2])


async def _join_race(session: Session, race: str) -> None:
    """Join a race, or watch it if it has started. Raises: ClientError."""
    try:
        await session.me.races.join(race)
    except RefusedError as refusal:
        if refusal.code is not Code.ALREADY_STARTED:
            raise
        session.face.say(refusal.message)
    await _show_race(session, race)


async def _do_in_race(session: Session, board: OpenRace, what: str) -> None:
    races = session.me.races
    match what:
        case "start":
            await races.start(board.race)
        case "leave":
            await races.leave(board.race)
            session.close(board)
            session.face.say("You left the race.")
        case "again":
            await _show_race(session, await races.open(after=board.race))
        case _:
            session.say(board.standings, "The race has not arrived yet.")


async def _show_race(session: Session, race: str) -> None:
    session.open(await OpenRace.show(session.me, session, race))


STORM = Command("storm [GAME]", "solve as many puzzles as you can in 3 minutes", _begin_storm, "storm morris")
RACE = Command("race [RACE]", "race at puzzles: GAME, CODE, start, standings", _race, "race morris", also="racing")
