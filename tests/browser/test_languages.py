"""The page in every language: which one is shown, how it is changed, and that its words have room."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from millrace.server.web.translation_format import LANGUAGES
from tests.browser.accounts import PASSWORD, fill, member
from tests.browser.first_visit import Traffic
from tests.browser.visitor import OWN_BOTH, Visit, Visitor
from tests.project.repository import ROOT
from tests.serving import ServerProcess

BROWSERS = {"en": "en-GB", "de": "de-AT", "fr": "fr-CA", "es": "es-MX", "zh-Hans": "zh-CN"}
"""A browser's language for each language of the page."""
PLAY = {"en": "Play", "de": "Spielen", "fr": "Jouer", "es": "Jugar", "zh-Hans": "开始对局"}
PATHS = (
    *("/", "/learn", "/learn/morris", "/puzzles", "/watch", "/players", "/archive", "/analysis", "/leaders"),
    *("/settings", "/account", "/offline", "/nowhere"),
)
OTHERS = [pytest.param(each, marks=pytest.mark.slow) for each in LANGUAGES if each not in {"de", "en"}]
"""Of them German has the longest words, so that it is tried first."""

_FIRST_TEXTS_SCRIPT = """() => {
  window.shownTexts = new Set();
  const note = () => {
    const nodes = document.querySelectorAll("#site-links a, .site-menu, h1");
    for (const node of nodes) window.shownTexts.add(node.textContent);
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
}"""

_LINKS_FIT_SCRIPT = """() => {
  const shown = [...document.querySelectorAll("#site-links a")].filter((link) => link.offsetWidth > 0);
  const tools = document.getElementById("header-tools").getBoundingClientRect();
  const fits = shown.length > 0 && shown.every((link) => link.getBoundingClientRect().right <= tools.left + 1);
  return fits !== document.getElementById("site-menu").offsetWidth > 0;
}"""
"""Either all links of the site are in sight, or the button that leads to them."""


def expect_language(page: Page, language: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".play-now")).to_have_text(PLAY[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_is_shown_and_never_english_before_it(visit: Visit, language: str) -> None:
    visitor = visit(locale=BROWSERS[language])
    visitor.page.add_init_script(f"({_FIRST_TEXTS_SCRIPT})()")
    visitor.open()
    expect_language(visitor.page, language)
    shown = visitor.page.evaluate("[...window.shownTexts]")
    assert ("Settings" in shown) == (language == "en"), shown


@pytest.mark.slow
def test_an_unknown_language_falls_back_to_english(visit: Visit) -> None:
    visitor = visit(locale="pt-BR").open()
    expect_language(visitor.page, "en")


def test_a_guest_changes_the_language_during_a_match_and_keeps_match_and_language(visit: Visit) -> None:
    visitor = visit()
    visitor.open(visitor.create("", OWN_BOTH))
    visitor.click("a1")
    expect(visitor.page.locator(".move")).to_have_count(1)
    visitor.page.evaluate("window.isSamePage = true")
    visitor.page.get_by_role("combobox", name="Language").select_option("de")
    expect(visitor.page.locator("html")).to_have_attribute("lang", "de")
    expect(visitor.page.get_by_role("link", name="Einstellungen")).to_be_visible()
    expect(visitor.page.locator(".status-panel")).to_contain_text("Schwarz am Zug")
    expect(visitor.page.locator(".move")).to_have_count(1)
    visitor.page.wait_for_function("() => window.isSamePage === true")
    visitor.click("d1")
    expect(visitor.page.locator(".move")).to_have_count(2)
    visitor.open("/settings")
    expect(visitor.page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    visitor.page.locator(".settings-page").get_by_label("Sprache").select_option("browser")
    expect(visitor.page.get_by_role("heading", name="Settings")).to_be_visible()


def test_a_language_follows_an_account_to_another_device(visit: Visit) -> None:
    computer, name = member(visit)
    computer.open("/settings")
    computer.page.locator(".settings-page").get_by_label("Language").select_option("fr")
    expect(computer.page.get_by_role("heading", name="Réglages")).to_be_visible()
    expect(computer.page.locator(".settings-page .note")).to_contain_text("pour tous vos appareils")
    phone = visit(360, 740).open()
    expect_language(phone.page, "en")
    phone.page.get_by_role("link", name="Sign in").click()
    fill(phone, "Sign in", name=name, password=PASSWORD)
    expect(phone.page.locator("html")).to_have_attribute("lang", "fr")
    phone.open()
    expect_language(phone.page, "fr")


def test_the_servers_messages_are_in_the_readers_language(visit: Visit) -> None:
    visitor = visit(locale="es").open("/account")
    form = visitor.page.locator("form.sign-in, form.account-form").filter(has=visitor.page.get_by_label("Contraseña"))
    last = form.filter(has_text=re.compile("cuenta existente"))
    last.get_by_label("Nombre").fill("Nobody")
    last.get_by_label("Contraseña", exact=True).fill("wrong password")
    last.get_by_role("button", name="Entrar", exact=True).click()
    expect(visitor.page.get_by_text("El nombre o la contraseña no son correctos.")).to_be_visible()
    visitor.open("/learn/battlesheep")
    expect(visitor.page.get_by_role("heading", name="Coloca tu pila")).to_be_visible()


@pytest.mark.parametrize("language", ["de", *OTHERS])
def test_every_page_fits_its_texts_on_a_phone(visit: Visit, language: str) -> None:
    visitor = visit(360, 740, locale=BROWSERS[language])
    for path in PATHS:
        visitor.expected_problem = "404" if path == "/nowhere" else "no problem"
        visitor.open(path)
        expect(visitor.page.locator("#page > *").first).to_be_visible()
        visitor.expect_no_overflow()
    visitor.open(visitor.create("", OWN_BOTH))
    expect(visitor.page.locator(".actions")).to_be_visible()
    visitor.expect_no_overflow()


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.slow), *OTHERS])
def test_links_that_do_not_fit_are_in_a_menu(visit: Visit, language: str) -> None:
    visitor = visit(locale=BROWSERS[language]).open()
    for width in (1280, 1000, 900, 768, 740, 600, 360):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        visitor.page.wait_for_function(_LINKS_FIT_SCRIPT)
        visitor.expect_no_overflow()


@pytest.mark.slow
def test_a_first_visit_in_another_language_takes_one_request_more(browser: Browser, server: ServerProcess) -> None:
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    traffic = Traffic(context.new_cdp_session(page))
    visitor = Visitor(page, server).open()
    expect(page.locator(".play-now")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    assert [url for url in traffic.urls if ".json" in url and "language" in url] == [
        next(url for url in traffic.urls if url.endswith("language/de.main.json"))
    ]
    assert visitor.problems == []
    context.close()


def test_style_sheets_use_logical_directions() -> None:
    """So that a language from right to left needs nothing else; what is centred or turns is not concerned."""
    physical = re.compile(
        r"(?:(?:margin|padding|border)-(?:left|right)|^\s*(?:left|right)|text-align: (?:left|right))\b"
    )
    excepted = {"left: 50%;", "border-right-color: transparent;"}
    found = [
        f"{path.name}: {line.strip()}"
        for path in [*(ROOT / "client" / "web").rglob("*.css")]
        for line in path.read_text("utf-8").splitlines()
        if physical.search(line) and line.strip() not in excepted
    ]
    assert found == []
