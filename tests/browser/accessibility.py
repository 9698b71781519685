"""What axe says of a page, and the page as a screen reader has it, for several tests."""

from importlib.resources import files
from typing import Literal, TypeAlias

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

Looks: TypeAlias = tuple[tuple[int, int, Literal["light", "dark"]], ...]

LOOKS: Looks = ((1280, 800, "light"), (360, 740, "dark"))
"""Each size and each colour scheme once: what one has to do with the other is rare, and on the third ring."""
ALL_LOOKS: Looks = (*LOOKS, (1280, 800, "dark"), (360, 740, "light"))

_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
_RUN_AXE_SCRIPT = """async () => {
  const rules = { "target-size": { enabled: true }, "label-content-name-mismatch": { enabled: true } };
  const { violations } = await axe.run({ resultTypes: ["violations"], rules });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id} at ${target.join(" ")}: ${failureSummary.replaceAll("\\n", " ").slice(0, 300)}`));
}"""
"""Every rule of axe that is on by default, whatever its grade; the size of targets, which is new in WCAG 2.2; and that
what a control shows is part of its name."""

_NEXT_FRAME_SCRIPT = "() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))"
"""A page adapts to its window with the next frame."""


def expect_accessible(visitor: Visitor, looks: Looks = LOOKS) -> None:
    """Check that axe finds nothing in each size and colour scheme, and that the page has exactly one main heading.

    The page keeps the last size and scheme.
    """
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    # In the page's own world, past its content security policy, as a browser's extension would.
    page.evaluate(_AXE)
    found: dict[str, list[str]] = {}
    for width, height, scheme in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(_NEXT_FRAME_SCRIPT)
        for violation in page.evaluate(_RUN_AXE_SCRIPT):
            found.setdefault(violation, []).append(f"{width}x{height} {scheme}")
    assert found == {}, "\n".join(f"{violation} ({', '.join(where)})" for violation, where in found.items())
