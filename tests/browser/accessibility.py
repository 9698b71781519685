"""What axe says of a page, and the page as a screen reader has it, for several tests."""

from importlib.resources import files

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

SIZES = ((1280, 800), (360, 740))
SCHEMES = ("light", "dark")

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


def expect_accessible(visitor: Visitor) -> None:
    """Have axe look at the page in both sizes, light and dark: it finds nothing. The page has exactly one main heading.

    The window and the scheme are afterwards the last of them.
    """
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    # In the page's own world, past its content security policy, as a browser's extension would.
    page.evaluate(_AXE)
    found: dict[str, list[str]] = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(_NEXT_FRAME_SCRIPT)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            for violation in page.evaluate(_RUN_AXE_SCRIPT):
                found.setdefault(violation, []).append(f"{width}x{height} {scheme}")
    assert found == {}, "\n".join(f"{violation} ({', '.join(where)})" for violation, where in found.items())
