"""What is heard and felt: sounds of each event, different at a win, a loss and a draw, and the vibration of phones."""

from collections.abc import Sequence

from playwright.sync_api import expect

from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.visitor import OWN_BOTH, Visit, Visitor

_LISTEN_SCRIPT = """() => {
  const [Oscillator, Source] = [window.OscillatorNode, window.AudioBufferSourceNode];
  window.heard = [];
  window.felt = [];
  window.OscillatorNode = class extends Oscillator {
    constructor(context, options) {
      super(context, options);
      window.heard.push(Math.round(options.frequency));
    }
  };
  window.AudioBufferSourceNode = class extends Source {
    constructor(context, options) {
      super(context, options);
      window.heard.push("noise");
    }
  };
  Navigator.prototype.vibrate = (pattern) => window.felt.push(pattern);
}"""
"""Notes each tone's pitch, each noise, and each vibration."""

_FORGET_SCRIPT = "() => { window.heard.length = window.felt.length = 0; }"
BODY_OF_WOOD, BODY_OF_STONE = 190, 760
"""The lowest tone of a knock, in Hz."""


def listening(visitor: Visitor) -> Visitor:
    """Note what a visitor's pages play from now on."""
    visitor.page.add_init_script(f"({_LISTEN_SCRIPT})()")
    return visitor


def table(visit: Visit, setup: str) -> tuple[Visitor, Visitor]:
    """Return two listening players at a match of Nine Men's Morris."""
    white, black = listening(visit()), listening(visit())
    white.open(white.create(setup))
    black.join(white.path)
    expect(white.headline).to_have_text("Your turn")
    for each in (white, black):
        each.page.mouse.click(1, 1)
        each.page.evaluate(_FORGET_SCRIPT)
    return white, black


def expect_heard(visitor: Visitor, *sounds: int | str) -> None:
    visitor.page.wait_for_function("sounds => sounds.every((each) => window.heard.includes(each))", arg=list(sounds))


def expect_felt(visitor: Visitor, count: int) -> None:
    """Wait until a phone has vibrated so many times."""
    visitor.page.wait_for_function("count => window.felt.length === count", arg=count)


def heard(visitor: Visitor) -> Sequence[int | str]:
    played: Sequence[int | str] = visitor.page.evaluate("() => window.heard")
    return played


def test_a_win_and_a_loss_sound_different(visit: Visit) -> None:
    white, black = table(visit, ABOUT_TO_END)
    white.play("g4-g7xd2")
    expect(white.headline).to_have_text("You won")
    expect(black.headline).to_have_text("You lost")
    expect_heard(white, "noise", 262, 1047)
    expect_heard(black, 330, 262, 220)
    assert 220 not in heard(white)
    assert 1047 not in heard(black)


def test_a_draw_has_a_sound_of_its_own(visit: Visit) -> None:
    white, black = table(visit, MOVING)
    white.play("a4-b4")
    black.play("g4-f4")
    white.button("Offer a draw").click()
    black.button(f"Accept: {white.name_of(0)} offers a draw.").click()
    for each in (white, black):
        expect(each.headline).to_have_text("Draw")
        expect_heard(each, 392, 262)
        assert not {220, 1047} & set(heard(each))


def test_a_phone_vibrates_at_a_mill_and_at_the_players_turn_unless_switched_off(visit: Visit) -> None:
    white, black = table(visit, MOVING)
    white.play("a4-b4")
    expect_felt(black, 1)
    black.page.evaluate(
        "() => localStorage.setItem('millrace.preferences', JSON.stringify({ vibration: false }))",
    )
    black.page.reload()
    black.play("g4-f4")
    expect_felt(white, 1)
    white.play("b4-a4")
    expect(black.moves).to_have_count(3)
    expect_felt(black, 0)


def test_a_closed_mill_rattles_like_the_wheel_that_it_turns(visit: Visit) -> None:
    white, _ = table(visit, ABOUT_TO_END)
    white.page.emulate_media(reduced_motion="no-preference")
    white.click("g4")
    white.click("g7")
    expect_heard(white, 523, 659, 784)
    expect_felt(white, 1)
    expect(white.page.locator(".brand .mill-wheel")).to_have_css("rotate", "45deg")
    white.click("d2")
    expect(white.headline).to_have_text("You won")
    expect(white.page.locator(".brand .mill-wheel")).to_have_css("rotate", "810deg")


def test_boards_of_stone_sound_of_stone_and_silence_is_kept(visit: Visit) -> None:
    visitor = listening(visit())
    visitor.open("/settings")
    visitor.page.get_by_role("combobox", name="Board", exact=True).select_option("marble")
    visitor.open(visitor.create(MOVING, OWN_BOTH))
    visitor.play("a4-b4")
    expect_heard(visitor, BODY_OF_STONE)
    visitor.page.get_by_role("button", name="Sound", exact=True).click()
    visitor.page.evaluate(_FORGET_SCRIPT)
    visitor.play("g4-f4")
    assert heard(visitor) == []


def test_lessons_are_heard_too(visit: Visit) -> None:
    visitor = listening(visit())
    visitor.open("/learn/morris")
    visitor.page.locator('[data-marks~="go"]').first.click()
    expect(visitor.page.locator(".step-answer")).not_to_have_text("")
    expect_heard(visitor, BODY_OF_WOOD)
