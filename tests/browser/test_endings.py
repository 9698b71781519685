"""The end of a match in the page: the result, who caused it, and the next step."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lobby import ask, expect_match
from tests.browser.positions import ABOUT_TO_BLOCK, ABOUT_TO_END, MOVING
from tests.browser.visitor import Visit, Visitor, begin_match
from tests.serving import ServerProcess

CLOCK = {"initial_ms": 600_000, "increment_ms": 0}


def begin(visit: Visit, setup: str = MOVING) -> tuple[Visitor, Visitor, Visitor]:
    """Return the players of a match in which both have moved, and a spectator."""
    white, black = begin_match(visit, setup, clock=CLOCK)
    watcher = visit().open(white.path)
    white.play("a4-b4")
    black.play("g4-f4")
    return white, black, watcher


def resign(player: Visitor) -> None:
    player.resign()


def expect_end(visitor: Visitor, headline: str, detail: str, outcome: str) -> None:
    expect(visitor.headline).to_have_text(headline)
    expect(visitor.page.locator(".detail")).to_have_text(detail)
    expect(visitor.page.locator(".status-panel")).to_have_attribute("data-outcome", outcome)


def expect_next_step(visitor: Visitor, label: str) -> None:
    """Check that one button is the primary one."""
    expect(visitor.page.locator(".actions .primary")).to_have_text([label])


def test_the_turn_is_announced_by_name(visit: Visit) -> None:
    white, black, watcher = begin(visit)
    ann, ben = white.name_of(0), white.name_of(1)
    expect(white.headline).to_have_text("Your turn")
    expect(black.headline).to_have_text(f"Waiting for {ann}")
    expect(black.page.locator(".detail")).to_have_text(f"{ann} plays White.")
    expect(watcher.headline).to_have_text(f"{ann} to move")
    white.play("b4-a4")
    expect(white.headline).to_have_text(f"Waiting for {ben}")
    expect(watcher.headline).to_have_text(f"{ben} to move")


def test_a_resignation_is_a_loss_for_one_a_win_for_the_other_and_named_for_spectators(visit: Visit) -> None:
    white, black, watcher = begin(visit)
    ann, ben = white.name_of(0), white.name_of(1)
    resign(white)
    expect_end(white, "You lost", "You resigned.", "lost")
    expect_end(black, "You won", f"{ann} resigned.", "won")
    expect_end(watcher, f"{ben} won", f"{ann} resigned.", "")
    for player in (white, black):
        expect_next_step(player, "Rematch")
        expect(player.page.get_by_role("link", name="New match", exact=True)).to_be_visible()


def test_the_board_rises_for_the_winner_and_sinks_for_the_loser_unless_motion_is_reduced(visit: Visit) -> None:
    white, black, watcher = begin(visit)
    for visitor in (white, black, watcher):
        visitor.page.emulate_media(reduced_motion="no-preference")
    resign(white)
    expect(watcher.page.locator(".status-panel")).to_have_attribute("data-tone", "over")
    for visitor, motion in ((black, "rise, waves"), (white, "sink"), (watcher, "none")):
        expect(visitor.page.locator(".board-area").first).to_have_css("animation-name", motion)
    black.page.emulate_media(reduced_motion="reduce")
    expect(black.page.locator(".board-area").first).to_have_css("animation-name", "none")


@pytest.mark.slow
def test_an_agreed_draw_is_a_draw_for_everyone(visit: Visit) -> None:
    white, black, watcher = begin(visit)
    white.button("Offer a draw").click()
    black.button(f"Accept: {white.name_of(0)} offers a draw.").click()
    for player in (white, black):
        expect_end(player, "Draw", "The players agreed on a draw.", "draw")
        expect_next_step(player, "Rematch")
    expect_end(watcher, "Draw", "The players agreed on a draw.", "")


def test_a_win_against_a_bot_leads_to_the_next_level_with_seats_exchanged(visit: Visit) -> None:
    person = visit()
    path = person.create(ABOUT_TO_END, [{"occupant": "me"}, {"occupant": "bot", "level": 1}], CLOCK)
    person.open(path)
    person.play("g4-g7xd2")
    expect(person.headline).to_have_text("You won")
    expect_next_step(person, "Level 2")
    expect(person.button("Rematch")).to_be_visible()
    person.button("Level 2").click()
    person.page.wait_for_url(lambda url: not url.endswith(path))
    expect(person.seat(0).locator(".player-name")).to_have_text("Reed Bot, level 2")
    expect(person.page.locator(".strips.below .seat-strip")).to_have_attribute("data-seat", "1")
    expect(person.page.locator(".about")).to_contain_text("10+0")


@pytest.mark.slow
def test_a_loss_against_a_bot_offers_an_easier_one(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    person = visit()
    path = person.create(MOVING, [{"occupant": "me"}, {"occupant": "bot", "level": 3}])
    person.open(path)
    person.click("a4")
    person.click("b4")
    expect(person.moves).to_have_count(2)
    resign(person)
    expect_end(person, "You lost", "You resigned.", "lost")
    expect_next_step(person, "Rematch")
    person.button("Level 2: an easier bot").click()
    person.page.wait_for_url(lambda url: not url.endswith(path))
    expect(person.seat(0).locator(".player-name")).to_have_text("Reed Bot, level 2")


def test_a_paired_match_leads_to_a_search_for_a_new_opponent(visit: Visit) -> None:
    ann, ben = visit().open(), visit().open()
    for visitor in (ann, ben):
        ask(visitor, "15+10")
    expect_match(ann, ben)
    white, black = (ann, ben) if ann.page.locator(".strips.below .seat-strip[data-seat='0']").count() else (ben, ann)
    white.play("d6")
    black.play("f4")
    resign(white)
    expect(black.headline).to_have_text("You won")
    expect_next_step(black, "Rematch")
    black.button("New opponent").click()
    expect(black.page.locator(".banner")).to_contain_text("Looking for an opponent")
    black.button("Cancel search").click()
    expect(black.page.locator(".banner")).to_have_count(0)


@pytest.mark.slow
def test_a_shared_win_names_the_reader_first(visit: Visit) -> None:
    headlines = (
        visit()
        .open()
        .page.evaluate(
            """async () => {
                const { READER, resultText } = await import("/static/modules/match/match_texts.js");
                const state = { game: "battlesheep", end: { ranks: [1, 2, 1], reason: "shared", explanation: "" } };
                const headline = (own) => {
                    const names = ["Ann", "Ben", "Eve"].map((name, seat) => (seat === own ? READER : name));
                    const ownSeats = own === null ? [] : [own];
                    return resultText({ ...state, ownSeats }, (seat) => names[seat]).headline;
                };
                return [null, 0, 2].map(headline);
            }"""
        )
    )
    assert headlines == ["Ann and Eve share the win", "You and Eve share the win", "You and Ann share the win"]


def test_a_blocked_player_sees_which_men_are_blocked_and_by_whom(visit: Visit) -> None:
    white, black = begin_match(visit, ABOUT_TO_BLOCK, moves=["c5-d5"])
    expect_end(black, "You lost", "You cannot move: all 4 of your pieces are blocked.", "lost")
    expect_end(white, "You won", f"{white.name_of(1)} cannot move: all 4 pieces are blocked.", "won")
    for cell in ("a7", "d7", "g7", "d6"):
        expect(black.cell(cell)).to_have_attribute("data-marks", re.compile(r"\bblocked\b"))
    for cell in ("a4", "g4", "b6", "f6", "d5"):
        expect(black.cell(cell)).to_have_attribute("data-marks", re.compile(r"\bblocking\b"))


def test_what_was_counted_is_told_with_names_and_numbers(visit: Visit) -> None:
    told = (
        visit()
        .open()
        .page.evaluate(
            """async () => {
                const { READER } = await import("/static/modules/match/match_texts.js");
                const { countsText, decisionText } = await import("/static/modules/match/ending_texts.js");
                const names = ["Ann", READER, "Eve"];
                const game = { name: "battlesheep" };
                const tallies = [{ name: "Cells", counts: [6, 14, 14] }, { name: "Largest group", counts: [5, 9, 7] }];
                const ofThree = { end: { ranks: [3, 1, 2], reason: "largest_group" }, position: { tallies } };
                const ofTwo = (ranks, territory) => ({ end: { ranks, reason: "territory" }, position: { territory } });
                const titleOf = (seat) => names[seat];
                return [
                    countsText(ofThree, titleOf, game),
                    decisionText(ofTwo([1, 2], [0, 0, 1, -1]), titleOf, game),
                    decisionText(ofTwo([2, 1], [1, 0, 1, 1]), titleOf, game),
                    decisionText(ofTwo([1, 1], [1, 0, 1, 0]), titleOf, game),
                ];
            }"""
        )
    )
    assert told == [
        "Largest group: You 9, Eve 7, Ann 5",
        "Ann holds 2 squares, and you hold 1",
        "You hold 3 squares, and Ann holds 1",
        "Both players hold 2 squares",
    ]
