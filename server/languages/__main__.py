"""Brings the translations up to date: `python -m millrace.server.languages`, in the root of the repository."""

from pathlib import Path

from .catalogues import TRANSLATED, problems, read_translations, templates, update

if __name__ == "__main__":
    root = Path.cwd()
    update(root)
    for template in templates(root):
        for language in TRANSLATED:
            path = root / template.folder / f"{language}.po"
            found = problems(template, read_translations(path, language))
            print(f"{path.relative_to(root)}: {len(found)} problems", *found[:20], sep="\n    ")
