"""Matches on the device, with the network off: played by the game's own engine in the page, kept, and archived once.

The engines are made once for all tests on this machine; that takes minutes.
"""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accounts import new_name, register
from tests.browser.installed_page import SHORT_PAUSES, InstalledVisitor
from tests.browser.random_moves import play_random_move
from tests.browser.visitor import visiting
from tests.serving import ServerProcess

pytestmark = pytest.mark.slow

GAMES = {"morris": "Nine Men's Morris", "mingmang": "Ming Mang", "battlesheep": "Battle Sheep"}

_MATCHES_SCRIPT = """(change) => new Promise((resolve) => {
  const opening = indexedDB.open("millrace");
  opening.onsuccess = () => {
    const store = opening.result.transaction("matches", "readwrite").objectStore("matches");
    const asking = store.getAll();
    asking.onsuccess = () => {
      const archived = asking.result.map((match) => match.archived ?? "");
      if (change) for (const match of asking.result) store.put({ ...match, archived: "" });
      store.transaction.oncomplete = () => { opening.result.close(); resolve(archived); };
    };
  };
})"""
ARCHIVED_SCRIPT = f"() => ({_MATCHES_SCRIPT})(false)"
"""The ids in the archive of the matches that the device keeps, empty for those that are not there."""
FORGET_SCRIPT = f"() => ({_MATCHES_SCRIPT})(true)"


@pytest.fixture(scope="module")
def engines(processes: None) -> None:
    subprocess.run([sys.executable, "-m", "millrace.server.bots.module_process"], check=True)


@pytest.fixture
def own_server(tmp_path: Path, engines: None) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path, "--bot-workers", "1", "--address-factor", "100") as process:
        process.wait_for_rules()
        yield process


@pytest.fixture
def person(browser: Browser, own_server: ServerProcess) -> Iterator[InstalledVisitor]:
    with visiting(browser, own_server, InstalledVisitor) as visitor:
        visitor.page.add_init_script(SHORT_PAUSES)  # the page fetches the engines at leisure
        yield visitor


def leave(person: InstalledVisitor, server: ServerProcess) -> None:
    """Wait until all games are kept, and go offline."""
    person.wait_until(lambda: {f"play {game}" for game in GAMES} <= set(person.kept("answers")))
    server.kill()
    person.page.goto(f"{server.url}/offline")
    person.expect_status("offline")


def test_a_match_is_played_reloaded_and_archived_once(person: InstalledVisitor, own_server: ServerProcess) -> None:
    person.open_installed()
    register(person, new_name())
    leave(person, own_server)
    expect(person.page.locator(".banner.away")).to_contain_text("You can play bots up to level 7")
    chance = random.Random(1)
    person.button("Battle Sheep, level 1").click()
    play_random_move(person, chance)
    play_random_move(person, chance)
    expect(person.headline).to_have_text("Your turn")
    played = person.moves.all_inner_texts()
    person.page.reload()
    person.expect_status("offline")
    expect(person.moves).to_have_text(played)
    while not person.page.locator('.status-panel[data-tone="over"]').is_visible():
        play_random_move(person, chance)
    expect(person.headline).to_have_text(re.compile("You won|You lost|Draw"))
    moves = person.moves.all_inner_texts()

    own_server.start()
    person.expect_status("online")
    person.wait_until(lambda: person.page.evaluate(ARCHIVED_SCRIPT) != [""])
    person.page.evaluate(FORGET_SCRIPT)  # as if the server's answer had been lost
    person.open("/offline")
    person.wait_until(lambda: person.page.evaluate(ARCHIVED_SCRIPT) != [""])
    person.open("/archive?imported=yes")
    row = person.page.locator(".archive-table tbody tr")
    expect(row).to_have_count(1)
    row.locator(".which a").click()
    expect(person.moves).to_have_text(moves)


@pytest.mark.parametrize("is_online", [False, True])
def test_a_match_is_reviewed_and_analysed_on_the_device(
    person: InstalledVisitor, own_server: ServerProcess, is_online: bool
) -> None:
    person.open_installed()
    leave(person, own_server)
    chance = random.Random(5)
    person.button("Nine Men's Morris, level 2").click()
    for _ in range(3):
        play_random_move(person, chance)
        expect(person.headline).to_have_text("Your turn")
    moves = person.moves.all_inner_texts()
    person.resign()
    expect(person.headline).to_have_text("You lost")
    if is_online:
        own_server.start()
        person.expect_status("online")
    person.page.get_by_role("link", name="Analyse").click()
    expect(person.page.locator(".review-seat .accuracy")).to_have_count(2)
    expect(person.button("Review it on the server")).to_be_hidden()
    line = person.page.locator(".line-list .move")
    expect(line).to_have_text([re.compile(f"^{move}") for move in moves])
    person.page.locator('[data-marks~="go"]').first.click()
    expect(line).to_have_count(len(moves) + 1)
    expect(person.page.locator(".engine-facts")).to_have_text(re.compile(r"depth [1-9]"))
    person.page.reload()
    expect(person.page.locator(".review-seat .accuracy")).to_have_count(2)


@pytest.mark.parametrize("game", GAMES)
def test_moves_are_taken_back_and_matches_resigned_and_played_again(
    person: InstalledVisitor, own_server: ServerProcess, game: str
) -> None:
    person.open_installed()
    leave(person, own_server)
    chance = random.Random(2)
    person.button(f"{GAMES[game]}, level 3").click()
    play_random_move(person, chance)
    play_random_move(person, chance)
    expect(person.headline).to_have_text("Your turn")  # the bot has answered
    count = person.moves.count()
    person.button("Take back a move").click()
    expect(person.moves.nth(count - 2)).to_have_count(0)
    play_random_move(person, chance)
    play_random_move(person, chance)
    person.page.set_viewport_size({"width": 360, "height": 740})
    person.expect_no_overflow()
    person.button("Resign").click()
    person.button("Resign the match").click()
    expect(person.headline).to_have_text("You lost")
    first = person.path
    person.button("Rematch").click()
    person.wait_until(lambda: person.path != first)
    play_random_move(person, chance)
    person.page.goto(f"{own_server.url}/offline")
    expect(person.page.get_by_role("link", name=re.compile("level 3"))).to_have_count(2)


def test_what_a_device_cannot_play_is_refused(person: InstalledVisitor, own_server: ServerProcess) -> None:
    person.open_installed()
    leave(person, own_server)
    person.page.goto(f"{own_server.url}/players")
    person.page.locator('.bot-card[data-level="8"]').click()
    person.expect_told("levels 1 to 7")
    person.page.locator('.bot-card[data-level="2"]').click()
    expect(person.page.locator(".match-page .board")).to_be_visible()


def test_two_tabs_continue_the_same_match(person: InstalledVisitor, own_server: ServerProcess) -> None:
    person.open_installed()
    leave(person, own_server)
    chance = random.Random(3)
    person.button("Ming Mang, level 1").click()
    play_random_move(person, chance)
    other = InstalledVisitor(person.page.context.new_page(), own_server)
    other.page.goto(person.page.url)
    for tab, follower in ((other, person), (person, other)):
        for each in (follower, tab):
            expect(each.headline).to_have_text("Your turn")
        expect(tab.moves).to_have_text(follower.moves.all_inner_texts())
        count = tab.moves.count()
        play_random_move(tab, chance)
        expect(tab.headline).to_have_text("Your turn")
        expect(tab.moves).to_have_count(count + 2)
        expect(follower.moves).to_have_text(tab.moves.all_inner_texts())
        expect(follower.headline).to_have_text("Your turn")
    played = person.moves.all_inner_texts()
    other.page.reload()
    expect(other.moves).to_have_text(played)


def test_a_match_that_the_browser_cannot_save_is_played_on_with_a_warning(
    person: InstalledVisitor, own_server: ServerProcess
) -> None:
    person.open_installed()
    leave(person, own_server)
    person.page.evaluate("() => { IDBObjectStore.prototype.put = function () { this.transaction.abort(); }; }")
    person.button("Nine Men's Morris, level 1").click()
    play_random_move(person, random.Random(4))
    person.expect_told("Your browser cannot save this match")
    expect(person.headline).to_have_text("Your turn")
