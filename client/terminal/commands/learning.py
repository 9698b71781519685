"""Commands for learning: rules, lessons, puzzles, endings and mistakes."""

from typing import Any

from millrace.protocol import EndingGoal, PuzzlePosed

from ..boards import OpenEnding, OpenLesson, OpenMistake, OpenPuzzle
from ..boards.open_task import OpenTask
from ..usage import UsageError
from .command import Command, Group
from .session import Entry, Session


async def _show_rules(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    rules = (await session.me.teaching.lesson(game.name)).rules if game.has_lesson else ()
    session.say((f"{rule.title}: {rule.text}" for rule in rules), f"{game.title} has no short rules.")


async def _begin_lesson(session: Session, words: list[str]) -> None:
    session.open(await OpenLesson.begin(session.me, session, session.game(words[0])))


async def _pose_puzzle(session: Session, words: list[str]) -> None:
    name = _game_for(session, words, OpenPuzzle, "puzzle GAME [THEME]")
    theme = words[1] if len(words) > 1 else ""
    await _pose(session, await session.me.puzzles.next(name, theme=theme))


async def _pose_daily(session: Session, _: list[str]) -> None:
    await _pose(session, await session.me.puzzles.daily())


async def _pose_streak(session: Session, words: list[str]) -> None:
    await _pose(session, await session.me.puzzles.next(session.game(words[0]).name, streak=True))


async def _pose(session: Session, posed: PuzzlePosed) -> None:
    session.open(await OpenPuzzle.pose(session.me, session, posed))


async def _pose_ending(session: Session, words: list[str]) -> None:
    name = _game_for(session, words, OpenEnding, "ending GAME [win|draw]")
    goal = words[1] if len(words) > 1 else EndingGoal.ANY
    if goal not in {*EndingGoal}:
        raise UsageError("An ending is to win or to draw: ending GAME [win|draw]")
    posed = await session.me.endings.get(name, EndingGoal(goal), fresh=not words)
    session.open(await OpenEnding.pose(session.me, session, posed))


async def _pose_mistake(session: Session, words: list[str]) -> None:
    name = _game_for(session, words, OpenMistake, "mistakes GAME")
    posed = await session.me.mistakes.get(name)
    if posed.mistake is None:
        session.say([], "No mistakes are left. Request the analysis of your matches: big mistakes come back here.")
    else:
        session.open(await OpenMistake.pose(session.me, session, posed.mistake))


def _game_for(session: Session, words: list[str], kind: type[OpenTask[Any]], usage: str) -> str:
    """Return the named game, or that of the open board of this kind. Raises: UsageError."""
    if words:
        return session.game(words[0]).name
    if not isinstance(session.shown, kind):
        raise UsageError(f"Usage: {usage}")
    game: str = session.shown.line.game
    return game


def _shown_puzzle(session: Session) -> OpenPuzzle:
    if not isinstance(session.shown, OpenPuzzle):
        raise UsageError("No puzzle is open. Type puzzle GAME for one.")
    return session.shown


async def _hint(session: Session, _: list[str]) -> None:
    await _shown_puzzle(session).hint()


async def _give_up(session: Session, _: list[str]) -> None:
    shown = session.shown
    await (shown if isinstance(shown, OpenMistake) else _shown_puzzle(session)).give_up()


async def _show_history(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    history = await session.me.puzzles.history(game.name)
    you = history.you
    lines = [
        f"Your puzzle rating in {game.title}: {you.rating}{'?' if you.provisional else ''}",
        f"Solved at the first attempt: {you.solved} of {you.attempts}; longest streak {you.best_streak}",
    ]
    themes = [
        Entry(
            f"{theme.code:<16} {theme.title}: {theme.solved} of {theme.puzzles} solved",
            theme.code,
            f"puzzle {game.name} {theme.code}",
        )
        for theme in history.themes
    ]
    session.list_entries(themes, "\n".join(lines))


LEARNING = Group(
    "Learning",
    (
        Command("rules GAME", "show the short rules", _show_rules, "rules mingmang"),
        Command("lesson GAME", "start the lesson; next continues", _begin_lesson, "lesson morris"),
        Command("puzzle [GAME] [THEME]", "solve a puzzle near your rating", _pose_puzzle, "puzzle morris"),
        Command("daily", "solve the puzzle of the day", _pose_daily),
        Command("streak GAME", "solve harder and harder puzzles", _pose_streak, "streak morris"),
        Command("ending [GAME] [GOAL]", "win or draw a solved ending", _pose_ending, "ending morris draw"),
        Command("mistakes [GAME]", "find better moves in your own matches", _pose_mistake, "mistakes morris"),
        Command("hint", "name piece, then move; counts as not solved", _hint),
        Command("solution", "give up, and show the solution", _give_up),
        Command("themes GAME", "show your puzzle rating, and the themes", _show_history, "themes morris"),
    ),
)
