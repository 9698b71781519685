"""`docs/bots.md`: its messages are valid, its program is an example, its scenarios are complete."""

import ast
import random
import re
import runpy
import textwrap
from pathlib import Path

import pytest

from millrace.client.conformance.scenarios import scenarios
from millrace.engine.games import GAMES
from millrace.engine.state import State
from millrace.protocol import ChallengeRules, parse_client_message, parse_server_message
from millrace.server.rooms.match_handler import WATCHED_MATCHES
from millrace.server.web.game_list import GAME_INFOS
from millrace.server.web.message_limit import MESSAGES
from tests.docs.examples import Example, read_examples
from tests.docs.programs import read_blocks
from tests.project.repository import read

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "bots.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = read_examples(PAGE)
MOST_PLIES = 200
MOVES = re.findall(r"^\| ([A-Z][\w' ]+) \| (.+) \| (.+`) \|$", TEXT, re.MULTILINE)
"""The rows of the table of moves: title, clicks and texts."""
EACH_GAME = re.compile(r"plays .+, moving (first|second)")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.label} {each.document['type']}")
def test_every_message_on_the_page_is_valid(example: Example) -> None:
    (parse_client_message if example.is_from_client else parse_server_message)(example.text)


def test_the_page_lists_the_scenarios_of_the_conformance_run() -> None:
    met = [each.title for each in scenarios(ChallengeRules(tuple(GAMES)), GAME_INFOS)]
    table = TEXT.partition("| The bot |")[2]
    listed = re.findall(r"^\| ([a-z][^|]+) \|", table, re.MULTILINE)
    expected = ["comes online", "plays each of its games, moving first and second"]
    assert listed == expected + [title for title in met if EACH_GAME.fullmatch(title) is None]


def test_the_limits_match_the_server() -> None:
    rate = (MESSAGES.connection or 0) * 1000 / MESSAGES.window_ms
    assert f"{rate:g} messages a second, {WATCHED_MATCHES.connection} matches followed at once, 32 of them" in TEXT


@pytest.mark.parametrize("row", MOVES, ids=lambda row: str(row[0]))
def test_moves_look_as_the_page_says(row: tuple[str, str, str]) -> None:
    """Every move of a match of random moves has one of the forms of the page, and each form occurs."""
    title, *columns = row
    (game,) = (each for each in GAMES.values() if each.title == title)
    state, chance = State.of(game), random.Random(1)
    met: list[set[str]] = [set(), set()]
    while state.outcome is None and len(state.moves) < MOST_PLIES:
        moves = state.legal_moves
        met[0] |= {_form(" ".join(state.clicks_of(move))) for move in moves}
        met[1] |= {_form(state.format_move(move)) for move in moves}
        state = state.play(chance.choice(moves))
    shown = [{_form(each) for each in re.findall(r"`([^`]+)`", column)} for column in columns]
    assert [forms - {"pass"} for forms in met] == [forms - {"pass"} for forms in shown]


def _form(move: str) -> str:
    """Return a move with a letter for each cell and number: `a4-a7xd6` is `c-cxc`."""
    return re.sub(r"\b\d+\b", "n", re.sub(r"(?<![a-w])[a-w]\d+", "c", move))


def test_the_program_of_the_page_is_the_example() -> None:
    (program,) = [block.text for block in read_blocks("docs/bots.md") if block.language == "python"]
    example = read("client/examples/random_bot.py")
    assert _functions(program) == _functions(example)
    assert "with suppress(KeyboardInterrupt):" in program


def test_the_program_of_the_readme_is_the_example() -> None:
    program = re.search(r"```python\n(.*?)```", read("README.md"), re.DOTALL)
    example = read("client/examples/five_lines.py").partition("as me:\n")[2].partition("\n\n\n")[0]
    assert program is not None
    assert textwrap.indent(example, "  ") in program[1]


@pytest.mark.parametrize("path", sorted((ROOT / "client" / "examples").glob("*_*.py")), ids=lambda path: path.name)
def test_the_examples_can_be_run_by_their_paths(path: Path) -> None:
    assert runpy.run_path(str(path), run_name="example")["__doc__"]


def _functions(program: str) -> list[str]:
    """Return the functions of a program, as Python writes them."""
    return [ast.unparse(node) for node in ast.parse(program).body if isinstance(node, ast.AsyncFunctionDef)]
