"""The commands about a database: upgrading, copying, backup, and the archive in files.

Each imports what it needs when it runs.
"""

from pathlib import Path
from typing import Annotated

import typer

from ...runtime.settings import settings_for
from .arguments import (
    Database,
    DataDir,
    is_typed,
    with_database_password,
)
from .command_group import command_group

archive = command_group("Look after the archive.")


@archive.callback()
def _archive() -> None:
    """Look after the archive."""


@archive.command()
def pack(
    days: Annotated[float, typer.Option(min=1, help="Pack matches that have been over for so many days.")] = 7,
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Pack finished matches into a twentieth of the space, also while a server is running.

    It may be interrupted at any time; run it again to continue. Older versions cannot read packed matches.
    """
    from .packing import pack_archive

    pack_archive(settings_for(data_dir, database).database_url, days)


def migrate(
    context: typer.Context,
    database: Database = "",
    data_dir: DataDir = None,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="Copy this database, such as sqlite:///PATH, into the one of --to.",
            callback=with_database_password,
        ),
    ] = "",
    target: Annotated[
        str,
        typer.Option(
            "--to",
            help="An empty database, such as postgresql://HOST/NAME, or an unfinished copy.",
            callback=with_database_password,
        ),
    ] = "",
    check: Annotated[bool, typer.Option("--check", help="Only compare the databases of --from and --to.")] = False,
    reopen: Annotated[
        bool, typer.Option("--reopen", help="Use a database again that was copied into another one.")
    ] = False,
) -> None:
    """Upgrade the database, as `serve` does when it starts, or copy it into another one with --from and --to.

    Run the command again to continue an interrupted copy. No server may be running on either database.
    """
    from .serve import migrate_database

    if source or target or check:
        from .copy import copy_database
        from .output import fail

        if not (source and target) or is_typed(context, "database") or is_typed(context, "data_dir"):
            fail("To copy a database, name it with --from and the new one with --to, and give no other database.", 2)
        copy_database(source, target, only_checks=check)
        return
    migrate_database(settings_for(data_dir, database), reopens=reopen)


def export_matches(
    file: Annotated[
        Path,
        typer.Argument(
            help="The file to write, or - for standard output: JSON lines for .json, SGF for .sgf, PlayOK for "
            ".playok.txt, otherwise text."
        ),
    ],
    match: Annotated[list[str] | None, typer.Option(help="The id of a match, finished or not. Repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --form json.")] = False,
    form: Annotated[str, typer.Option(help="txt, json, sgf or playok, regardless of the file's name.")] = "",
    site: Annotated[str, typer.Option(help="The server's address, for links in the text.")] = "http://localhost:8000",
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Write all finished matches, or chosen ones, to a file."""
    from .archive import export_archive

    export_archive(settings_for(data_dir, database).database_url, file, site, match or (), "json" if as_json else form)


def import_matches(
    files: Annotated[list[Path], typer.Argument(help="Files in the formats of `export`, or PGN-like text.")],
    game: Annotated[str, typer.Option(help="The game of matches that name none.")] = "",
    encoding: Annotated[str, typer.Option(help="The encoding of files that are not in UTF-8: windows-1251, ...")] = "",
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Add matches from files to the archive, marked as imported."""
    from .archive import import_archive

    settings = settings_for(data_dir, database)
    settings.make_data_dir()
    import_archive(settings.database_url, files, game, encoding)


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as millrace.backup.")],
    database: Database = "",
    data_dir: DataDir = None,
    metrics_file: Annotated[
        Path | None,
        typer.Option(help="Check the backup, and then write its time and size here, for Prometheus' node exporter."),
    ] = None,
) -> None:
    """Write the whole database to a file, also while a server is running."""
    from .backup import back_up

    back_up(settings_for(data_dir, database).database_url, file, metrics_file)


def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `backup`, from SQLite or PostgreSQL.")],
    database: Database = "",
    data_dir: DataDir = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the current database, keeping it under another name.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check that the file is complete.")] = False,
) -> None:
    """Put a backup into a new database. The server must not be running."""
    from .backup import check_file, restore_file

    if check:
        check_file(file)
        return
    settings = settings_for(data_dir, database)
    settings.make_data_dir()
    restore_file(settings.database_url, file, replaces=replace)
