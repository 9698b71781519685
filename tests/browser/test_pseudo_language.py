"""The page in a language of tests: nothing stays English in every language, and nothing breaks when it is read from the
right.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.every_page import every_page, faults, faults_of_boxes, member_with_long_name
from tests.browser.pseudo_language import OPENING, STANDS_FOR, speak_pseudo_language
from tests.browser.visitor import Visit
from tests.serving import ServerProcess

DATA = r"Maximiliane-Wolfg-\d+|MWMW\w+|(Classic \w+|Random) \(bot\)|Millrace( [\d.]+ \(.*\))?|\d+\. \p{L}+\.? \d{4}"
"""Names and dates."""

_UNTRANSLATED_SCRIPT = Path(__file__).with_name("untranslated.js").read_text("utf-8")
_MIRRORED_SCRIPT = """() => {
  const cells = [...document.querySelectorAll(".match-page .board [data-cell]")];
  const leftOf = (letter) => {
    const column = cells.filter((cell) => cell.dataset.cell[0] === letter);
    return Math.min(...column.map((cell) => cell.getBoundingClientRect().left));
  };
  return cells.length > 0 && leftOf("a") >= leftOf("c") ? ["the board is mirrored"] : [];
}"""


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of its own, on which nobody else has a name."""
    folder = tmp_path_factory.mktemp("millrace")
    with ServerProcess(folder, "--bot-workers", "1", "--patience", "0.1", "--address-factor", "100") as process:
        process.wait_for_rules()
        yield process


@pytest.mark.parametrize("window", [(1280, 800), pytest.param((360, 740), marks=pytest.mark.slow)])
def test_every_text_is_translated_and_has_room_from_right_to_left(visit: Visit, window: tuple[int, int]) -> None:
    width, height = window
    host = member_with_long_name(visit, "Maximiliane-Wolfg-", width=width, height=height, locale=STANDS_FOR)
    speak_pseudo_language(host.page.context)
    rival = member_with_long_name(visit, "MWMWMWMWMWMWMWMWMW")
    found = {}
    for name in every_page(host, rival):
        left = faults(host, _UNTRANSLATED_SCRIPT, {"opening": OPENING, "data": DATA})
        host.page.evaluate("document.documentElement.dir = 'rtl'")
        found[name] = [*left, *faults_of_boxes(host), *faults(host, _MIRRORED_SCRIPT)]
    assert {where: each for where, each in found.items() if each} == {}
