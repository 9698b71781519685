"""The languages of the page: the choice for a reader, and the catalogues that the page loads.

A catalogue comes in parts, so that the first page loads only what it needs: `main`, `rest`, and `embed` for the board
on other sites. Those of the page and of the bots are in `client/languages`; a game may have its own in its folder
`languages`. `tools.make` compiles them.
"""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from millrace.engine.games import GAMES, package_of

from .translation_format import CONTEXT_END, ENGLISH, LANGUAGES, PARTS, PLACEHOLDER_IN_DOCUMENT, Catalogue

COOKIE = "millrace_language"
"""The cookie for the reader's choice of language; the page sets it."""
FOLDER = "language/"
"""The folder of the catalogues' parts among the page's files."""

_RANGE = re.compile(r"\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?", re.IGNORECASE)
_COOKIE = re.compile(rf"(?:^|;\s*){COOKIE}=([\w-]+)")


def choose_language(cookie: str, accepted: str) -> str:
    """Return the language for a request, by its headers `Cookie` and `Accept-Language` (RFC 9110, 12.5.4).

    >>> choose_language("", "pt, de-AT;q=0.8, en;q=0.5"), choose_language("millrace_language=fr", "de")
    ('de', 'fr')
    """
    chosen = _COOKIE.search(cookie)
    if chosen is not None and chosen[1] in LANGUAGES:
        return chosen[1]
    by_base = {language.partition("-")[0]: language for language in LANGUAGES}
    ranges = [found for each in accepted.split(",") if (found := _RANGE.fullmatch(each)) is not None]
    wanted = sorted(ranges, key=lambda found: -float(found[2] or 1))
    return next((by_base[found[1].lower()] for found in wanted if found[1].lower() in by_base), ENGLISH)


@cache
def translations(language: str) -> dict[str, Catalogue]:
    """Return the catalogue of a language by its parts; empty parts for English."""
    parts: dict[str, dict[str, str | list[str]]] = {part: {} for part in PARTS}
    for context, folder in _folders():
        file = folder / f"{language}.json"
        if file.is_file():
            for part, texts in _parts_of(json.loads(file.read_text("utf-8"))).items():
                parts[part] |= {f"{context}{message}": text for message, text in texts.items()}
    return {**parts}


def catalogue_files() -> dict[str, bytes]:
    """Return the parts of all catalogues as files of the page, by their paths."""
    return {
        f"{FOLDER}{language}.{part}.json": json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
        for language in LANGUAGES
        if language != ENGLISH
        for part, texts in translations(language).items()
    }


def translate_document(text: str, language: str, part: str) -> str:
    """Return a document in a language. It names the part of the catalogue that its script loads."""
    catalogue = translations(language)[part]

    def translate(found: re.Match[str]) -> str:
        message = html.unescape(found[1])
        return html.escape(str(catalogue.get(message, message)))

    text = PLACEHOLDER_IN_DOCUMENT.sub(translate, text).replace('<html lang="en">', f'<html lang="{language}">')
    if language == ENGLISH:
        return text
    preload = f'<link rel="preload" href="/static/{FOLDER}{language}.{part}.json" as="fetch" crossorigin>\n    '
    return text.replace('<script type="module"', preload + '<script type="module"')


def _parts_of(catalogue: dict[str, Any]) -> dict[str, Catalogue]:
    """Return the parts of a file, which may also be messages with their translations, as plug-ins bring them."""
    return catalogue if catalogue.keys() <= set(PARTS) else dict.fromkeys(("main", "embed"), catalogue)


def _folders() -> Iterator[tuple[str, Traversable]]:
    """Yield the folders of catalogues, each with the prefix of its messages on the page."""
    yield "", files("millrace.client") / "languages"
    for game in GAMES.values():
        yield f"{game.name}{CONTEXT_END}", files(package_of(game)) / "languages"
