"""Commands for learning: rules, lessons, puzzles and endings."""

from millrace.protocol import EndingGoal, PuzzlePosed

from ..boards import OpenEnding, OpenLesson, OpenPuzzle
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
    shown = session.shown
    if not words and not isinstance(shown, OpenPuzzle):
        raise UsageError("Usage: puzzle GAME [THEME]")
    name = words[0] if words else shown.posed.game if isinstance(shown, OpenPuzzle) else ""
    theme = words[1] if len(words) > 1 else ""
    await _pose(session, await session.me.puzzles.next(session.game(name).name, theme=theme))


async def _pose_daily(session: Session, _: list[str]) -> None:
    await _pose(session, await session.me.puzzles.daily())


async def _pose_streak(session: Session, words: list[str]) -> None:
    await _pose(session, await session.me.puzzles.next(session.game(words[0]).name, streak=True))


async def _pose(session: Session, posed: PuzzlePosed) -> None:
    session.open(await OpenPuzzle.pose(session.me, session, posed))


async def _pose_ending(session: Session, words: list[str]) -> None:
    shown = session.shown
    if not words and not isinstance(shown, OpenEnding):
        raise UsageError("Usage: ending GAME [win|draw]")
    name = words[0] if words else shown.posed.game if isinstance(shown, OpenEnding) else ""
    goal = words[1] if len(words) > 1 else EndingGoal.ANY
    if goal not in {*EndingGoal}:
        raise UsageError("An ending is to win or to draw: ending GAME [win|draw]")
    posed = await session.me.endings.get(session.game(name).name, EndingGoal(goal), fresh=not words)
    session.open(await OpenEnding.pose(session.me, session, posed))


def _shown_puzzle(session: Session) -> OpenPuzzle:
    if not isinstance(session.shown, OpenPuzzle):
        raise UsageError("No puzzle is open. Type puzzle GAME for one.")
    return session.shown


async def _hint(session: Session, _: list[str]) -> None:
    await _shown_puzzle(session).hint()


async def _give_up(session: Session, _: list[str]) -> None:
    await _shown_puzzle(session).give_up()


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
        Command("hint", "name the piece to move, then the move", _hint),
        Command("solution", "give up a puzzle and show its solution", _give_up),
        Command("themes GAME", "show your puzzle rating, and the themes", _show_history, "themes morris"),
    ),
)
