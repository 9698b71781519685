"""A language goes to its translator as one file, and comes back."""

import shutil
from pathlib import Path

import pytest

from tests.project.repository import ROOT
from tools.languages.catalogues import templates
from tools.languages.compilation import read_translations
from tools.languages.exchange import export_translations, import_translations


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the catalogues are made from, in a folder that may be changed."""
    for folder in ("client", "engine", "protocol", "server"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def catalogues(root: Path, language: str) -> dict[str, bytes]:
    return {each.folder: (root / each.folder / f"{language}.po").read_bytes() for each in templates(root)}


def test_a_file_that_comes_back_unchanged_changes_nothing(copy: Path) -> None:
    before = catalogues(copy, "fr")
    assert import_translations(copy, "fr", export_translations(copy, "fr")) == []
    assert catalogues(copy, "fr") == before


def test_translations_are_taken_over_except_faulty_ones(copy: Path) -> None:
    exported = export_translations(copy, "de").decode()
    page, game = copy / "client/languages/de.po", copy / "engine/games/battlesheep/languages/de.po"
    text = read_translations(page).get("{name} offers a draw.").string
    first = next(each for each in read_translations(game) if each.id)
    changed = exported.replace(f'"{text}"', '"Remis?"').replace(f'"{first.string}"', '"Neue Worte."')
    faults = import_translations(copy, "de", changed.encode())
    assert faults == ["placeholders [] instead of ['name']: {name} offers a draw."]
    assert read_translations(page).get("{name} offers a draw.").string == text
    assert read_translations(game).get(first.id).string == "Neue Worte."
