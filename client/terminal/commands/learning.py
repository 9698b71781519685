"""Commands for learning: rules, lessons, puzzles, endings and mistakes."""

from typing import Any

from millrace.protocol import EndingGoal, PuzzleMode, PuzzlePosed

from ..boards import OpenEnding, OpenLesson, OpenMistake, OpenPuzzle
from ..boards.open_task import OpenTask
from ..usage import UsageError
from .command import Command, Group
from .racing import RACE, STORM
from .session import Entry, Session


async def _show_rules(session: Session, words: list[str]) -> None:
    game = session.game(words[0])
    rules = (await session.me.teaching.lesson(game.name)).rules if game.has_lesson else ()
    session.say((f"{rule.title}: {rule.text}" for rule in rules), f"{game.title} has no short rules.")


async def _begin_lesson(session: Session, words: list[str]) -> None:
    session.open(await OpenLesson.begin(session.me, session, session.game(words[0])))


async def _pose_puzzle(session: Session, words: list[str]) -> None:
    # Without a game it is the next puzzle, also of a streak.
    shown = session.shown
    is_streak = not words and isinstance(shown, OpenPuzzle) and shown.posed.mode is PuzzleMode.STREAK
    theme = words[1] if len(words) > 1 else ""
    posed = await session.me.puzzles.next(session.game_of(words), theme=theme, streak=is_streak)
    await _pose(session, posed)


async def _pose_daily(session: Session, _: list[str]) -> None:
    await _pose(session, await session.me.puzzles.daily())


async def _pose_streak(session: Session, words: list[str]) -> None:
    await _pose(session, await session.me.puzzles.next(session.game_of(words), streak=True))


async def _pose(session: Session, posed: PuzzlePosed) -> None:
    session.open(await OpenPuzzle.pose(session.me, session, posed))


async def _pose_ending(session: Session, words: list[str]) -> None:
    name = session.game_of(words)
    goal = words[1] if len(words) > 1 else EndingGoal.ANY
    if goal not in {*EndingGoal}:
        raise UsageError("An ending is to win or to draw: ending GAME [win|draw]")
    posed = await session.me.endings.get(name, EndingGoal(goal), fresh=not words)
    session.open(await OpenEnding.pose(session.me, session, posed))


async def _pose_mistake(session: Session, words: list[str]) -> None:
    posed = await session.me.mistakes.get(session.game_of(words))
    if posed.mistake is None:
        session.say([], "No mistakes are left. Review finished matches of yours: their big mistakes come back here.")
    else:
        session.open(await OpenMistake.pose(session.me, session, posed.mistake))


def _shown_task(session: Session) -> OpenTask[Any]:
    return session.shown_as(OpenTask)  # type: ignore[type-abstract]


async def _hint(session: Session, _: list[str]) -> None:
    await _shown_task(session).hint()


async def _give_up(session: Session, _: list[str]) -> None:
    await _shown_task(session).give_up()


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
        Command(
            "lesson GAME", "start the lesson; next continues", _begin_lesson, "lesson morris", also="learn tutorial"
        ),
        Command("puzzle [GAME] [THEME]", "solve a puzzle near your rating", _pose_puzzle, "puzzle morris"),
        Command("daily", "solve the puzzle of the day", _pose_daily),
        Command("streak [GAME]", "solve harder and harder puzzles", _pose_streak, "streak morris"),
        STORM,
        RACE,
        Command("ending [GAME] [GOAL]", "win or draw a solved ending", _pose_ending, "ending morris draw"),
        Command("mistakes [GAME]", "find better moves in your own matches", _pose_mistake, "mistakes morris"),
        Command("hint", "name piece, then move; counts as not solved", _hint),
        Command("solution", "give up, and show the solution", _give_up, also="giveup answer"),
        Command("themes GAME", "show your puzzle rating, and the themes", _show_history, "themes morris"),
    ),
)
