"""`docs/engine.md`: the engine answers as shown, and has the listed options."""

import re
from queue import Queue

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.opponents import LEVEL_NAMES, OPPONENTS
from millrace.engine.search import no_clock
from millrace.engine.uci import Inbox, serve_lines
from millrace.engine.uci.options import OPTIONS
from tests.project.repository import read

PAGE = read("docs/engine.md")
SESSIONS = re.findall(r"^```session (\w+)\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


def answers_to(game: str, lines: list[str]) -> list[str]:
    inbox: Inbox = Queue()
    for line in (*lines, None):
        inbox.put(line)
    answers: list[str] = []
    serve_lines(find_game(game), inbox, answers.append, no_clock, 1)
    return answers


def without_measures(line: str) -> str:
    """Return a line without parts that differ between machines and versions of the search."""
    return re.sub(r"\b(nodes|nps|time|hashfull|seldepth) \d+| \([0-9a-f]{12}\)", r"\1", line)


@pytest.mark.parametrize(("game", "session"), SESSIONS)
def test_the_engine_answers_as_shown(game: str, session: str) -> None:
    lines = session.splitlines()
    said = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    shown = [without_measures(line) for line in lines if not line.startswith("> ")]
    assert [without_measures(answer) for answer in answers_to(game, said)] == shown


def test_every_command_has_a_session() -> None:
    table = PAGE.partition("## Commands")[2].partition("## Options")[0]
    named = {word for cell in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for word in re.findall(r"`(\w+)", cell)}
    said = {line.split()[1] for _, session in SESSIONS for line in session.splitlines() if line.startswith("> ")}
    assert named == said


def test_every_game_has_a_session() -> None:
    assert {game for game, _ in SESSIONS} == set(GAMES)


def test_the_page_lists_every_option_with_its_values() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| .+ \|$", PAGE, re.MULTILINE)
    told = [answer.split() for answer in answers_to("morris", ["uci"]) if answer.startswith("option ")]
    assert [(name, usual.strip("`")) for name, _, usual in listed] == [
        (words[2], words[words.index("default") + 1]) for words in told
    ]
    values = {name: value for name, value, _ in listed}
    assert values["Hash"] == "{} to {}".format(*OPTIONS["Hash"])
    personalities = {name for name in OPPONENTS if not name.isdigit()}
    assert set(re.findall(r"`([\w-]+)`", values["Level"])) == {"1", "8", *LEVEL_NAMES, *personalities}
