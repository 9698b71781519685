"""Compiled catalogues: each message in the parts that need it, with its plural forms."""

import json
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from tests.tools.languages.plural_rules import ARABIC, POLISH, RUSSIAN
from tools.languages.catalogues import Template, problems
from tools.languages.compilation import compile_catalog, numbers_by_form, read_translations
from tools.languages.extraction import PLACEHOLDER


def catalogue(folder: Path, language: str, plural_forms: str, forms: list[str]) -> Catalog:
    """Return a catalogue that is read from a file, with a message that has plural forms and one that has none."""
    lines = [
        'msgid ""',
        'msgstr ""',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {plural_forms}\\n"',
        "",
        'msgid "{count} move"',
        'msgid_plural "{count} moves"',
        *(f'msgstr[{index}] "{form}"' for index, form in enumerate(forms)),
        "",
        "#. the name of a seat",
        'msgid "White"',
        'msgstr "W"',
    ]
    path = folder / f"{language}.po"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_translations(path)


def template() -> Template:
    wanted = Catalog()
    wanted.add(("{count} move", "{count} moves"))
    wanted.add("White")
    return Template("", wanted)


@pytest.mark.parametrize(("language", "rule", "forms"), [("pl", *POLISH), ("ru", *RUSSIAN), ("ar", *ARABIC)])
def test_a_catalogue_keeps_all_its_plural_forms_and_its_rule(
    tmp_path: Path, language: str, rule: str, forms: list[str]
) -> None:
    translated = catalogue(tmp_path, language, rule, forms)
    assert problems(template(), translated) == []
    compiled = json.loads(compile_catalog(translated, {"{count} move": frozenset({"main"})}))
    assert compiled["main"] == {
        "": rule.partition("plural=")[2].removesuffix(";"),
        "{count} move": forms,
        "White": "W",
    }
    assert compiled["rest"] == {}
    assert compiled["embed"].keys() == {"", "White"}


def test_a_message_that_the_first_page_does_not_need_is_in_the_rest(tmp_path: Path) -> None:
    compiled = json.loads(compile_catalog(catalogue(tmp_path, "pl", *POLISH), {}))
    assert compiled["rest"] == {"{count} move": POLISH[1]}


def test_a_message_without_a_translation_is_left_out(tmp_path: Path) -> None:
    compiled = json.loads(compile_catalog(catalogue(tmp_path, "pl", POLISH[0], ["ruch", "", "ruchów"]), {}))
    assert compiled["rest"] == {}


@pytest.mark.parametrize(
    ("language", "rule", "forms", "found"),
    [
        ("pl", POLISH[0], POLISH[1][:2], "not translated: {count} move"),
        ("pl", POLISH[0].replace("=3", "=2"), POLISH[1][:2], "the header Plural-Forms: the rule has form 2, of 2"),
        (
            "pl",
            "nplurals=2; plural=(n==);",
            POLISH[1][:2],
            "the header Plural-Forms: unexpected token in plural form: )",
        ),
        # 21 and 31 have this form too, so their number must be shown.
        ("ru", RUSSIAN[0], ["ход", *RUSSIAN[1][1:]], "placeholders [] instead of ['count']: {count} move"),
    ],
)
def test_wrong_plural_forms_are_found(tmp_path: Path, language: str, rule: str, forms: list[str], found: str) -> None:
    assert found in problems(template(), catalogue(tmp_path, language, rule, forms))


def test_the_numbers_of_a_form_follow_from_the_rule(tmp_path: Path) -> None:
    numbers = numbers_by_form(catalogue(tmp_path, "ar", *ARABIC))
    assert [numbers[form][:3] for form in range(6)] == [[0], [1], [2], [3, 4, 5], [11, 12, 13], [100, 101, 102]]
    assert all(PLACEHOLDER.search(form) for form in ARABIC[1][3:])
