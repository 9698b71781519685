"""A language of tests: every text of the catalogues in brackets, accented and longer, so that others stand out."""

import json
import re

from playwright.sync_api import BrowserContext, Route

from millrace.server.web.translation_format import CONTEXT_END, PLURAL_RULE, Catalogue

STANDS_FOR = "de"
"""The language in whose place it is."""
OPENING, CLOSING = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
_ACCENTED = str.maketrans("aceginosuyACEINOSUY", "àçéğîñöšüýÀÇÉÎÑÖŠÜÝ")
_PLACEHOLDER = re.compile(r"(\{\w+\})")
_LONGER = 0.3
"""By which part; German is about so much longer than English."""


def speak_pseudo_language(context: BrowserContext) -> None:
    """Let the pages of a context, whose locale is `STANDS_FOR`, load the pseudo-language instead."""
    context.route(f"**/language/{STANDS_FOR}.*.json", _fulfil)


def pseudo(message: str) -> str:
    """Return what stands for an English text.

    >>> pseudo("Play {game} now")
    '⟦Plày {game} ñöw⟧'
    """
    text = "".join(
        part if index % 2 else part.translate(_ACCENTED) for index, part in enumerate(_PLACEHOLDER.split(message))
    )
    filling = " ~~~~" * round(_LONGER / 5 * len(_PLACEHOLDER.sub("", message)))
    return f"{OPENING}{text}{filling}{CLOSING}"


def _fulfil(route: Route) -> None:
    catalogue: Catalogue = route.fetch().json()
    route.fulfill(body=json.dumps(_pseudo_of(catalogue)), content_type="application/json")


def _pseudo_of(catalogue: Catalogue) -> Catalogue:
    def of(key: str, text: str | list[str]) -> str | list[str]:
        if key == PLURAL_RULE:
            return text
        message = pseudo(key.rpartition(CONTEXT_END)[2])
        return message if isinstance(text, str) else [message] * len(text)

    return {key: of(key, text) for key, text in catalogue.items()}
