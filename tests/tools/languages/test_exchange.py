"""A language goes to its translator as one file, and comes back."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from tools.languages.catalogues import Template, format_translations
from tools.languages.compilation import read_translations
from tools.languages.exchange import export_translations, import_translations

PAGE = {"{name} offers a draw.": "{name} bietet Remis an.", "Draw": "Remis"}
GAME = {"Draw": "Remis", "Split your stack": ""}


@pytest.fixture
def found(tmp_path: Path) -> Sequence[Template]:
    """The templates of two catalogues in German that share a message, in a folder of their own."""
    templates = []
    for folder, texts in (("client/languages", PAGE), ("game", GAME)):
        catalog, translated = Catalog(), read_translations(tmp_path / "de.po")
        for text, translation in texts.items():
            catalog.add(text)
            translated.add(text, translation)
        templates.append(Template(folder, catalog))
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "de.po").write_bytes(format_translations(templates[-1], translated))
    return templates


def texts_in(folder: Path) -> dict[str, str]:
    return {str(each.id): str(each.string) for each in read_translations(folder / "de.po") if each.id}


def test_a_file_has_every_message_once_and_changes_nothing_when_it_comes_back(
    tmp_path: Path, found: Sequence[Template]
) -> None:
    exported = export_translations(tmp_path, found, "de")
    assert exported.count(b'msgid "Draw"') == 1
    assert import_translations(tmp_path, found, "de", exported) == []
    assert (texts_in(tmp_path / "client/languages"), texts_in(tmp_path / "game")) == (PAGE, GAME)


def test_translations_are_taken_over_except_faulty_ones(tmp_path: Path, found: Sequence[Template]) -> None:
    exported = export_translations(tmp_path, found, "de").decode()
    changed = exported.replace('"Remis"', '"Unentschieden"').replace('"{name} bietet Remis an."', '"Remis?"')
    whole = changed.replace('"Split your stack"\nmsgstr ""', '"Split your stack"\nmsgstr "Teile"')
    faults = import_translations(tmp_path, found, "de", whole.encode())
    assert faults == ["placeholders [] instead of ['name']: {name} offers a draw."]
    assert texts_in(tmp_path / "client/languages") == PAGE | {"Draw": "Unentschieden"}
    assert texts_in(tmp_path / "game") == {"Draw": "Unentschieden", "Split your stack": "Teile"}
