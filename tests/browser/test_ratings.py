"""Ratings in the page: what a rated match changes, profiles, leaders; and that all of it fits a telephone."""

import re

import pytest
from playwright.sync_api import expect

from millrace.engine.levels.opponents import OPPONENTS
from millrace.server.players.profiles.blocks import BLOCKED_PLAYERS
from tests.browser.accounts import member
from tests.browser.lobby import expect_match
from tests.browser.positions import FOUR_MEN_PLACED
from tests.browser.visitor import Visit, Visitor


def pair(ann: Visitor, ben: Visitor, clock: str) -> tuple[Visitor, Visitor]:
    """Pair two visitors in a rated match; return the one with White, then the other."""
    for visitor in (ann, ben):
        visitor.open().open_way("Quick pairing")
        visitor.page.locator(".choice:has([name=quick-rated][value=rated])").click()
        visitor.page.locator(".pairing-tile", has_text=clock).click()
    expect_match(ann, ben)
    for visitor in (ann, ben):
        expect(visitor.headline).to_have_text(re.compile("Your turn|Waiting for "))
    return (ann, ben) if ann.headline.inner_text() == "Your turn" else (ben, ann)


def play_and_resign(white: Visitor, black: Visitor) -> None:
    """Play some moves, after which White gives up."""
    for number, move in enumerate(FOUR_MEN_PLACED):
        (white, black)[number % 2].play(move)
    white.resign()


def test_two_players_of_a_rated_match_see_their_rating_changes_and_find_them_in_their_profiles(visit: Visit) -> None:
    (ann, first), (ben, second) = member(visit), member(visit, width=360)
    white, black = pair(ann, ben, "3+2")
    for visitor in (white, black):
        expect(visitor.page.locator(".about")).to_contain_text("rated")
        expect(visitor.page.locator(".player-rating")).to_have_text(["1500?, provisional"] * 2)
    match = white.path
    play_and_resign(white, black)
    expect(white.page.locator(".own-rating")).to_have_text("Your rating: 1421?, provisional \N{MINUS SIGN}79")
    expect(black.page.locator(".own-rating")).to_have_text("Your rating: 1579?, provisional +79")
    for visitor in (white, black):
        expect(visitor.seat(0).locator(".player-rating")).to_have_text("1421?, provisional \N{MINUS SIGN}79")
        expect(visitor.seat(1).locator(".player-rating")).to_have_text("1579?, provisional +79")
    ben.expect_no_overflow()

    winner = first if black is ann else second
    white.page.locator(".seat-strip .player-link", has_text=winner).click()
    expect(white.page.get_by_role("heading", name=winner)).to_be_visible()
    expect(white.page.locator(".kind-rating")).to_have_text("1579?, provisional ±242")
    expect(white.page.get_by_role("img", name="Rating over one match")).to_be_visible()
    expect(white.page.locator(".scores").first.get_by_role("cell")).to_have_text(["1", "0", "0"])
    row = white.page.locator(".past-matches").get_by_role("row").filter(has_text="Won")
    expect(row).to_contain_text("1579 +79")
    row.get_by_role("link", name="Nine Men's Morris").click()
    expect(white.page).to_have_url(re.compile(re.escape(match)))
    expect(white.moves).to_have_count(len(FOUR_MEN_PLACED))

    ben.page.locator(".own-menu summary").click()
    ben.page.get_by_role("link", name="Profile").click()
    expect(ben.page.get_by_role("heading", name=second)).to_be_visible()
    expect(ben.page.locator(".history-graph")).to_be_visible()
    ben.expect_no_overflow()


@pytest.mark.slow
def test_a_rated_match_that_does_not_count_says_why(visit: Visit) -> None:
    (ann, _), (ben, _) = member(visit), member(visit)
    white, black = pair(ann, ben, "5+3")
    white.play("a7")
    black.play("g1")
    white.resign()
    for visitor in (white, black):
        expect(visitor.page.locator(".unrated")).to_have_text("Ratings did not change: the match was too short.")
        expect(visitor.page.locator(".player-rating")).to_have_text(["1500?, provisional"] * 2)


def test_a_player_is_blocked_and_unblocked_in_the_profile(visit: Visit) -> None:
    (ann, _), (ben, name) = member(visit), member(visit)
    ann.page.goto(f"{ann.server.url}/player/{name}")
    ann.button("Block").click()
    expect(ann.page.get_by_text("You blocked this player: no pairings and no challenges.")).to_be_visible()
    ann.page.reload()
    ann.button("Unblock").click()
    expect(ann.button("Block")).to_be_visible()
    ben.page.goto(f"{ben.server.url}/player/{name}")
    expect(ben.page.get_by_text("Member since")).to_be_visible()
    expect(ben.button("Block")).to_have_count(0)


@pytest.mark.slow
def test_a_refused_block_is_explained_and_the_profile_stays(visit: Visit) -> None:
    (ann, _), (_, name) = member(visit), member(visit)
    ann.open(f"/player/{name}")
    with ann.beside_the_page() as socket:
        for number in range(int(BLOCKED_PLAYERS.account or 0)):
            socket.ask("block", player=f"p{number}")
    ann.button("Block").click()
    ann.expect_told(f"You can block at most {BLOCKED_PLAYERS.account} players.")
    expect(ann.page.get_by_role("heading", name=name)).to_be_visible()
    expect(ann.button("Block")).to_be_visible()


def test_uncertain_players_are_not_leaders_but_bots_are_listed_for_comparison(visit: Visit) -> None:
    reader = visit(width=360, height=740).open()
    reader.button("Menu").click()
    reader.page.get_by_role("link", name="Leaders").click()
    leaders = reader.page.locator(".leaders-list .card").first
    expect(leaders.get_by_role("heading")).to_have_text("Nine Men's Morris · Blitz")
    expect(leaders).to_contain_text("No players yet.")
    bots = reader.page.get_by_role("table", name="Bots")
    expect(bots.get_by_role("row")).to_have_count(1 + len(OPPONENTS))
    reader.page.get_by_label("Game").select_option(label="Battle Sheep")
    reader.page.get_by_label("Players").select_option(label="4 players")
    reader.page.get_by_label("Speed").select_option("rapid")
    expect(leaders.get_by_role("heading")).to_have_text("Battle Sheep · 4 players · Rapid")
    reader.expect_no_overflow()
    bots.get_by_role("link", name="Bot, level 8").click()
    expect(reader.page.get_by_role("heading", name="Bot, level 8")).to_be_visible()
    reader.page.go_back()
    expect(leaders.get_by_role("heading")).to_have_text("Battle Sheep · 4 players · Rapid")


@pytest.mark.slow
def test_an_unknown_name_is_explained(visit: Visit) -> None:
    reader = visit().open("/player/Nobody-Here")
    expect(reader.page.get_by_role("heading", name="No such player")).to_be_visible()
    expect(reader.page.locator(".notice")).to_contain_text("No player is called Nobody-Here")
