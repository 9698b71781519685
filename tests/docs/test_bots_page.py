"""`docs/bots.md`: its messages are valid, its program is an example, its scenarios are complete."""

import re
from pathlib import Path

import pytest

from millrace.client.conformance.scenarios import scenarios
from millrace.engine.games import GAMES
from millrace.protocol import ChallengeRules, parse_client_message, parse_server_message
from millrace.server.rooms.match_handler import WATCHED_MATCHES
from millrace.server.web.game_list import GAME_INFOS
from millrace.server.web.message_limit import MESSAGES
from tests.docs.examples import Example, read_examples

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "bots.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = read_examples(PAGE)
EACH_GAME = re.compile(r"plays .+, moving (first|second)")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.label} {each.document['type']}")
def test_every_message_on_the_page_is_valid(example: Example) -> None:
    (parse_client_message if example.is_from_client else parse_server_message)(example.text)


def test_the_program_of_the_page_is_the_example() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert program in (ROOT / "client" / "examples" / "random_bot.py").read_text(encoding="utf-8")


def test_the_page_lists_the_scenarios_of_the_conformance_run() -> None:
    met = [each.title for each in scenarios(ChallengeRules(tuple(GAMES)), GAME_INFOS)]
    table = TEXT.partition("| The bot |")[2]
    listed = re.findall(r"^\| ([a-z][^|]+) \|", table, re.MULTILINE)
    expected = ["comes online", "plays each of its games, moving first and second"]
    assert listed == expected + [title for title in met if EACH_GAME.fullmatch(title) is None]


def test_the_limits_match_the_server() -> None:
    rate = (MESSAGES.connection or 0) * 1000 / MESSAGES.window_ms
    assert f"{rate:g} messages a second, {WATCHED_MATCHES.connection} matches followed at once, 32 of them" in TEXT
