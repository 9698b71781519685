"""A Swiss in the page: created, joined, two rounds by two players while the third has byes."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import fill, member
from tests.browser.visitor import Visit, Visitor

ANY_TOURNAMENT = re.compile(r"/tournament/\w+$")
ANY_MATCH = re.compile(r"/match/\w+$")
START_S = 15
"""From the creation to the start: far more than joining takes."""


def create(visitor: Visitor) -> None:
    """Create a Swiss by the form."""
    visitor.open("/tournaments")
    visitor.page.get_by_text("Create a tournament").click()
    visitor.page.locator("[name=kind]").select_option(label="Swiss")
    expect(visitor.page.locator("[name=minutes]")).to_be_hidden()
    visitor.page.locator("[name=name]").fill("Later on")
    visitor.page.locator("[name=rounds]").fill("3")
    visitor.button("Create").click()
    expect(visitor.page).to_have_url(ANY_TOURNAMENT)
    expect(visitor.page.get_by_text("Swiss, 3 rounds")).to_be_visible()


def test_a_round_robin_is_created_by_correspondence(visit: Visit) -> None:
    ann, _ = member(visit, width=360)
    ann.open("/tournaments")
    ann.page.get_by_text("Create a tournament").click()
    expect(ann.page.locator("[name=days]")).to_be_hidden()
    ann.page.locator("[name=kind]").select_option(label="Round robin")
    ann.page.locator("[name=name]").fill("Slowly")
    ann.page.locator("[name=days]").select_option(label="3 days per move")
    ann.button("Create").click()
    expect(ann.page).to_have_url(ANY_TOURNAMENT)
    expect(ann.page.locator(".about")).to_contain_text("3 days per move")


def start_soon(organiser: Visitor) -> str:
    """Create a Swiss that starts sooner than the form can say, and return its id."""
    starts_at_ms = round((time.time() + START_S) * 1000)
    clock = {"initial_ms": 180_000}
    plan = {"name": "Evening Swiss", "kind": "swiss", "game": "morris", "clock": clock, "rounds": 3, "pause_s": 10}
    return str(organiser.ask("create_tournament", plan={**plan, "starts_at_ms": starts_at_ms})["tournament"])


@pytest.mark.slow
def test_the_organiser_of_a_swiss_keeps_two_players_apart(visit: Visit) -> None:
    (ann, name), (ben, other) = member(visit, width=360), member(visit)
    create(ann)
    for player in (ann, ben):
        player.open(ann.page.url.removeprefix(ann.server.url))
        player.button("Join").click()
        expect(player.button("Withdraw")).to_be_visible()
    apart = ann.page.locator("details").filter(has_text="Players kept apart")
    apart.locator("summary").click()
    expect_accessible(ann)
    fill(ann, "Keep two players apart", one=name, other=other)
    expect(apart.get_by_role("listitem")).to_contain_text(f"{name} and {other}")
    ann.expect_no_overflow()
    ben.page.get_by_text("Players kept apart").click()
    expect(ben.page.get_by_role("listitem").filter(has_text=name)).to_be_visible()
    expect(ben.button("Keep apart")).to_be_hidden()
    ann.button(f"Let {name} and {other} meet again").click()
    expect(apart.get_by_role("listitem")).to_have_count(0)


def test_two_rounds_of_a_swiss_with_byes(visit: Visit) -> None:
    players = {name: player for player, name in (member(visit, width=width) for width in (1280, 360, 1280))}
    ann, *others = players.values()
    create(ann)
    tournament = start_soon(ann)
    for player in others:
        player.ask("join_tournament", tournament=tournament)
    ann.open(f"/tournament/{tournament}")
    ann.button("Join").click()
    for player in others:
        player.open(f"/tournament/{tournament}")
    guest = visit(width=360).open(f"/tournament/{tournament}")
    board = guest.page.locator(".round-tables tr").filter(has_text="vs")
    for number in (1, 2):
        expect(guest.page.get_by_role("heading", name=f"Round {number}")).to_be_visible()
        winner, loser = (players[name] for name in board.locator(".player-link").all_inner_texts())
        for player in (winner, loser):
            expect(player.page).to_have_url(ANY_MATCH)
        loser.resign()
        for player in (winner, loser):
            player.page.get_by_role("link", name="To the tournament").click()
            expect(player.page.locator(".your-place")).to_contain_text("You are waiting for the next round.")
        expect(board).to_have_count(0)
    expect(guest.page.locator(".standings .tie-break").first).to_be_visible()
    guest.button("Round 1").click()
    expect(guest.page.locator(".round-tables tr")).to_have_count(2)
    for visitor in (guest, ann):
        expect_accessible(visitor)
    guest.expect_no_overflow()
