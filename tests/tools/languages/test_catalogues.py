"""Every text is translated into every language, and nothing is left over."""

import gzip
import re
from functools import cache

import pytest

from millrace.server.web.languages import catalogue_files, choose_language, translate_document
from millrace.server.web.translation_format import PARTS
from tests.project.repository import ROOT, read
from tools.languages.catalogues import TRANSLATED, Template, format_translations, problems, templates
from tools.languages.compilation import SHOWN_AT_ONCE, read_translations
from tools.languages.extraction import extract_javascript

MAX_FIRST_BYTES = 11_000
"""What the texts of the first page may add to a first visit, compressed."""
FOLDERS = (
    "client/languages",
    "engine/games/morris/languages",
    "engine/games/battlesheep/languages",
    "engine/games/mingmang/languages",
)


@cache
def found_templates() -> dict[str, Template]:
    return {template.folder: template for template in templates(ROOT)}


def test_the_page_and_each_game_that_ships_have_catalogues() -> None:
    assert tuple(found_templates()) == FOLDERS


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_catalogue_is_complete(folder: str, language: str) -> None:
    translated = read_translations(ROOT / folder / f"{language}.po")
    assert problems(found_templates()[folder], translated) == []


def test_the_texts_in_data_that_are_shown_at_once_exist() -> None:
    comments = {
        each
        for template in found_templates().values()
        for message in template.catalog
        for each in message.auto_comments
    }
    assert comments >= SHOWN_AT_ONCE


def test_missing_unused_and_broken_messages_are_found() -> None:
    template = found_templates()["client/languages"]
    translated = read_translations(ROOT / "client" / "languages" / "de.po")
    translated["Sign in"].string = ""
    translated["{name} left"].string = "{nam} ist gegangen"
    translated["{count} line"].string = ("{count} Variante",)
    translated.add("What nobody says", "Was niemand sagt")
    assert problems(template, translated) == [
        "1 of 2 plural forms: {count} line",
        "not translated: Sign in",
        "placeholders ['nam'] instead of ['name']: {name} left",
        "unused: What nobody says",
    ]


def test_bringing_a_catalogue_up_to_date_keeps_its_translations_and_its_glossary() -> None:
    template = found_templates()["engine/games/morris/languages"]
    path = ROOT / template.folder / "fr.po"
    written = format_translations(template, read_translations(path)).decode()
    without_version = re.compile(r"Generated-By: .*")
    assert without_version.sub("", written) == without_version.sub("", path.read_text("utf-8"))
    assert "# Glossary:" in written
    assert "#:" not in written


def test_messages_are_found_in_arguments_and_templates_and_after_spreads() -> None:
    script = b"""f(gettext("a", { b: gettext("b \\"q\\"") }), `${ngettext("one", "many", n)}`);
f(...gettextNodes("{c}", nodes));
const LATER = [later("d")]; // gettext("no")
gettext(variable); state.gettext("no"); pgettext("where", "e");"""

    class File:
        name = "a.js"

        def read(self) -> bytes:
            return script

    found = [arguments for _, _, arguments, _ in extract_javascript(File(), (), (), {})]  # type: ignore[arg-type]
    assert found == ["a", 'b "q"', ("one", "many"), "{c}", "d", ("where", "e")]


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "pt-BR, zh-TW;q=0.9, en;q=0.1", "zh-Hans"),
        ("", "en-GB, fr", "en"),
        ("", "fr;q=0.1, es;q=0.5", "es"),
        ("", "\u2028, ;q=, xx", "en"),
        ("a=b; millrace_language=es", "fr", "es"),
        ("millrace_language=zh-Hans; a=b", "fr", "zh-Hans"),
        ("millrace_language=klingon", "fr", "fr"),
        ("not_millrace_language=es", "fr", "fr"),
    ],
)
def test_the_language_is_the_chosen_one_or_else_the_browsers(cookie: str, accepted: str, language: str) -> None:
    assert choose_language(cookie, accepted) == language


def test_a_document_is_translated_and_names_its_catalogue() -> None:
    document = read("client/web/index.html")
    german = translate_document(document, "de", "main")
    assert '<html lang="de">' in german
    assert ">Einstellungen</a>" in german
    assert german.count('href="/static/language/de.main.json"') == 1
    english = translate_document(document, "en", "main")
    assert "{{" not in english
    assert "language/" not in english


def test_only_the_readers_language_is_loaded_in_parts_without_repeats() -> None:
    names = {f"language/{language}.{part}.json" for language in TRANSLATED for part in PARTS}
    files = catalogue_files()
    assert set(files) == names
    for language in TRANSLATED:
        assert len(gzip.compress(files[f"language/{language}.main.json"])) < MAX_FIRST_BYTES


def test_every_text_of_the_page_is_a_message() -> None:
    """Finds literals that are shown as they are, in the places where texts stand."""
    shown = re.compile(
        r"""(?:announce\(|toast\(|button\(|textContent\ =\ |document\.title\ =\ |
        "aria-label":\ |\b(?:title|placeholder|label|hint|words|headline|detail):\ |
        element\("(?:a|b|button|caption|d[dt]|em|h[1-6]|label|legend|li|option|p|span|strong|summary|t[dh])",
        \ \{[^{}]*\},\ )
        ["`](?:[A-Z][a-z]+[ .!?…:]|[A-Z][a-z]+["`]|[a-z]+\ [a-z]+)""",
        re.VERBOSE,
    )
    excepted = {"Millrace"}
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in (ROOT / "client" / "web").rglob("*.js")
        if path.name != "protocol.js"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (match := shown.search(line))
        and not any(f'"{word}"' in match[0] or f"`{word}" in match[0] for word in excepted)
    ]
    assert found == []
