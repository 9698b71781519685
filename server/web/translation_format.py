"""The languages of the page, and the form of the catalogues that it loads."""

import re
from collections.abc import Mapping
from typing import TypeAlias

Catalogue: TypeAlias = Mapping[str, str | list[str]]
"""Translations by message; a list where there are plural forms. `PLURAL_RULE` says which form is for a number."""

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr", "es", "zh-Hans")
"""The languages of the page, as BCP 47 tags."""
PARTS = ("main", "rest", "embed")
"""What the first page needs, everything else, and what the board on other sites needs."""
CONTEXT_END = "\x04"
"""Separates the context of a message from the message, as in gettext's compiled files."""
PLURAL_RULE = ""
"""The key of gettext's expression for the number of the plural form, such as `n != 1`."""
PLACEHOLDER_IN_DOCUMENT = re.compile(r"\{\{(.+?)\}\}")
"""A text to translate in a document."""
