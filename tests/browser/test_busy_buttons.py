"""A pressed button shows it at once and is pressed once, however long the server takes to answer."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accounts import member
from tests.browser.lobby import MATCH_PAGE
from tests.browser.positions import ABOUT_TO_END
from tests.browser.slow_server import SlowServer
from tests.browser.visitor import Visit, Visitor

PRESS_THREE_TIMES_SCRIPT = "button => { button.click(); button.click(); button.click(); }"


def expect_one_press(visitor: Visitor, slow: SlowServer, button: Locator) -> None:
    """Press a button three times, and expect one command, at which the button is busy."""
    expect(button).to_be_enabled()
    button.evaluate(PRESS_THREE_TIMES_SCRIPT)
    expect(button).to_have_attribute("aria-busy", "true")
    visitor.wait_until(lambda: slow.commands > 0)
    assert slow.commands == 1
    slow.answer()


@pytest.mark.parametrize(("command", "selector"), [("play_now", ".play-now"), ("create", ".bot-card")])
def test_a_match_starts_once(visit: Visit, command: str, selector: str) -> None:
    visitor = visit()
    slow = SlowServer(visitor, command)
    visitor.open()
    expect_one_press(visitor, slow, visitor.page.locator(selector).first)
    expect(visitor.page).to_have_url(MATCH_PAGE)
    assert slow.commands == 1


@pytest.mark.slow
def test_an_invitation_is_created_once(visit: Visit) -> None:
    visitor = visit()
    slow = SlowServer(visitor, "create")
    visitor.open().open_way("Play a friend")
    form = visitor.page.get_by_role("form", name="Play a friend")
    form.get_by_role("button", name="Create a link").evaluate(PRESS_THREE_TIMES_SCRIPT)
    expect(form).to_have_attribute("aria-busy", "true")
    visitor.wait_until(lambda: slow.commands > 0)
    assert slow.commands == 1
    slow.answer()
    expect(visitor.page.get_by_label("Link to this match")).to_be_visible()


def test_a_seat_is_taken_once(visit: Visit) -> None:
    host, guest = visit(), visit()
    path = host.create()
    slow = SlowServer(guest, "join")
    guest.open(path)
    expect_one_press(guest, slow, guest.page.locator(".join-button"))
    expect(guest.page.locator(".join-button")).to_have_count(0)


def test_an_offer_is_made_once(visit: Visit) -> None:
    host, guest = visit(), visit()
    path = host.create()
    slow = SlowServer(host, "offer")
    host.open(path)
    guest.join(path)
    host.play("d6")
    guest.play("f4")
    expect_one_press(host, slow, host.button("Offer a draw"))
    expect(guest.page.get_by_role("button", name="Accept: ")).to_be_visible()


@pytest.mark.slow
def test_a_rematch_is_offered_once(visit: Visit) -> None:
    visitor = visit()
    slow = SlowServer(visitor, "rematch")
    visitor.open(visitor.create(ABOUT_TO_END, [{"occupant": "me"}, {"occupant": "bot", "level": 1}]))
    visitor.play("g4-g7xd2")
    path = visitor.path
    expect_one_press(visitor, slow, visitor.button("Rematch"))
    visitor.page.wait_for_url(lambda url: not url.endswith(path))


@pytest.mark.slow
def test_a_player_is_followed_once(visit: Visit) -> None:
    reader, _ = member(visit)
    _, name = member(visit)
    slow = SlowServer(reader, "follow")
    reader.open(f"/player/{name}")
    expect_one_press(reader, slow, reader.button("Follow"))
    expect(reader.button("Following")).to_be_visible()
