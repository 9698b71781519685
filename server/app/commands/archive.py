"""The commands `millrace export` and `millrace import`: write the archive to a file, and files to the archive.

They use the database directly, also while a server is running.
"""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO, TypeVar

import typer

from millrace.protocol import MatchId

from ...archive.archive_query import ArchiveQuery, Cursor
from ...archive.archive_store import ArchiveStore
from ...archive.forms import FORMS, Form
from ...archive.import_store import encode_record, record_insertion
from ...archive.imports import entries_of, origin_of
from ...archive.record import MatchRecord, RecordError
from ...archive.record_reader import ReadMatch, read_matches
from ...archive.text_encoding import decode_text
from ...matches.finish import finish_from
from ...matches.match_ids import ID_BITS, match_id_of
from ...runtime.system_clock import steady_clock
from ...storage.errors import StorageError
from ..stores import Stores, open_existing_storage, open_storage
from .output import exit_on, number_of, progress_after_a_while

_R = TypeVar("_R")

PAGE = 200
STANDARD_OUTPUT = Path("-")
IMPORTER = "console"
"""The importer's name in the record of imported matches."""


class _Exported(NamedTuple):
    """The number of matches written, and of matches that the form cannot express."""

    written: int
    left_out: int


def export_archive(address: str, file: Path, site: str, matches: Sequence[str], form: str) -> None:
    """Write the matches with some ids, or all finished ones, newest first, to a file, or to standard output for `-`.

    The form is the named one of `FORMS`, or that of the file name, or text. Matches are written one by one.
    """
    with exit_on(RecordError):
        chosen = _form_of(file, form)
    exported = _run(_export(address, file, site, tuple(map(MatchId, matches)), chosen))
    left_out = (
        f" {exported.left_out:,} were left out, which {chosen.title} cannot express." if exported.left_out else ""
    )
    if file != STANDARD_OUTPUT:
        typer.echo(f"Wrote {number_of(exported.written, 'match')} to {file}.{left_out}")
    elif left_out:
        typer.echo(left_out.strip(), err=True)


def import_archive(address: str, files: Sequence[Path], game: str, encoding: str = "") -> None:
    """Store the new matches of some files in the archive, marked as imported.

    `encoding` is that of files that are not in UTF-8.
    """
    stored, known = _run(_import(address, files, game, encoding))
    already = f"; {known:,} {'was' if known == 1 else 'were'} already in the archive" if known else ""
    typer.echo(f"Imported {number_of(stored, 'match')}{already}.")


def _run(work: Coroutine[None, None, _R]) -> _R:
    with exit_on(OSError, RecordError, StorageError):
        return asyncio.run(work)


def _form_of(file: Path, name: str) -> Form:
    """Return the form with a name, or else that of a file. Raises: RecordError."""
    if name and name not in FORMS:
        raise RecordError(f"There is no form {name!r}; there are {', '.join(FORMS)}.")
    by_suffix = {".ndjson": "json", **{form.suffix: each for each, form in FORMS.items() if each != "txt"}}
    return FORMS[name or next((each for suffix, each in by_suffix.items() if file.name.endswith(suffix)), "txt")]


async def _export(address: str, file: Path, site: str, matches: Sequence[MatchId], form: Form) -> _Exported:
    stores, written, left_out = await open_existing_storage(address), 0, 0
    try:
        with _opened(file) as out, progress_after_a_while("Writing", None) as step:
            async for record in _chosen(stores.archive, matches) if matches else _records(stores.archive):
                try:
                    out.write(form.text_of(record, f"{site.rstrip('/')}/match/{record.id}"))
                    written += 1
                except RecordError as error:
                    if matches:
                        raise RecordError(f"Match {record.id}: {error}") from None
                    left_out += 1
                step()
    finally:
        await stores.close()
    return _Exported(written, left_out)


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    """Provide a file to write, or standard output. Raises: OSError."""
    if file == STANDARD_OUTPUT:
        yield sys.stdout
        return
    with file.open("w", encoding="utf-8", newline="\n") as out:
        yield out


async def _chosen(archive: ArchiveStore, matches: Sequence[MatchId]) -> AsyncIterator[MatchRecord]:
    """Yield the matches with these ids. Raises: RecordError for an unknown id, StorageError."""
    for match in matches:
        recorded = await archive.load(match)
        if not recorded:
            raise RecordError(f"There is no match {match}.")
        yield await archive.record(match, recorded)


async def _records(archive: ArchiveStore) -> AsyncIterator[MatchRecord]:
    cursor = Cursor()
    while found := await archive.search(ArchiveQuery(cursor=cursor), PAGE):
        async for match, recorded in archive.load_each([each.match for each in found]):
            yield await archive.record(match, recorded)
        cursor = found[-1].cursor


async def _import(address: str, files: Sequence[Path], game: str, encoding: str) -> tuple[int, int]:
    stores, stored, known = await open_storage(address), 0, 0
    try:
        with progress_after_a_while("Importing", None) as step:
            for file in files:
                before_file = stored + known
                try:
                    for reading in read_matches(decode_text(file.read_bytes(), encoding), game):
                        is_new = await _store(stores, reading)
                        for change in reading.changes:
                            typer.echo(f"{file}, match {stored + known - before_file + 1}: {change}", err=True)
                        stored, known = stored + is_new, known + (not is_new)
                        step()
                    if stored + known == before_file:
                        raise RecordError("There are no matches in this file.")
                except RecordError as error:
                    before = f" The {stored:,} matches before it were imported." if stored else ""
                    raise RecordError(f"{file}: {error}{before}") from None
    finally:
        await stores.close()
    return stored, known


async def _store(stores: Stores, reading: ReadMatch) -> bool:
    """Store a match. Return False if it was played here or has been imported before."""
    record = reading.record
    if record.id and not record.imported and await stores.archive.load(MatchId(record.id)):
        return False
    match, entries = match_id_of(secrets.randbits(ID_BITS)), entries_of(reading, steady_clock()())
    origin = origin_of(reading, IMPORTER)
    insertions = (record_insertion(match, encode_record(record)),)
    return await stores.journal.append(
        match, 0, entries, origin, finish=finish_from(match, entries), insertions=insertions
    )
