"""Exchanges translations with translators: one file of a language goes out, for any editor of them, and comes back.

A message that several catalogues have is in the file once; contexts tell apart what means something else.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from .catalogues import Template, faults_of, format_translations
from .compilation import key_of, messages_of, numbers_by_form, read_translations


def export_translations(root: Path, found: Sequence[Template], language: str) -> bytes:
    """Return a `.po` file of the messages of all catalogues of a language, empty where they are not translated."""
    wanted, translated = Catalog(charset="utf-8"), read_translations(root / "client" / "languages" / f"{language}.po")
    for template in found:
        for message in messages_of(template.catalog):
            wanted.add(message.id, auto_comments=message.auto_comments, context=message.context)
        for message in messages_of(read_translations(root / template.folder / f"{language}.po")):
            if translated.get(message.id, message.context) is None:
                translated.add(message.id, message.string, context=message.context)
    return format_translations(Template("", wanted), translated)


def import_translations(root: Path, found: Sequence[Template], language: str, file: bytes) -> list[str]:
    """Take over the translations of an exported file, and return the faults of those that stay as they are.

    Raises: PoFileError for a file that cannot be read.
    """
    faults: list[str] = []
    received = read_po(BytesIO(file), abort_invalid=True)
    for template in found:
        path = root / template.folder / f"{language}.po"
        translated = read_translations(path)
        numbers = numbers_by_form(translated)
        for wanted in messages_of(template.catalog):
            message = received.get(wanted.id, wanted.context)
            if message is None or not message.string or not any(message.string):
                continue
            wrong = list(faults_of(wanted, message, translated.num_plurals, numbers))
            faults += [f"{fault}: {key_of(wanted)}" for fault in wrong]
            if not wrong:
                own = translated.get(wanted.id, wanted.context) or translated.add(wanted.id, context=wanted.context)
                own.string = message.string
        path.write_bytes(format_translations(template, translated))
    return sorted(set(faults))
