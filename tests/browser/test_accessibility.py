"""Every page holds to WCAG 2.2 AA as far as axe can tell: on a computer, light, and on a phone, dark."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import ALL_LOOKS, LOOKS, Looks, expect_accessible
from tests.browser.accounts import member
from tests.browser.chat import begin, say
from tests.browser.lobby import banner, challenge
from tests.browser.moderators import moderator
from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.visitor import OWN_BOTH, Visit, begin_match
from tests.serving import ServerProcess

FOUR = [{"occupant": "me"}] * 4
CLOCK = {"initial_ms": 300_000, "increment_ms": 2_000}

PAGES = {
    "/": ".start-page button",
    "/watch": ".featured-tile",
    "/watch/morris": ".featured-page .board",
    "/players": ".players-page",
    "/learn": "main h1",
    "/learn/battlesheep": ".board",
    "/puzzles": "main h1",
    "/storm/morris": ".storm-page .board",
    "/race": "main h1",
    "/endings/mingmang": ".notice",
    "/coordinates/battlesheep": ".coordinates-page .board",
    "/archive": ".archive-results",
    "/leaders": ".ratings-page",
    "/tournaments": ".tournaments-page",
    "/analysis": ".board",
    "/studies": ".studies-page",
    "/editor/battlesheep": ".board",
    "/offline": "main h1",
    "/settings": ".settings-page, main form",
    "/account": "main form",
    "/match/nothing": ".notice",
}
"""The pages that every visitor can open, with what shows that they have loaded."""


@pytest.mark.parametrize(
    "looks", [pytest.param(LOOKS, id="two looks"), pytest.param(ALL_LOOKS, id="all looks", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_for_every_visitor(visit: Visit, server: ServerProcess, path: str, looks: Looks) -> None:
    server.wait_for_bots()
    visitor = visit().open(path)
    expect(visitor.page.locator(PAGES[path]).first).to_be_visible()
    expect_accessible(visitor, looks)


@pytest.mark.slow
def test_the_page_for_an_unknown_address(visit: Visit) -> None:
    visitor = visit()
    visitor.expected_problem = "404"
    visitor.open("/no-such-page")
    expect_accessible(visitor)


@pytest.mark.parametrize(
    ("game", "setup", "seats"),
    [("morris", MOVING, OWN_BOTH), ("mingmang", "", OWN_BOTH), ("battlesheep", "seats=4", FOUR)],
)
def test_a_running_match(visit: Visit, game: str, setup: str, seats: list[dict[str, Any]]) -> None:
    player = visit()
    player.open(player.create(setup, seats, CLOCK, game))
    expect(player.page.locator('[data-marks~="pick"], [data-marks~="go"]').first).to_be_visible()
    expect_accessible(player)
    player.button("Rules").click()
    expect(player.page.get_by_role("dialog")).to_be_visible()
    expect_accessible(player)


@pytest.mark.slow
def test_a_correspondence_match_with_its_plan(visit: Visit) -> None:
    white, _ = begin_match(visit, MOVING, clock={"initial_ms": 86_400_000, "renews": True})
    white.play("a4-b4")
    white.page.locator(".plan-box summary").click()
    expect(white.page.locator(".plan-editor")).to_be_visible()
    expect_accessible(white)


@pytest.mark.slow
def test_a_waiting_match_and_its_invitation(visit: Visit) -> None:
    host, guest = visit(), visit()
    path = host.create("seats=3", [{"occupant": "me"}, *[{"occupant": "open"}] * 2], game="battlesheep")
    host.open(path)
    expect_accessible(host)
    guest.open(path)
    expect(guest.button("Play Blue")).to_be_visible()
    expect_accessible(guest)


def test_a_match_of_two_people_with_its_chat_its_offers_and_its_end(visit: Visit) -> None:
    white, black, watcher = begin(visit)
    say(white, "Good luck!")
    white.play("d6")
    black.play("f4")
    white.button("Offer a draw").click()
    expect(black.button(f"Accept: {white.name_of(0)} offers a draw.")).to_be_visible()
    expect_accessible(black)
    expect_accessible(watcher)
    white.resign()
    expect(black.headline).to_have_text("You won")
    expect_accessible(black)
    expect_accessible(white)


def test_the_analysis_of_a_match_and_its_archive(visit: Visit) -> None:
    player = visit()
    path = player.create(ABOUT_TO_END, OWN_BOTH)
    player.open(path)
    player.play("g4-g7xd2")
    expect(player.headline).to_have_text("White won")
    expect_accessible(player)
    player.open(f"/analysis{path}")
    expect(player.page.locator(".board")).to_be_visible()
    expect_accessible(player)
    player.open("/archive?mine=1")
    expect(player.page.get_by_role("table")).to_be_visible()
    expect_accessible(player)
    player.page.goto(f"{player.server.url}{path.replace('/match/', '/embed/')}")
    expect(player.page.locator(".board")).to_be_visible()
    expect_accessible(player)


@pytest.mark.slow
def test_an_account_its_profile_and_its_notifications(visit: Visit) -> None:
    ann = visit().open()
    bea, name = member(visit)
    challenge(ann, name)
    expect(banner(bea)).to_be_visible()
    expect_accessible(bea)
    bea.open(f"/player/{name}")
    expect(bea.page.get_by_role("heading", name=name)).to_be_visible()
    bea.page.locator(".bell > summary").click()
    expect(bea.page.locator(".bell-panel")).to_be_visible()
    expect_accessible(bea)
    for path in ("/account", "/players", "/"):
        bea.open(path)
        expect_accessible(bea)


@pytest.mark.slow
def test_the_moderation_page(visit: Visit) -> None:
    expect_accessible(moderator(visit, "Henrietta"))
