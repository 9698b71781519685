"""Pages do not jump while they load: their cumulative layout shift, as browsers measure it."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visit

MAX_SHIFT = 0.05
_SUM_SHIFTS_SCRIPT = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), (360, 740), (740, 360)])
def test_the_archive_keeps_its_place_while_it_loads(visit: Visit, size: tuple[int, int]) -> None:
    reader = visit(*size)
    reader.page.add_init_script(_SUM_SHIFTS_SCRIPT)
    reader.open("/archive")
    expect(reader.page.locator(".archive-results")).not_to_contain_text("Searching…")
    shift = reader.page.evaluate("() => window.shift")  # of all that has been loaded: it grows no more
    assert shift < MAX_SHIFT
