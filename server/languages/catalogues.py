"""Files of translations (`.po`, as gettext defines them) and what is compiled of them for the page.

There is one set for the page and the server, and one for each game that brings one. `update` writes what
`python -m millrace.server.languages` promises; `problems` says what still lacks.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from millrace.engine.games import SHIPPED

from ..web.bundles import join_modules
from ..web.languages import CONTEXT_END, ENGLISH, LANGUAGES, PARTS
from ..web.pages import read_folder
from .data_texts import DataText, texts_of_game, texts_of_server
from .extraction import KEYWORDS, PLACEHOLDER

TRANSLATED = tuple(language for language in LANGUAGES if language != ENGLISH)
DRAWN_TEXTS = {"Highlight": None, "Tally": None}
"""What games draw with texts, of which the first argument is shown."""
WIDTH = 120
_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""A date for the headers, which Babel demands: the repository has the true one."""


class Template(NamedTuple):
    """What one set of files translates."""

    folder: str
    """Where its files are, relative to the root of the repository."""
    catalog: Catalog
    parts: dict[str, frozenset[str]]
    """The parts of the catalogue that need a message, by the message's key."""


def templates(root: Path) -> Iterator[Template]:
    """Yield the template of the page and those of the games that bring translations."""
    yield _template_of_page(root)
    for game in SHIPPED:
        place = f"engine/games/{game.name}"
        drawn = extract_from_dir(root / place, [("**.py", "python")], {}, DRAWN_TEXTS)
        texts = [*texts_of_game(game), *(DataText(str(each[2]), "beside the board", "main") for each in drawn)]
        yield _template_of_data(f"{place}/languages", texts, place)


def read_translations(path: Path, language: str) -> Catalog:
    """Return the translations in a file; none if it does not exist."""
    locale = str(Locale.parse(language, sep="-"))
    if not path.exists():
        return Catalog(locale)
    with path.open("rb") as file:
        return read_po(file, locale)


def update(root: Path) -> None:
    """Bring every file up to date with the texts, and compile it."""
    for template in templates(root):
        for language in TRANSLATED:
            path = root / template.folder / f"{language}.po"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(format_translations(template, read_translations(path, language)))
            path.with_suffix(".json").write_text(compile_catalog(template, read_translations(path, language)), "utf-8")


def format_translations(template: Template, translated: Catalog) -> bytes:
    """Return the file of a catalogue, with the messages of the template and the translations that there are."""
    translated.update(template.catalog, no_fuzzy_matching=True, update_creation_date=False)
    translated.obsolete.clear()
    translated.project, translated.version, translated.fuzzy = "Millrace", "1", False
    translated.creation_date = translated.revision_date = _WRITTEN
    translated.last_translator = translated.language_team = translated.msgid_bugs_address = "Millrace"
    file = BytesIO()
    write_po(file, translated, width=WIDTH, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue()


def compile_catalog(template: Template, translated: Catalog) -> str:
    """Return the catalogue as the server reads it: JSON with a line for each message of each part."""
    parts: dict[str, dict[str, object]] = {part: {} for part in PARTS}
    for message in _messages(translated):
        if not all(_forms(message) or [""]):
            continue
        for part in template.parts.get(_key(message), frozenset()):
            parts[part][_key(message)] = _compiled(message, translated)
    return json.dumps(parts, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def problems(template: Template, translated: Catalog) -> list[str]:
    """Return what is wrong with a catalogue: missing and unused messages, plural forms and placeholders."""
    found = []
    wanted = {_key(message): message for message in _messages(template.catalog)}
    present = {_key(message): message for message in _messages(translated)}
    found += [f"missing: {key}" for key in wanted.keys() - present.keys()]
    found += [f"unused: {key}" for key in present.keys() - wanted.keys()]
    for key in wanted.keys() & present.keys():
        found += [f"{problem}: {key}" for problem in _faults(wanted[key], present[key], translated.num_plurals)]
    return sorted(found)


def _faults(wanted: Message, translated: Message, plurals: int) -> Iterator[str]:
    forms = _forms(translated)
    if not forms or not all(forms):
        yield "not translated"
        return
    if translated.fuzzy:
        yield "fuzzy"
    if wanted.pluralizable and len(forms) != plurals:
        yield f"{len(forms)} of {plurals} plural forms"
    names = set(PLACEHOLDER.findall(wanted.id if isinstance(wanted.id, str) else wanted.id[-1]))
    for form in forms:
        has = set(PLACEHOLDER.findall(form))
        # A form that is for one thing alone may say "one" instead of the number.
        if has != names and not (wanted.pluralizable and plurals > 1 and has == names - {"count"}):
            yield f"placeholders {sorted(has)} instead of {sorted(names)}"


def _template_of_page(root: Path) -> Template:
    catalog, parts = Catalog(charset="utf-8"), dict[str, frozenset[str]]()
    content = read_folder(root / "client" / "web")
    main, embed = (
        {name for name in content if f"\n// {name}\n".encode() in bundle}
        for bundle in (_entry_bundle(content, "main.js"), _entry_bundle(content, "embed/embed.js"))
    )
    main, embed = main | {"index.html"}, embed | {"embed/embed.html"}
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]
    methods = [(each["pattern"], each["method"]) for each in settings["mappings"]]
    for place, line, message, comments, context in sorted(
        extract_from_dir(root, methods, {}, KEYWORDS), key=lambda found: (found[0], found[1])
    ):
        catalog.add(message, locations=[(place, line)], auto_comments=comments, context=context)
        name = place.removeprefix("client/web/")
        needed = {part for part, names in (("main", main), ("embed", embed)) if name in names} or {"rest"}
        key = _key(Message(message, context=context))
        parts[key] = parts.get(key, frozenset()) | needed
    data = _template_of_data("", texts_of_server(), "server")
    for added in _messages(data.catalog):
        catalog.add(added.id, locations=added.locations, auto_comments=added.auto_comments)
    for key, needed_by in data.parts.items():
        parts[key] = parts.get(key, frozenset()) | needed_by
    return Template("client/languages", catalog, {key: _without_repeats(each) for key, each in parts.items()})


def _template_of_data(folder: str, texts: Iterable[DataText], place: str) -> Template:
    catalog, parts = Catalog(charset="utf-8"), dict[str, frozenset[str]]()
    for text in texts:
        catalog.add(text.message, locations=[(place, 1)], auto_comments=[text.comment])
        needed = {text.part, "embed"} if text.part == "main" else {text.part}
        parts[text.message] = parts.get(text.message, frozenset()) | needed
    return Template(folder, catalog, {key: _without_repeats(each) for key, each in parts.items()})


def _entry_bundle(content: Mapping[str, bytes], script: str) -> bytes:
    bundles = join_modules(content, script)
    return bundles.files[bundles.entry]


def _without_repeats(parts: frozenset[str]) -> frozenset[str]:
    """Leave `rest` out where `main` has the message: a page that loads one has loaded the other."""
    return parts - {"rest"} if "main" in parts else parts


def _messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def _key(message: Message) -> str:
    """Return the key of a message in the page's catalogue."""
    first = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}{CONTEXT_END}{first}" if message.context else first


def _forms(message: Message) -> list[str]:
    """Return the plural forms of a translation, or its only one."""
    if isinstance(message.string, str):
        return [message.string]
    return [*(message.string or ())]


def _compiled(message: Message, catalog: Catalog) -> str | dict[str, str]:
    if isinstance(message.string, str):
        return message.string
    forms = _forms(message)
    category_of = Locale.parse(str(catalog.locale)).plural_form
    # The categories of CLDR and the forms of gettext are numbered differently; a sample of numbers shows both.
    sample = [*range(200), *(10**power for power in range(3, 10))]
    by_category = {category_of(count): forms[_form_of(catalog, count)] for count in sample}
    return dict(sorted({"other": forms[-1], **by_category}.items()))


def _form_of(catalog: Catalog, count: int) -> int:
    """Return the number of gettext's plural form for a count."""
    if catalog.num_plurals == 1:
        return 0
    return int(count > 1) if str(catalog.locale) == "fr" else int(count != 1)
