"""Brings the translations up to date, compiles them, and says what they lack: `python -m tools.languages`.

`python -m tools.languages export de FILE` writes all messages of a language to a file for its translator, and
`python -m tools.languages import de FILE` takes the translations over.
"""

import sys
from pathlib import Path

from ..made_files import ROOT
from ..make import make
from .catalogues import TRANSLATED, problems, templates, update
from .compilation import read_translations
from .exchange import export_translations, import_translations


def check() -> None:
    """Bring the catalogues up to date, and print what they lack."""
    update(ROOT)
    make()
    for template in templates(ROOT):
        for language in TRANSLATED:
            path = ROOT / template.folder / f"{language}.po"
            found = problems(template, read_translations(path))
            print(f"{path.relative_to(ROOT)}: {len(found)} problems", *found[:20], sep="\n    ")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            check()
        case ["export", language, file] if language in TRANSLATED:
            Path(file).write_bytes(export_translations(ROOT, [*templates(ROOT)], language))
        case ["import", language, file] if language in TRANSLATED:
            print(*import_translations(ROOT, [*templates(ROOT)], language, Path(file).read_bytes()), sep="\n")
            make()
        case _:
            sys.exit(f"python -m tools.languages [export | import] [{' | '.join(TRANSLATED)}] FILE")
