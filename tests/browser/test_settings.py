"""The settings page, and what a click that is no move is answered with."""

import pytest
from playwright.sync_api import expect

from millrace.release import release_text
from tests.browser.accounts import PASSWORD, fill, member
from tests.browser.positions import MOVING
from tests.browser.visitor import OWN_BOTH, Visit

_FAINT_SCRIPT = """(theme) => {
  const root = document.documentElement;
  const man = document.querySelector(".settings-example .man.black");
  const probe = man.appendChild(document.createElement("i"));
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number)
      .map((each) => each / 255).map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const colourOf = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const grounds = ["--plate-0", "--plate-1", "--square", "--square-dark", "--hex-0", "--hex-1", "--hex-2"];
  const faint = [];
  root.dataset.theme = theme;
  for (const board of ["wood", "marble", "plain", "pixel"]) {
    for (const men of ["round", "pixel", "plain"]) {
      Object.assign(root.dataset, { board, men });
      const rim = men === "pixel" ? colourOf("--rim") : getComputedStyle(man.querySelector(".body")).stroke;
      const filling = getComputedStyle(document.querySelector("#man-black .stop-1")).stopColor;
      for (const ground of grounds) {
        const most = Math.max(contrast(rim, colourOf(ground)), contrast(filling, colourOf(ground)));
        if (most < 3) faint.push(`${men} men on ${board} ${ground}: ${most.toFixed(2)}`);
      }
    }
  }
  probe.remove();
  return faint;
}"""
"""Lists the looks in which neither the rim nor the filling of a black man has a contrast of 3 to 1 with the board, as
WCAG 2.2 asks of graphics (1.4.11)."""


def test_a_chosen_board_appears_immediately_and_is_remembered(visit: Visit) -> None:
    visitor = visit().open("/settings")
    root = visitor.page.locator("html")
    expect(root).to_have_attribute("data-board", "wood")
    visitor.page.get_by_role("combobox", name="Board", exact=True).select_option("pixel")
    visitor.page.get_by_label("Coordinates").uncheck()
    expect(root).to_have_attribute("data-men", "pixel")
    visitor.open(visitor.create(MOVING, OWN_BOTH))
    expect(root).to_have_attribute("data-board", "pixel")
    expect(visitor.page.locator(".board .pixels").first).to_be_visible()
    expect(visitor.page.locator(".board .label").first).to_be_hidden()


@pytest.mark.slow
def test_the_theme_follows_the_system_until_the_reader_chooses_one(visit: Visit) -> None:
    visitor = visit().open("/settings")
    theme = visitor.page.get_by_label("Theme")
    expect(theme).to_have_value("system")
    theme.select_option("dark")
    visitor.open("/settings")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_settings_follow_an_account_to_another_device(visit: Visit) -> None:
    computer, name = member(visit)
    computer.open("/settings")
    computer.page.get_by_role("combobox", name="Board", exact=True).select_option("marble")
    computer.page.get_by_label("Sound").uncheck()
    expect(computer.page.locator(".settings-page .note")).to_have_text("Saved with your account, for all your devices.")
    phone = visit(360, 740).open()
    expect(phone.page.locator("html")).to_have_attribute("data-board", "wood")
    phone.page.get_by_role("link", name="Sign in").click()
    fill(phone, "Sign in", name=name, password=PASSWORD)
    expect(phone.page.locator("html")).to_have_attribute("data-board", "marble")
    phone.open("/settings")
    expect(phone.page.get_by_label("Sound")).not_to_be_checked()
    phone.expect_no_overflow()


@pytest.mark.slow
def test_the_settings_page_says_which_release_is_served(visit: Visit) -> None:
    release = visit().open("/settings").page.locator(".settings-page footer")
    expect(release).to_have_text(f"Millrace {release_text()}")


def test_a_guests_settings_stay_in_the_browser(visit: Visit) -> None:
    visitor = visit().open("/settings")
    expect(visitor.page.locator(".settings-page .note")).to_contain_text("Saved in this browser.")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_black_men_contrast_with_every_board_in_every_theme(visit: Visit, theme: str) -> None:
    visitor = visit().open("/settings")
    faint = visitor.page.evaluate(_FAINT_SCRIPT, theme)
    assert faint == []


@pytest.mark.slow
def test_an_illegal_click_is_explained(visit: Visit) -> None:
    visitor = visit()
    visitor.open(visitor.create(MOVING, OWN_BOTH))
    visitor.cell("g7").click(force=True)
    visitor.expect_told("That piece is not yours.")
    visitor.click("a4")
    visitor.cell("e3").click(force=True)
    visitor.expect_told("That piece cannot move there.")
    visitor.play("a4-b4")
    expect(visitor.page.locator(".toast")).to_have_count(0)
