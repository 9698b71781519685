"""The chat of a match in the page: separate rooms for players and spectators, muting, reports, folding."""

import pytest
from playwright.sync_api import expect

from tests.browser.chat import begin, lines, say
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit
from tests.serving import ServerProcess


@on_two_nodes_too
def test_players_and_spectators_chat_separately_until_the_match_is_over(visit: Visit) -> None:
    white, black, watcher = begin(visit)
    say(white, "Good luck!")
    say(watcher, "White looks nervous.")
    expect(lines(black)).to_have_text(["Good luck!"])
    expect(lines(watcher)).to_have_text(["White looks nervous."])
    expect(lines(white)).to_have_text(["Good luck!"])
    white.button("Abort").click()
    for visitor in (white, black, watcher):
        expect(lines(visitor)).to_have_text(["Good luck!", "White looks nervous."])
        expect(visitor.page.locator(".chat-room")).to_have_text(["spectator"])


def test_chat_lines_are_plain_text(visit: Visit) -> None:
    white, black, _ = begin(visit)
    text = "<img src=x onerror=alert(1)> http://example.com"
    say(white, text)
    expect(lines(black)).to_have_text([text])
    expect(black.page.locator(".chat-lines :is(img, a)")).to_have_count(0)


def test_a_muted_player_is_not_heard_until_unmuted(visit: Visit) -> None:
    white, black, _ = begin(visit)
    say(white, "You play like a beginner.")
    name = black.name_of(0)
    black.button(f"Mute or report {name}").click()
    black.button(f"Mute {name}").click()
    expect(lines(black)).to_have_count(0)
    say(white, "Do you hear me?")
    black.page.reload()
    black.button(f"Unmute {name}").click()
    expect(lines(black)).to_have_text(["You play like a beginner.", "Do you hear me?"])


def test_a_refused_chat_line_is_explained_and_not_lost(visit: Visit) -> None:
    white, _, _ = begin(visit)
    for number in range(2):
        say(white, f"Line {number}")
    field = white.page.locator(".chat-input")
    field.fill("One line more")
    field.press("Enter")
    white.expect_told("please wait a moment")
    expect(field).to_have_value("One line more")


@pytest.mark.slow
def test_typing_does_not_step_through_the_moves(visit: Visit) -> None:
    white, _, _ = begin(visit)
    white.play("d6")
    white.page.locator(".chat-input").fill("Hello")
    white.page.locator(".chat-input").press("Home")
    expect(white.page.locator(".past-note")).to_have_count(0)


@pytest.mark.slow
def test_a_folded_chat_counts_what_has_not_been_read(visit: Visit) -> None:
    white, black, _ = begin(visit, width=360, height=740)
    expect(black.page.locator(".chat-body")).to_be_hidden()
    say(white, "Are you there?")
    expect(black.page.locator(".chat-count")).to_have_text("1 new")
    black.page.locator(".chat-header").press("Enter")
    expect(lines(black)).to_have_text(["Are you there?"])
    expect(black.page.locator(".chat-count")).to_be_hidden()
    black.expect_no_overflow()


@pytest.mark.slow
def test_a_player_against_a_bot_has_no_chat_but_spectators_do(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    player, watcher = visit(), visit()
    path = player.create(seats=[{"occupant": "me"}, {"occupant": "bot", "level": 1}])
    player.open(path)
    watcher.open(path)
    expect(watcher.page.locator(".chat-title")).to_contain_text("Spectators")
    expect(player.page.locator(".chat")).to_be_hidden()
