"""All commands: running typed lines, the help, and completion."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import get_args

from millrace.protocol import Code, GameInfo, ReportReason, Scope, Speed

from ...errors import RefusedError, UnreachableError
from ..boards.open_board import LIKE_A_CELL
from ..glyphs import GLYPH_SETS
from ..usage import UsageError
from .account import ACCOUNT
from .command import Command, Group
from .finding import MEETING, STARTING
from .general import GENERAL
from .help import command_lines, search_lines
from .learning import LEARNING
from .options import OPTION_WORDS
from .players import PLAYERS
from .playing import PLAYING
from .racing import RACE_WORDS
from .records import RECORDS
from .session import COMPLETED, Entry, Session
from .tournaments import TOURNAMENTS


async def _help(session: Session, words: list[str]) -> None:
    if not words:
        session.face.show_help()
    elif len(words) == 1 and (command := COMMANDS.get(words[0].lower())) is not None:
        session.say(command_lines(command))
    else:
        found = search_lines(groups_of(session), words)
        session.say(found, f"The help has nothing about {' '.join(words)}. Type help for all commands.")


async def _pick(session: Session, words: list[str]) -> None:
    command = session.entry(words[0]).command
    if not command:
        raise UsageError(f"There is nothing to open at number {words[0]}.")
    if command.endswith(COMPLETED):
        session.face.prepare(command.removesuffix(COMPLETED))
    else:
        await run_line(session, command)


HELP = Group(
    "Help",
    (
        Command("pick NUMBER", "open an entry of the latest list; or just 2", _pick, "pick 2"),
        Command(
            "help [WORD...]", "list the commands, explain one, or search", _help, "help clock", also="? h commands"
        ),
    ),
)
ALL_COMMANDS: tuple[Group, ...] = (
    *(STARTING, MEETING, PLAYING, TOURNAMENTS, RECORDS),
    *(LEARNING, PLAYERS, ACCOUNT, GENERAL, HELP),
)
COMMANDS: Mapping[str, Command] = {
    command.name: command for group in ALL_COMMANDS for command in group.commands if command.name.islower()
}
"""The commands by their words; a move is typed without one."""
_ALSO: Mapping[str, Command] = {word: command for command in COMMANDS.values() for word in command.also.split()}
_WITH_OTHERS = frozenset(command.name for group in ALL_COMMANDS if group.needs_others for command in group.commands)

_WORDS: Mapping[str, Iterable[str]] = {
    "OPTION": OPTION_WORDS,
    "SPEED": tuple(Speed),
    "REASON": get_args(ReportReason),
    "SET": tuple(GLYPH_SETS),
    "WHAT": ("draw", "takeback", "pause", "handover", "takeover", "rematch"),
    "RESULT": ("win", "draw", "standin"),
    "CHOICE": ("bot", "skip"),
    "SCOPE": tuple(Scope),
    "SWITCH": ("on", "off"),
    "WORD": tuple(COMMANDS),
}
"""The possible words for a parameter, if they are always the same."""


MOST_SUGGESTIONS = 3
"""Maximum commands that are suggested for a word that is none."""


async def run_line(session: Session, line: str) -> None:
    """Run a typed line, or explain why it cannot be run. Raises: ConnectionLostError.

    A line without a command's word is a move on the shown board, if it looks like one.
    """
    words = line.split()
    if not words:
        return
    try:
        if is_move(session, line):
            await session.board.play(session.board.whole_move(line))
        elif words[0].isdecimal() and len(words) == 1:
            await _pick(session, words)
        else:
            await _run(session, words[0], words[1:])
    except UsageError as error:
        session.face.say(str(error))
    except RefusedError as refusal:
        advice = " Type register NAME." if refusal.code is Code.ACCOUNT_NEEDED else ""
        session.face.say(refusal.message + advice)
    except UnreachableError as error:
        session.face.say(str(error))


async def _run(session: Session, word: str, arguments: list[str]) -> None:
    """Run a command. Raises: UsageError, ClientError."""
    command = COMMANDS.get(word.lower()) or _ALSO.get(word.lower())
    if command is None:
        raise UsageError(f"No board is open for the move {word}." if lacks_board(session, word) else _unknown(word))
    if not is_offered(session, command.name):
        raise UsageError(f"{command.name} needs other players: quit, and start millrace play without --local.")
    if command.lacks_game(arguments, has_board=session.shown is not None):
        games = session.me.games
        session.list_entries(
            [Entry(each.title, each.name, f"{command.name} {each.name}") for each in games],
            f"Which game? {command.usage}",
        )
        return
    command.check(arguments)
    await command.run(session, arguments)


def is_offered(session: Session, line: str) -> bool:
    """Return whether the server of a session has what a command is about."""
    return not session.is_local or line.split(maxsplit=1)[0] not in _WITH_OTHERS


def groups_of(session: Session) -> tuple[Group, ...]:
    """Return the groups of the commands that a session offers."""
    return tuple(group for group in ALL_COMMANDS if not (session.is_local and group.needs_others))


def is_move(session: Session, line: str) -> bool:
    """Return whether a typed line is meant as a move on the shown board."""
    words = line.split()
    if session.shown is None or not words or words[0].lower() in COMMANDS:
        return False
    return session.shown.is_move_word(session.shown.as_move(line).split()[0])


def lacks_board(session: Session, line: str) -> bool:
    """Return whether a typed line is a move, and no board is open for it."""
    return session.shown is None and LIKE_A_CELL.match(line.lower()) is not None


def complete(session: Session, line: str) -> list[str]:
    """Return the words that can stand in place of the last word of a partly typed line."""
    *before, start = line.split(" ")
    if not before:
        return _beginning((*filter(partial(is_offered, session), COMMANDS), *_moves(session, [])), start)
    command = COMMANDS.get(before[0])
    if command is None:
        return _beginning(_moves(session, before), start)
    parameters = command.parameters
    if not parameters:
        return []
    parameter = parameters[min(len(before), len(parameters)) - 1]
    return _beginning(_choices(session, parameter, before), start)


def _choices(session: Session, parameter: str, before: list[str]) -> Iterable[str]:
    games = session.me.games
    match parameter:
        case "GAME":
            return (game.name for game in games)
        case "RACE":
            return (*RACE_WORDS, *(game.name for game in games))
        case "NAME":
            return sorted(session.names)
        case "MATCH" | "TOURNAMENT":
            return (entry.name for entry in session.listed)
        case "LEVEL":
            named = [game for game in games if game.name in before] or games
            return sorted({name for game in named for name in _levels_of(game)})
        case _:
            return _WORDS.get(parameter, ())


def _levels_of(game: GameInfo) -> tuple[str, ...]:
    return (*game.level_names, *(each.name for each in game.personalities))


def _moves(session: Session, before: list[str]) -> list[str]:
    """Return the next clicks of the legal moves that begin with some clicks."""
    moves = [] if session.shown is None else [move.split() for move in session.shown.legal_moves]
    return list(dict.fromkeys(move[len(before)] for move in moves if move[: len(before)] == before and move != before))


def _beginning(words: Iterable[str], start: str) -> list[str]:
    return [str(word) for word in words if str(word).startswith(start)]


def _unknown(word: str) -> str:
    if word.lower() in ("login", "signin"):
        return "To sign in, quit, and start millrace play with --name NAME."
    close = get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.7)
    meant = close or [name for name, command in COMMANDS.items() if word.lower() in command.summary.split()]
    suggestion = f" Did you mean {' or '.join(meant)}?" if 1 <= len(meant) <= MOST_SUGGESTIONS else ""
    return f"There is no command {word}.{suggestion} Type help for the list of commands."
