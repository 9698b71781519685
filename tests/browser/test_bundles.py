"""Bundles evaluate like the modules that they are joined from, and style sheets apply like those that are minified."""

import random
from collections.abc import Mapping

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from millrace.server.web import bundles
from millrace.server.web.minifying import minify_script, minify_sheet
from tests.browser.random_scripts import random_modules
from tests.project.repository import ROOT

SITE = "http://modules.test/"
_RUN_SCRIPT = """async (address) => {
  globalThis.log = [];
  const { lazy } = globalThis;
  globalThis.lazy = [];
  await import(address);
  const atOnce = [...globalThis.log];
  for (const load of globalThis.lazy) globalThis.log.push(["loaded", JSON.stringify((await load()).result)]);
  return [atOnce, globalThis.log];
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    context: BrowserContext = browser.new_context()
    return context.new_page()


def run(page: Page, files: Mapping[str, bytes], entry: str) -> list[list[list[str]]]:
    """Evaluate a module in a new document; return what its modules noted at once, and after all pages were loaded."""

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(SITE)
        if name in files:
            route.fulfill(body=files[name], content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route(f"{SITE}**", serve)
    page.goto(SITE)
    noted: list[list[list[str]]] = page.evaluate(_RUN_SCRIPT, f"{SITE}{entry}")
    page.unroute(f"{SITE}**")
    return noted


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("small_bytes", [0, bundles.SMALL_BYTES])
def test_bundles_behave_like_their_modules(
    page: Page, monkeypatch: pytest.MonkeyPatch, seed: int, small_bytes: int
) -> None:
    monkeypatch.setattr(bundles, "SMALL_BYTES", small_bytes)
    modules = random_modules(random.Random(seed))
    joined = bundles.join_modules(modules, "main.js")
    minified = {path: minify_script(body.decode()).encode() for path, body in joined.files.items()}
    apart, together = run(page, modules, "main.js"), run(page, minified, joined.entry)
    assert sorted(together[1]) == sorted(apart[1])
    if small_bytes == 0:
        # Otherwise modules that pages share run at once.
        assert together[0] == apart[0]


def test_a_minified_style_sheet_has_the_same_rules(page: Page) -> None:
    script = """(sheets) => sheets.map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return [...sheet.cssRules].map((rule) => rule.cssText.replaceAll(/,\\s*/g, ","));
    })"""
    for path in (ROOT / "client" / "web").rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        as_written, minified = page.evaluate(script, [text, minify_sheet(text)])
        assert as_written
        assert minified == as_written, path.name
