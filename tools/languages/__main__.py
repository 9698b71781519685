"""Brings the translations up to date, compiles them, and says what they lack: `python -m tools.languages`."""

from ..made_files import ROOT
from ..make import make
from .catalogues import TRANSLATED, problems, templates, update
from .compilation import read_translations

if __name__ == "__main__":
    update(ROOT)
    make()
    for template in templates(ROOT):
        for language in TRANSLATED:
            path = ROOT / template.folder / f"{language}.po"
            found = problems(template, read_translations(path))
            print(f"{path.relative_to(ROOT)}: {len(found)} problems", *found[:20], sep="\n    ")
