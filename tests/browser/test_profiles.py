"""Profiles in the page: text, following, presence, and the players page."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accounts import member
from tests.browser.positions import MOVING
from tests.browser.visitor import AGAINST_BOT, Visit, Visitor
from tests.serving import ServerProcess


def line(visitor: Visitor, section: str, name: str) -> Locator:
    """The line of a player in a list on the players page."""
    return visitor.page.get_by_role("region", name=section, exact=True).locator(".player-row", has_text=name)


def describe(visitor: Visitor, bio: str, country: str, is_shown: bool = True) -> None:
    visitor.open("/account")
    form = visitor.page.get_by_role("form", name="Profile")
    expect(form.get_by_role("button", name="Save")).to_be_enabled()
    form.get_by_label("About you").fill(bio)
    form.get_by_label("Country").select_option(country)
    form.get_by_label("Show when I am online").set_checked(is_shown)
    form.get_by_role("button", name="Save").click()
    visitor.expect_told("Profile saved.")


def test_a_profile_text_is_shown_as_text_with_safe_external_links(visit: Visit) -> None:
    ann, name = member(visit, width=360)
    describe(ann, "<b>Bold</b> <img src=x onerror=alert(1)> javascript:alert(1)\nSee https://example.org/a?b=1.", "NZ")
    ann.expect_no_overflow()
    guest = visit(width=360).open(f"/player/{name}")
    bio = guest.page.locator(".bio")
    expect(bio).to_contain_text("<b>Bold</b> <img src=x onerror=alert(1)> javascript:alert(1)")
    expect(bio.locator("b, img")).to_have_count(0)
    expect(bio.locator("a")).to_have_count(1)
    expect(bio.locator("a")).to_have_attribute("href", "https://example.org/a?b=1")
    expect(bio.locator("a")).to_have_attribute("rel", re.compile("nofollow.*noopener"))
    expect(guest.page.locator(".country")).to_have_attribute("title", "New Zealand")
    expect(guest.page.locator(".profile-presence")).to_contain_text("online")
    expect(guest.button("Follow")).to_have_count(0)
    guest.expect_no_overflow()


def test_followed_players_are_listed_with_their_presence(visit: Visit) -> None:
    ann, _ = member(visit)
    ben, name = member(visit)
    ann.open(f"/player/{name}")
    ann.button("Follow").click()
    expect(ann.button("Following")).to_be_visible()
    expect(ann.page.locator(".profile-presence")).to_contain_text("1 follower")
    ann.page.get_by_role("navigation", name="Site").get_by_role("link", name="Players").click()
    followed = line(ann, "Following", name)
    expect(followed.locator(".presence-lamp")).to_have_attribute("data-state", "online")
    path = ben.create("", AGAINST_BOT)
    expect(followed.locator(".player-row-facts")).to_have_text("playing now: Nine Men's Morris")
    expect(followed.get_by_role("link", name=f"Watch {name}")).to_have_attribute("href", path)
    ben.page.close()
    expect(followed.locator(".presence-lamp")).to_have_attribute("data-state", "away")
    expect(followed).to_contain_text("seen recently")
    followed.get_by_role("button", name="Unfollow").click()
    expect(followed).to_have_count(0)


def test_a_player_is_found_by_name_and_challenged_from_their_profile(visit: Visit) -> None:
    ann, _ = member(visit, width=360)
    ben, name = member(visit)
    ann.open("/players")
    ann.page.get_by_label("Find a player").fill(name.lower())
    ann.page.locator(".player-search").get_by_role("link", name=name, exact=True).click()
    ann.page.get_by_role("link", name="Challenge", exact=True).click()
    expect(ann.page.get_by_label("Name of the player")).to_have_value(name)
    ann.expect_no_overflow()
    ann.button("Challenge").click()
    expect(ben.page.locator(".banner.challenge")).to_contain_text("challenges you")


@pytest.mark.slow
def test_a_player_who_hides_their_presence_is_not_shown_online(visit: Visit) -> None:
    ann, name = member(visit)
    ben, _ = member(visit)
    ben.open("/players")
    expect(line(ben, "Online", name)).to_be_visible()
    describe(ann, "", "", is_shown=False)
    expect(line(ben, "Online", name)).to_have_count(0)
    ben.open(f"/player/{name}")
    expect(ben.page.locator(".profile-presence")).to_have_text("0 followers")


def test_the_players_page_shows_live_matches_and_bots_to_play(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    ann, name = member(visit)
    reader = visit(width=360, height=740).open("/players")
    playing = reader.page.get_by_role("region", name="Playing now")
    expect(line(reader, "Online", name)).to_be_visible()
    path = ann.create(MOVING, AGAINST_BOT)
    expect(playing.locator(f'a[href="{path}"] [data-cell=a4][data-seat="0"]')).to_be_attached()
    expect(line(reader, "Online", name).get_by_role("link", name=f"Challenge {name}")).to_be_visible()
    reader.expect_no_overflow()
    reader.button("Ming Mang").click()
    reader.page.locator(".bot-card", has_text="Level 2").click()
    expect(reader.page.locator(".player-name", has_text="Bot, level 2")).to_have_count(1)
    expect(reader.page.locator(".about")).to_contain_text("Ming Mang")
