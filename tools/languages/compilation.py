"""Compiles translations (`.po`, as gettext defines them) to what the server reads: JSON, in the parts that pages load.

Needs neither the engine nor the server's libraries, since it runs when Millrace is installed.
"""

import gettext
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from millrace.server.web.bundles import join_modules
from millrace.server.web.translation_format import CONTEXT_END, PARTS, PLURAL_RULE

from .extraction import extract_document, extract_javascript

ENTRIES = {"main": ("index.html", "main.js"), "embed": ("embed/embed.html", "embed/embed.js")}
"""The documents that load a part first, each with its script."""
SHOWN_AT_ONCE = frozenset(
    {
        "a bot, in one line",
        "a level of bots",
        "beside the board",
        "how a match between bots ended",
        "how a match ended",
        "the database fails, or answers again",
        "the game, in one line",
        "the name of a bot",
        "the name of a seat",
        "the name of the game",
        "where a match begins",
    }
)
"""The texts in data that the first page shows, by the comments of `data_texts` on them."""


def compile_languages(root: Path) -> Mapping[str, str]:
    """Return the compiled catalogue of each `.po` file, by its path in the repository."""
    folders = {root / "client" / "languages": parts_of_page(root)}
    folders |= {folder: {} for folder in root.glob("engine/games/*/languages")}
    return {
        path.with_suffix(".json").relative_to(root).as_posix(): compile_catalog(read_translations(path), parts)
        for folder, parts in folders.items()
        for path in folder.glob("*.po")
    }


def read_translations(path: Path) -> Catalog:
    """Return the translations in a file, whose name is the language; none if it does not exist."""
    locale = str(Locale.parse(path.stem, sep="-"))
    if not path.exists():
        return Catalog(locale)
    with path.open("rb") as file:
        return read_po(file, locale)


def parts_of_page(root: Path) -> Mapping[str, frozenset[str]]:
    """Return which of `main` and `embed` need the page's messages, by their keys."""
    web = root / "client" / "web"
    content = {path.relative_to(web).as_posix(): path.read_bytes() for path in web.rglob("*.js")}
    parts: dict[str, frozenset[str]] = {}
    for part, (document, script) in ENTRIES.items():
        bundles = join_modules(content, script)
        for name in (document, *bundles.modules):
            extract = extract_document if name == document else extract_javascript
            with (web / name).open("rb") as file:
                for _, function, arguments, _ in extract(file, (), (), {}):
                    key = _key_of_call(function, arguments)
                    parts[key] = parts.get(key, frozenset()) | {part}
    return parts


def compile_catalog(translated: Catalog, parts_of_page: Mapping[str, frozenset[str]]) -> str:
    """Return a catalogue as the server reads it: JSON with a line for each message of each part.

    A message with plural forms has a list of them; the catalogue's rule says which of them is for a number.
    """
    parts: dict[str, dict[str, str | list[str]]] = {part: {} for part in PARTS}
    for part in ENTRIES:
        parts[part][PLURAL_RULE] = translated.plural_expr
    for message in messages_of(translated):
        forms = forms_of(message)
        if not forms or not all(forms):
            continue
        needed = set(parts_of_page.get(key_of(message), ()))
        if SHOWN_AT_ONCE.intersection(message.auto_comments):
            needed |= {"main", "embed"}
        # A page that loads `rest` has loaded `main`.
        for part in needed if "main" in needed else {*needed, "rest"}:
            parts[part][key_of(message)] = forms if message.pluralizable else forms[0]
    return json.dumps(parts, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def messages_of(catalog: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalogue, without its header."""
    return (message for message in catalog if message.id)


def key_of(message: Message) -> str:
    """Return the key of a message in the page's catalogue."""
    first = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}{CONTEXT_END}{first}" if message.context else first


def forms_of(message: Message) -> list[str]:
    """Return the plural forms of a translation, or its only one."""
    if isinstance(message.string, str):
        return [message.string]
    return [*(message.string or ())]


def numbers_by_form(catalog: Catalog) -> Mapping[int, list[int]]:
    """Return the numbers below 1,000 for each plural form. Raises: ValueError for an invalid rule."""
    form_of = gettext.c2py(catalog.plural_expr)
    numbers: dict[int, list[int]] = {}
    for number in range(1_000):
        numbers.setdefault(form_of(number), []).append(number)
    return numbers


def _key_of_call(function: str, arguments: str | tuple[str, ...]) -> str:
    if isinstance(arguments, str):
        return arguments
    return CONTEXT_END.join(arguments) if function == "pgettext" else arguments[0]
