"""The server's bots at the board: names and marks, faces that react, a sentence now and then, and the setting."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from millrace.engine.levels.opponents import LEVELS, OPPONENTS
from tests.browser.positions import ABOUT_TO_END, MOVING, position_text
from tests.browser.visitor import OWN_BOTH, Visit

AGAINST_BOT: list[dict[str, Any]] = [{"occupant": "me"}, {"occupant": "bot", "level": 3}]

ABOUT_TO_TAKE = position_text("""
    W-----------W-----------o
    |   o-------o-------o   |
    |   |   B---o---o   |   |
    o---B---o       o---B---W
    |   |   o---o---B   |   |
    |   o-------B-------o   |
    W-----------o-----------o
""")
"""White closes a mill by g4-g7 and takes one of Black's five men."""

_NAMES_SCRIPT = """async (levels) => {
  const { levelName } = await import("/static/modules/players/shown_name.js");
  return Array.from({ length: levels }, (_, index) => levelName(index + 1));
}"""
_SENTENCES_SCRIPT = """async (ids) => {
  const { sentenceOf } = await import("/static/modules/match/reactions.js");
  const seats = Array.from({ length: 80 }, (_, index) => index % 2);
  const taking = seats.map((seat) => ({ piles: new Map([["a1", { seat: 1 - seat, size: 1 }]]), highlights: [] }));
  const plies = seats.map((seat) => ({ seat, changes: [["a1", -1, 0]] }));
  return ids.map((id) => {
    const state = { id, end: null, plies, positions: [...taking, { piles: new Map(), highlights: [] }] };
    return [...plies, null].map((_, ply) => sentenceOf(state, 1, ply));
  });
}"""
"""What a bot says at each ply of matches in which every ply takes a piece."""


def test_a_bot_has_a_name_and_a_face_and_is_marked_with_its_level(visit: Visit) -> None:
    person = visit()
    person.open(person.create(MOVING, AGAINST_BOT))
    name = person.seat(1).locator(".player-name")
    expect(name).to_have_text("Ripple Bot, level 3")
    expect(name.locator(".bot-mark")).to_have_text("Bot, level 3")
    expect(person.seat(1).locator(".bot-face")).to_be_visible()
    expect(person.seat(0).locator(".bot-face, .bot-mark")).to_have_count(0)


def test_the_page_calls_the_levels_as_the_engine_does(visit: Visit) -> None:
    names = visit().open().page.evaluate(_NAMES_SCRIPT, len(LEVELS))
    called = [opponent.title for opponent in LEVELS.values()]
    assert names == called


def test_a_bot_greets_is_surprised_by_a_loss_and_takes_the_end_with_grace(visit: Visit) -> None:
    person = visit()
    person.open(person.create(ABOUT_TO_END, AGAINST_BOT))
    face, sentence = person.seat(1).locator(".seat-face"), person.seat(1).locator(".sentence")
    expect(face).to_have_attribute("data-mood", "neutral")
    greeting = sentence.inner_text()
    assert greeting
    person.play("g4-g7xb4")
    expect(person.headline).to_have_text("You won")
    expect(face).to_have_attribute("data-mood", "sorry")
    expect(sentence).not_to_have_text(greeting)
    expect(person.page.locator("#announcer")).not_to_contain_text(sentence.inner_text())
    person.open(person.page.url.removeprefix(person.server.url) + "#0")
    expect(face).to_have_attribute("data-mood", "neutral")
    expect(sentence).to_have_text(greeting)


def test_a_first_loss_surprises_a_bot_and_shows_at_its_ply(visit: Visit) -> None:
    person = visit()
    person.open(person.create(ABOUT_TO_TAKE, AGAINST_BOT))
    for cell in ("g4", "g7", "b4"):
        person.click(cell)
    person.moves.first.click()
    expect(person.seat(1).locator(".seat-face")).to_have_attribute("data-mood", "surprised")


def test_sentences_are_rare_and_follow_from_the_match_alone(visit: Visit) -> None:
    page = visit().open().page
    ids = [f"match{number}" for number in range(20)]
    said = page.evaluate(_SENTENCES_SCRIPT, ids)
    again = page.evaluate(_SENTENCES_SCRIPT, ids)
    assert said == again
    for sentences in said:
        starts = [ply for ply, words in enumerate(sentences) if words and (ply == 0 or sentences[ply - 1] != words)]
        assert starts[0] == 0
        assert len(starts) > 3
        assert all(later - earlier >= 6 for earlier, later in pairwise(starts))
    assert len({words for sentences in said for words in sentences}) > 10


def test_faces_and_sentences_can_be_switched_off(visit: Visit) -> None:
    person = visit().open("/settings")
    person.page.get_by_label("Bots show their faces and speak").uncheck()
    person.open(person.create(MOVING, AGAINST_BOT))
    expect(person.seat(1).locator(".bot-mark")).to_be_visible()
    expect(person.seat(1).locator(".bot-face")).to_have_count(0)
    expect(person.seat(1).locator(".sentence")).to_be_hidden()


def test_nobody_speaks_to_a_player_of_both_sides(visit: Visit) -> None:
    person = visit()
    person.open(person.create(MOVING, OWN_BOTH))
    expect(person.page.locator(".bot-face")).to_have_count(0)
    expect(person.page.locator(".sentence:visible")).to_have_count(0)


def test_the_gallery_is_one_list_by_strength_with_names_manners_and_records(visit: Visit) -> None:
    person = visit()
    path = person.create(ABOUT_TO_END, AGAINST_BOT)
    person.open(path).play("g4-g7xb4")
    expect(person.headline).to_have_text("You won")
    person.open()
    person.open_way("Play a bot")
    cards = person.page.locator(".bot-card")
    expect(cards).to_have_count(len(OPPONENTS))
    strengths = [int(re.sub(r"\D", "", grade)) for grade in cards.locator(".bot-grade").all_inner_texts()]
    assert strengths == sorted(strengths)
    ripple = person.page.locator('.bot-card[data-level="3"]')
    expect(ripple).to_have_text("Ripple Level 3 plays for fun, and misses things You: 1 won")
    expect(person.page.locator('.bot-card[data-level="hunter"]')).to_have_text(
        "The Hunter About level 5 takes whatever can be taken"
    )
    expect(person.page.locator(".bot-record:visible")).to_have_count(1)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (360, 740), (740, 360)])
def test_the_gallery_fits_every_window(visit: Visit, width: int, height: int) -> None:
    person = visit(width, height).open()
    person.open_way("Play a bot")
    expect(person.page.locator(".bot-card").last).to_be_visible()
    person.expect_no_overflow()
    person.page.locator('.bot-card[data-level="random"]').click()
    expect(person.page.locator(".player-name", has_text="Random Bot")).to_have_count(1)
