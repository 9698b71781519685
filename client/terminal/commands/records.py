"""Commands about finished matches and lines of play: the archive, replays, and analysis by the engine."""

import asyncio
from pathlib import Path

from millrace.protocol import Line, MatchId, PastMatch

from ..boards import OpenMatch, Study, study_match, study_open_match, study_position
from ..boards.open_task import OpenTask
from ..formatting import evaluation_lines, imported_line, past_line, review_lines, solution_lines
from ..usage import UsageError
from .command import Command, Group
from .session import Session

MOST_FOUND = 10
"""Maximum number of matches to list."""
SECONDS = 3
"""Default search time of the engine."""
VARIATIONS = 3


async def _search(session: Session, words: list[str]) -> None:
    games = {game.name for game in session.me.games}
    game = next((word for word in words if word in games), None)
    name = next((word for word in words if word not in games), None)
    found: list[PastMatch] = []
    async for match in session.me.archive.search(player=name, mine=name is None, game=game):
        found.append(match)
        if len(found) == MOST_FOUND:
            break
    session.names.update(player.name for match in found for player in match.players if player is not None)
    listed = [(match.match, past_line(match, session.me.games)) for match in found]
    session.list_matches(listed, "replay", "Finished matches:", "No matches found.")


async def _open_replay(session: Session, words: list[str]) -> None:
    study = await _study_of(session, session.match_of(words))
    session.open(study)
    await study.go_to(0)


async def _open_study(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    root = Line(game=game.name, setup=" ".join(words[1:]))
    session.open(await study_position(session.me, session, game, root))


async def _go_on(session: Session, _: list[str]) -> None:
    await session.board.step(1)


async def _go_back(session: Session, _: list[str]) -> None:
    await session.board.step(-1)


async def _go_to(session: Session, words: list[str]) -> None:
    if not words[0].isdecimal():
        raise UsageError("Usage: ply NUMBER")
    await session.board.go_to(int(words[0]))


async def _return(session: Session, _: list[str]) -> None:
    await session.shown_as(Study).return_to_match()


async def _analyse(session: Session, words: list[str]) -> None:
    study = await _studied(session)
    seconds = _number(words[0], "analyse [SECONDS]") if words else SECONDS
    session.face.say(f"The engine thinks for {seconds} {'second' if seconds == 1 else 'seconds'} ...")
    found = await study.evaluate(seconds, VARIATIONS)
    session.say(evaluation_lines(found), "Play is over here.")


async def _solve(session: Session, _: list[str]) -> None:
    study = await _studied(session)
    session.say(solution_lines(await study.solve()))


async def _review(session: Session, words: list[str]) -> None:
    match = session.match_of(words)
    session.face.say("The engine reviews every move ...")
    session.say(review_lines(await session.me.analysis.judge(match)))


async def _position(session: Session, _: list[str]) -> None:
    study = await _studied(session)
    session.face.hand_out((await session.me.analysis.explore(study.line)).position)


async def _export(session: Session, words: list[str]) -> None:
    match = session.match_of(words)
    session.face.hand_out((await session.me.archive.export(match)).rstrip())


async def _import(session: Session, words: list[str]) -> None:
    game = session.game(words[1]).name if len(words) > 1 else None
    found = await session.me.archive.import_text(await asyncio.to_thread(_read, words[0]), game)
    listed = [(each.match, imported_line(each, session.me.games)) for each in found]
    session.list_matches(listed, "replay", "Imported matches:", "The text has no matches.")


def _read(file: str) -> str:
    """Return the text of a file. Raises: UsageError."""
    try:
        return Path(file).expanduser().read_text(encoding="utf-8")
    except RuntimeError:
        raise UsageError(f"{file} cannot be read: you have no home folder.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise UsageError(f"{file} cannot be read: {reason}.") from None


async def _studied(session: Session) -> Study:
    """Return the shown study, or one of what is shown: of a match at its latest ply, of a task that is over.

    Raises: UsageError, ClientError.
    """
    shown = session.shown
    if isinstance(shown, OpenMatch):
        study = await _study_of(session, shown.match)
        session.open(study)
        await study.go_to(study.plies)
    elif isinstance(shown, OpenTask):
        if not shown.is_over:
            raise UsageError(f"First finish this {shown.kind.lower()}: then the engine may look at it.")
        session.open(await study_position(session.me, session, shown.picture.game, shown.line))
    return session.shown_as(Study)


async def _study_of(session: Session, match: MatchId) -> Study:
    """Return a study of a match, which stays open if it was. Raises: UsageError, ClientError."""
    opened = session.opened(match)
    return study_open_match(session.me, session, opened) if opened else await study_match(session.me, session, match)


def _number(word: str, usage: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 60:
        raise UsageError(f"Usage: {usage}, from 1 to 60")
    return int(word)


RECORDS = Group(
    "Replays and analysis",
    (
        Command("archive [NAME] [GAME]", "list finished matches, yours or NAME's", _search, "archive Beatrix morris"),
        Command("replay [MATCH]", "replay a match from its start", _open_replay, "replay 1", also="rewind"),
        Command(
            "study GAME [SETUP...]",
            "try moves from the start or from a position",
            _open_study,
            "study battlesheep seats=4 seed=7",
        ),
        Command("next", "go to the next ply or the next step", _go_on, also="forward"),
        Command("back", "go to the previous one", _go_back, also="previous"),
        Command("ply NUMBER", "go to a ply", _go_to, "ply 12"),
        Command("return", "drop the moves that you tried in a replay", _return),
        Command(
            "analyse [SECONDS]",
            "let the engine search the shown position",
            _analyse,
            "analyse 10",
            also="analyze engine",
        ),
        Command("solve", "look the position up in the solved endings", _solve),
        Command("review [MATCH]", "let the engine review a finished match", _review, "review 1"),
        Command("position", "print the position as text", _position),
        Command("export [MATCH]", "print a match as text", _export, "export 1"),
        Command(
            "import FILE [GAME]", "store matches from a file, to replay them", _import, "import matches.sgf mingmang"
        ),
    ),
)
