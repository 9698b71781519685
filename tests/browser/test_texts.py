"""Texts in the page: the plural form of a number is the one that gettext would choose."""

import gettext
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.serving import ServerProcess
from tests.tools.languages.plural_rules import ARABIC, POLISH, RUSSIAN

RULES = {
    "Chinese": "0",
    "German": "(n != 1)",
    "French": "(n > 1)",
    "Polish": POLISH[0].partition("plural=")[2].removesuffix(";"),
    "Russian": RUSSIAN[0].partition("plural=")[2].removesuffix(";"),
    "Arabic": ARABIC[0].partition("plural=")[2].removesuffix(";"),
    "Slovenian": "n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3",
    "Breton": "n%10==1 && !(n%100==11||n%100==71||n%100==91) ? 0 : n != 0 && n%1000000 == 0 ? 1 : 2",
    "every operator": "n*2-1 < 5 || n/3+1 >= 7 ? n<=4 == (n<3) && !(n>7) : (n%2 ? 2 : 1)",
}
NUMBERS = [*range(250), 1_000, 1_001, 1_011, 10_000, 999_999, 1_000_000, 1_000_002]


@pytest.fixture(scope="module")
def page(browser: Browser, one_server: ServerProcess) -> Iterator[Page]:
    """The page, whose security policy holds."""
    context = browser.new_context()
    shown = context.new_page()
    shown.goto(f"http://{one_server.address}/")
    yield shown
    context.close()


@pytest.mark.parametrize("language", RULES)
def test_the_page_chooses_the_plural_form_that_gettext_chooses(page: Page, language: str) -> None:
    form_of = gettext.c2py(RULES[language])
    script = """async ([rule, numbers]) => {
      const { parsePluralRule } = await import("/static/any/language/plural_rule.js");
      return numbers.map(parsePluralRule(rule));
    }"""
    chosen = page.evaluate(script, [RULES[language], NUMBERS])
    assert chosen == [form_of(number) for number in NUMBERS]


@pytest.mark.parametrize("rule", ["", "n ==", "n = 1", "(n", "n n", "n ? 1", "alert(1)", "n; 1"])
def test_an_invalid_plural_rule_is_refused(page: Page, rule: str) -> None:
    script = """async (rule) => {
      const { parsePluralRule } = await import("/static/any/language/plural_rule.js");
      try { return parsePluralRule(rule)(1); } catch (error) { return error.name; }
    }"""
    refusal = page.evaluate(script, rule)
    assert refusal == "SyntaxError"


def test_an_empty_text_stays_empty(page: Page) -> None:
    """The catalogues keep their plural rule under the empty message."""
    script = """async () => {
      const { addTranslations, gettext, useLocale } = await import("/static/any/language/texts.js");
      useLocale("de");
      addTranslations({ "": "(n != 1)" });
      return gettext("");
    }"""
    shown = page.evaluate(script)
    assert shown == ""


def test_a_text_has_the_plural_form_of_its_catalogue(page: Page) -> None:
    script = """async ([rule, forms, numbers]) => {
      const { addTranslations, ngettext, useLocale } = await import("/static/any/language/texts.js");
      useLocale("pl");
      addTranslations({ "": rule, "{count} move": forms });
      return numbers.map((number) => ngettext("{count} move", "{count} moves", number));
    }"""
    shown = page.evaluate(script, [RULES["Polish"], POLISH[1], [0, 1, 2, 5, 12, 22, 25]])
    assert shown == ["0 ruchów", "jeden ruch", "2 ruchy", "5 ruchów", "12 ruchów", "22 ruchy", "25 ruchów"]
