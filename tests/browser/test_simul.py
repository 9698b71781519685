"""A simultaneous exhibition in the page: players apply, the host accepts them, starts, and goes from board to board."""

import re

from playwright.sync_api import expect

from tests.browser.accessibility import expect_accessible
from tests.browser.accounts import member
from tests.browser.visitor import Visit, Visitor

ANY_TOURNAMENT = re.compile(r"/tournament/\w+$")
ANY_MATCH = re.compile(r"/match/\w+$")


def create(host: Visitor) -> str:
    """Create a simul in which the host moves first by the form, and return its path."""
    host.open("/tournaments")
    host.page.get_by_text("Create a tournament").click()
    host.page.locator("[name=kind]").select_option(label="Simultaneous exhibition")
    expect(host.page.locator("[name=pause]")).to_be_hidden()
    host.page.locator("[name=name]").fill("Three at once")
    host.page.locator("[name=host_seat]").select_option(label="The host moves first")
    host.page.locator("[name=wait]").select_option(label="Now")
    host.button("Create").click()
    expect(host.page).to_have_url(ANY_TOURNAMENT)
    return host.path


def test_a_host_plays_three_players_at_once(visit: Visit) -> None:
    host, host_name = member(visit)
    path = create(host)
    players = {name: player for player, name in (member(visit, width=width) for width in (1280, 360, 1280))}
    for player in players.values():
        player.open(path)
        player.button("Join").click()
        expect(player.page.locator(".your-place")).to_contain_text("You have applied.")
    for name, player in players.items():
        host.button(f"Accept {name}").click()
        expect(host.button(f"Remove {name}")).to_be_visible()
        expect(player.page.locator(".your-place")).to_contain_text("You are accepted.")
    expect_accessible(host)
    host.button("Start the exhibition").click()
    for player in players.values():
        expect(player.page).to_have_url(ANY_MATCH)

    boards = host.page.locator(".simul-boards .small-board")
    expect(boards).to_have_count(3)
    guest = visit(width=360).open(path)
    expect(guest.page.locator(".simul-boards .small-board")).to_have_count(3)
    host.page.get_by_role("link", name="Next board (3)").click()
    seen = []
    expect(host.page).to_have_url(ANY_MATCH)
    for number in (1, 2, 3):
        seen.append(host.path)
        host.click("a7")
        if number < 3:
            expect(host.page).not_to_have_url(host.server.url + seen[-1])
    assert sorted(seen) == sorted(player.path for player in players.values()), "each board once, without a click"

    expect(host.page.get_by_text("No other board waits for you.")).to_be_visible()
    first, second, third = sorted(players.values(), key=lambda player: seen.index(player.path))
    first.play("d7")
    expect(host.page).to_have_url(first.page.url)
    host.page.get_by_label("Go there by itself after my move").uncheck()
    host.play("g7")
    second.play("d7")
    host.page.get_by_role("link", name="Next board (1)").click()
    expect(host.page).to_have_url(second.page.url)

    second.resign()
    third.resign()
    host.page.get_by_role("link", name="All boards").click()
    score = re.compile(rf"{host_name}: 2 wins · 0 draws · 0 losses · 1 match in play")
    for visitor in (host, guest):
        expect(visitor.page.locator(".simul-score")).to_have_text(score)
        expect_accessible(visitor)
    first.resign()
    expect(guest.page.locator(".simul-score")).to_have_text(f"{host_name}: 3 wins · 0 draws · 0 losses")
    expect(guest.page.locator(".tournament-time")).to_contain_text("Ended")
    guest.expect_no_overflow()
