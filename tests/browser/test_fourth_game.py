"""The page plays a game that Millrace does not ship: the plug-in of `tests/toy`, against a program on another seat."""

import asyncio
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from millrace.client import ME, OPEN, connect
from tests.browser.finished_matches import finish_match, wait_until_counted
from tests.browser.visitor import Visitor, visiting
from tests.serving import PATIENCE_S, ServerProcess

TOY = "three_in_a_row"
PLUG_INS = Path(__file__).parents[1] / "toy"


@pytest.fixture
def toy_server(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    """A server that finds the plug-in installed."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(PLUG_INS), os.environ.get("PYTHONPATH", "")])))
    with ServerProcess(tmp_path, "--bot-workers", "1") as process:
        yield process


@pytest.fixture
def person(browser: Browser, toy_server: ServerProcess) -> Iterator[Visitor]:
    with visiting(browser, toy_server, Visitor) as visitor:
        yield visitor


class Opponent(threading.Thread):
    """Makes a match, and plays the moves given on seat 0 against whoever joins it."""

    def __init__(self, address: str, *moves: str) -> None:
        super().__init__(daemon=True)
        self.match = ""
        self.has_match = threading.Event()
        self._address = address
        self._moves = moves

    def run(self) -> None:
        asyncio.run(self._play())

    async def _play(self) -> None:
        async with asyncio.timeout(PATIENCE_S), connect(self._address) as me:
            self.match = (await me.create(TOY, [ME, OPEN])).match
            self.has_match.set()
            moves = iter(self._moves)
            async for turn in me.watch(self.match).turns():
                await turn.play(next(moves))


def test_a_game_from_a_plug_in_is_played_in_the_page(person: Visitor, toy_server: ServerProcess) -> None:
    opponent = Opponent(toy_server.address, "a1", "b1", "a4")
    opponent.start()
    assert opponent.has_match.wait(PATIENCE_S)
    person.join(f"/match/{opponent.match}")
    for move, moves_made in (("d4", 3), ("d3", 5)):
        person.click(move)
        expect(person.moves).to_have_count(moves_made)
    person.click("d2")
    expect(person.page.locator(".detail")).to_have_text("Three stones stand in a row.")
    expect(person.headline).to_have_text("You won")
    person.expect_board({"a1": 0, "b1": 0, "a4": 0, "d4": 1, "d3": 1, "d2": 1})
    opponent.join(PATIENCE_S)


@pytest.mark.slow
def test_a_plug_in_game_has_an_explorer_studies_and_an_editor(person: Visitor) -> None:
    finish_match(person, TOY, ("a1", "b2", "d4"))
    wait_until_counted(person, f"/openings/{TOY}.json?moves=a1", "b2")
    person.open(f"/analysis/{TOY}?moves=a1")
    expect(person.page.locator(".opening-name")).to_have_text("Corner")
    expect(person.page.locator(".opening-moves tbody tr")).to_have_count(1)
    person.page.locator(".opening-moves .move").click()
    person.expect_board({"a1": 0, "b2": 1})
    person.page.get_by_label("Comment", exact=True).fill("In the middle.")
    person.page.get_by_text("Study: save and share these lines").click()
    person.button("Save as a study").click()
    expect(person.page.get_by_label("Link to the study")).to_have_value(re.compile("/study/"))
    person.page.locator(".setup-box summary").click()
    person.page.get_by_role("link", name="Set up by hand").click()
    person.page.get_by_role("radio", name="Crosses").click()
    person.cell("d4").click()
    expect(person.button("Analyse this position")).to_be_disabled()
    person.page.get_by_label("To move").select_option(label="Rings")
    person.button("Analyse this position").click()
    person.expect_board({"a1": 0, "b2": 1, "d4": 0})
