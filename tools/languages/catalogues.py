"""Files of translations (`.po`, as gettext defines them): bringing them up to date, and what they lack.

There is one set for the page and the server, and one for each game that brings one.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from millrace.engine.game.texts import DataText, texts_of_game
from millrace.engine.games import SHIPPED
from millrace.server.web.translation_format import ENGLISH, LANGUAGES

from .compilation import forms_of, key_of, messages_of, numbers_by_form, read_translations
from .data_texts import texts_of_server
from .extraction import KEYWORDS, PLACEHOLDER

TRANSLATED = tuple(language for language in LANGUAGES if language != ENGLISH)
DRAWN_TEXTS = {"Highlight": None, "Tally": None}
"""Things with texts that games draw; the first argument is shown."""
WIDTH = 120
_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""A date for the headers, which Babel demands: the repository has the true one."""


class Template(NamedTuple):
    """The translations in one set of files."""

    folder: str
    """Where its files are, relative to the root of the repository."""
    catalog: Catalog


def templates(root: Path) -> Iterator[Template]:
    """Yield the template of the page and those of the games that bring translations."""
    yield _template_of_page(root)
    for game in SHIPPED:
        place = f"engine/games/{game.name}"
        drawn = extract_from_dir(root / place, [("**.py", "python")], {}, DRAWN_TEXTS)
        texts = [*texts_of_game(game), *(DataText(str(each[2]), "beside the board") for each in drawn)]
        yield _template_of_data(f"{place}/languages", texts, place)


def update(root: Path) -> None:
    """Bring every file up to date with the texts."""
    for template in templates(root):
        for language in TRANSLATED:
            path = root / template.folder / f"{language}.po"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(format_translations(template, read_translations(path)))


def format_translations(template: Template, translated: Catalog) -> bytes:
    """Return the file of a catalogue, with the messages of the template and the translations that there are."""
    translated.update(template.catalog, no_fuzzy_matching=True, update_creation_date=False)
    translated.obsolete.clear()
    translated.project, translated.version, translated.fuzzy = "Millrace", "1", False
    translated.creation_date = translated.revision_date = _WRITTEN
    translated.last_translator = translated.language_team = translated.msgid_bugs_address = "Millrace"
    for message in translated:
        message.flags &= {"fuzzy"}  # Babel adds what placeholders look like; `problems` compares them anyway
    file = BytesIO()
    write_po(file, translated, width=WIDTH, sort_by_file=True, ignore_obsolete=True, no_location=True)
    return file.getvalue()


def problems(template: Template, translated: Catalog) -> list[str]:
    """Return the faults of a catalogue: missing and unused messages, plural forms and placeholders."""
    try:
        numbers = numbers_by_form(translated)
    except ValueError as error:
        return [f"the header Plural-Forms: {error}"]
    wanted = {key_of(message): message for message in messages_of(template.catalog)}
    present = {key_of(message): message for message in messages_of(translated)}
    found = [f"missing: {key}" for key in wanted.keys() - present.keys()]
    found += [f"unused: {key}" for key in present.keys() - wanted.keys()]
    if not numbers.keys() <= set(range(translated.num_plurals)):
        found.append(f"the header Plural-Forms: the rule has form {max(numbers)}, of {translated.num_plurals}")
    for key in wanted.keys() & present.keys():
        found += [
            f"{problem}: {key}" for problem in faults_of(wanted[key], present[key], translated.num_plurals, numbers)
        ]
    return sorted(found)


def faults_of(wanted: Message, translated: Message, plurals: int, numbers: Mapping[int, list[int]]) -> Iterator[str]:
    """Yield what is wrong with a translation. `numbers` are those for each of the `plurals` forms of its language."""
    forms = forms_of(translated)
    if not forms or not all(forms):
        yield "not translated"
        return
    if translated.fuzzy:
        yield "fuzzy"
    if wanted.pluralizable and len(forms) != plurals:
        yield f"{len(forms)} of {plurals} plural forms"
    names = set(PLACEHOLDER.findall(wanted.id if isinstance(wanted.id, str) else wanted.id[-1]))
    for index, form in enumerate(forms):
        has = set(PLACEHOLDER.findall(form))
        # A form that is for one number alone may name it instead. French has 0 in the form of 1, and says neither.
        may_name = wanted.pluralizable and len(set(numbers.get(index, ())) - {0}) <= 1
        if has != names and not (may_name and has == names - {"count"}):
            yield f"placeholders {sorted(has)} instead of {sorted(names)}"


def _template_of_page(root: Path) -> Template:
    catalog = Catalog(charset="utf-8")
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]
    methods = [(each["pattern"], each["method"]) for each in settings["mappings"]]
    for place, line, message, comments, context in sorted(
        extract_from_dir(root, methods, {}, KEYWORDS), key=lambda found: (found[0], found[1])
    ):
        catalog.add(message, locations=[(place, line)], auto_comments=comments, context=context)
    for added in messages_of(_template_of_data("", texts_of_server(), "server").catalog):
        catalog.add(added.id, locations=added.locations, auto_comments=added.auto_comments)
    return Template("client/languages", catalog)


def _template_of_data(folder: str, texts: Iterable[DataText], place: str) -> Template:
    catalog = Catalog(charset="utf-8")
    for text in texts:
        catalog.add(text.message, locations=[(place, 1)], auto_comments=[text.comment])
    return Template(folder, catalog)
