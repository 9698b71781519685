"""Every page and every state of a match or race that readers see, with the longest names, and faults of their texts."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from tests.browser.accounts import sign_up
from tests.browser.finished_matches import finish_match
from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.visitor import OWN_BOTH, Visit, Visitor

PATHS = (
    *("/", "/learn", "/learn/morris", "/puzzles", "/watch", "/watch/morris", "/players", "/archive", "/archive?mine=1"),
    *("/analysis", "/studies", "/editor/battlesheep", "/leaders", "/settings", "/account", "/offline", "/player/bot-1"),
    "/race",
)

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
LONG_BOTS = [{"occupant": "bot", "level": name} for name in ("classic-8", "classic-6")]
"""Those with the longest descriptions."""
CLOCK = {"initial_ms": 300_000, "increment_ms": 2_000}
STACKS_OF_FOUR = "r16,0,0,0/b16,0,0,0/g16,0,0,0/y16,0,0,0 r 4"

_BOXES_SCRIPT = Path(__file__).with_name("text_boxes.js").read_text("utf-8")
_SETTLE_MS = 3_000
"""Time in which a page adapts to its window, and fetches what it shows."""

_numbers = count(10)


def member_with_long_name(visit: Visit, name: str, **options: Any) -> Visitor:
    """Return a visitor whose account has a name of the 20 characters that a name may have."""
    whole = f"{name}{next(_numbers)}"
    assert len(whole) == 20
    return sign_up(visit(**options), whole)


def free_seats(host: Visitor, rival: Visitor) -> None:
    host.open(host.create("seats=4", [ME, OPEN, OPEN, OPEN], CLOCK, "battlesheep"))
    expect(host.page.locator(".invite")).to_be_visible()


def four_players(host: Visitor, rival: Visitor) -> None:
    host.open(host.create("seats=4", [ME, OPEN, *LONG_BOTS], CLOCK, "battlesheep"))
    rival.join(host.path)
    expect(host.page.locator(".countdown")).to_be_visible()


def choosing_a_number(host: Visitor, rival: Visitor) -> None:
    host.open(host.create(STACKS_OF_FOUR, [ME] * 4, None, "battlesheep"))
    for mark in ("pick", "go"):
        host.page.locator(f'[data-marks~="{mark}"]').first.click()
    expect(host.page.locator(".drop-button")).to_be_visible()


def first_hint(host: Visitor, rival: Visitor) -> None:
    host.page.evaluate("localStorage.setItem('millrace.hints', 'on')")
    host.open(host.create(seats=[ME, LONG_BOTS[0]], game="mingmang"))
    expect(host.page.locator(".hint-box")).to_be_visible()


def taking_a_man(host: Visitor, rival: Visitor) -> None:
    host.open(host.create(ABOUT_TO_END, OWN_BOTH))
    host.click("g4")
    host.click("g7")
    expect(host.page.locator(".status-panel")).to_have_attribute("data-tone", "take")
    host.page.evaluate("localStorage.removeItem('millrace.hints')")


def offered_draw(host: Visitor, rival: Visitor) -> None:
    begin(host, rival)
    rival.page.locator(".actions .tool").first.click()
    expect(host.page.locator(".offer-box")).to_be_visible()


def lost_by_resignation(host: Visitor, rival: Visitor) -> None:
    begin(host, rival)
    host.page.locator(".actions > .tool:not(.extra-action)").last.click()
    host.page.locator(".actions .danger").click()
    expect(host.page.locator(".status-panel")).to_have_attribute("data-outcome", "lost")


def won_against_a_bot(host: Visitor, rival: Visitor) -> None:
    host.open(host.create(ABOUT_TO_END, [ME, {"occupant": "bot", "level": 1}]))
    host.play("g4-g7xd2")
    expect(host.page.locator(".status-panel")).to_have_attribute("data-outcome", "won")


def won_by_one_of_four(host: Visitor, rival: Visitor) -> None:
    host.open(finish_match(host, "battlesheep", 100, STACKS_OF_FOUR, seats=4))


def race_to_start(host: Visitor, rival: Visitor) -> None:
    host.open("/race")
    host.page.locator(".step-card .button").first.click()
    expect(host.page.locator(".invite")).to_be_visible()
    rival.open(host.path)
    expect(rival.page.locator(".race-lane")).to_have_count(1)
    rival.page.locator(".step-card .primary").first.click()
    expect(host.page.locator(".race-lane")).to_have_count(2)


STATES: Mapping[str, Callable[[Visitor, Visitor], None]] = {
    make.__name__: make
    for make in (
        *(free_seats, four_players, choosing_a_number, first_hint, taking_a_man, offered_draw),
        *(lost_by_resignation, won_against_a_bot, won_by_one_of_four, race_to_start),
    )
}


def every_page(host: Visitor, rival: Visitor) -> Iterator[str]:
    """Open every page and every state of a match or race, and yield the name of each."""
    for name, make in STATES.items():
        make(host, rival)
        yield name
    for path in PATHS:
        host.open(path)
        expect(host.page.locator("#page > *").first).to_be_visible()
        yield path


def begin(host: Visitor, rival: Visitor) -> None:
    """Begin a match in which both have moved."""
    host.open(host.create(MOVING, clock=CLOCK))
    rival.join(host.path)
    host.play("a4-b4")
    rival.play("g4-f4")
    expect(host.moves).to_have_count(2)


def faults_of_boxes(visitor: Visitor) -> list[str]:
    """Return what is still wrong with the boxes of a page's texts after a while."""
    return faults(visitor, _BOXES_SCRIPT)


def faults(visitor: Visitor, script: str, argument: object = None) -> list[str]:
    """Return what a script, a function that lists faults, still finds in a page after a while."""
    has_none = f"argument => ({script})(argument).length === 0"
    try:
        visitor.page.wait_for_function(has_none, arg=argument, timeout=_SETTLE_MS)
    except PlaywrightTimeoutError:
        found: list[str] = visitor.page.evaluate(script, argument)
        return found
    return []
