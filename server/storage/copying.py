"""Copies a whole database into another one, of either kind, and compares the two.

The rows of a table are copied in the order of its key. Each transaction stores some of them with a note of how far the
copy has come (`server.storage.copy_marks`), so a run may end at any moment. The next one compares what the source
holds now with the checksum of what was copied from it: a table goes on from there, or is copied anew if those rows have
changed. While a run lasts, nobody else writes to the source.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

from sqlalchemy import URL, MetaData, Select, Table, delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .address import describe, is_sqlite, parse_address, sqlite_path
from .backup import quoted
from .contents import Contents, Row
from .copy_marks import begin_copy, end_copy, mark_moved, note_progress, read_progress, require_not_moved
from .damaged_file import require_whole
from .database import open_engine
from .errors import StorageError
from .failures import explained
from .migrate import head_revision, migrate, stored_revision
from .server_lock import take_server_lock

ROWS_AT_ONCE = 500
"""Rows that are read at once."""

ROWS_IN_A_BATCH = 5000
BATCH_BYTES = 4 * 1024 * 1024
"""Rows that are stored in one transaction, and their size: whichever is reached first."""

COMMAND_SECONDS = 3600.0
"""Time limit for PostgreSQL's answers, such as the number of rows of a big table."""

MOST_GAPS = 5
"""Matches with gaps that are named."""

REPLACEMENT = "\ufffd"

Step = Callable[[], None]

_SEQUENCES = """
SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL
"""

_MATCHES_WITH_GAPS = f"""
SELECT events.match FROM events LEFT JOIN packed_matches ON packed_matches.match = events.match
GROUP BY events.match, last_seq
HAVING min(seq) <> coalesce(last_seq, 0) + 1 OR max(seq) <> coalesce(last_seq, 0) + count(*)
ORDER BY events.match LIMIT {MOST_GAPS}
"""


class Copied(NamedTuple):
    """What a copy consists of, once it has been compared with its source."""

    rows: Mapping[str, int]
    """By table."""
    replaced: int
    """Texts in which characters were replaced."""
    gaps: Sequence[str]
    """Some matches whose events are not numbered without gaps, in the source as in the copy."""


class TextDecoder:
    """Decodes the texts of an SQLite file, which may hold what PostgreSQL does not: NUL characters and lone surrogates.

    They become U+FFFD, the replacement character.
    """

    def __init__(self) -> None:
        self.replaced = 0
        """The number of texts in which characters were replaced."""

    def __call__(self, content: bytes) -> str:
        r"""Return a text.

        >>> TextDecoder()(b"a\0b")
        'a\ufffdb'
        """
        try:
            decoded = str(content, "utf-8")
        except UnicodeDecodeError:
            decoded = str(content, "utf-8", "replace")
        else:
            if "\0" not in decoded:
                return decoded
        self.replaced += 1
        return decoded.replace("\0", REPLACEMENT)


class DatabaseCopy:
    """A copy of one database into another. Both are locked. Every method raises StorageError."""

    def __init__(
        self,
        source: AsyncConnection,
        decoder: TextDecoder,
        target: AsyncEngine,
        urls: tuple[URL, URL],
        metadata: MetaData,
    ) -> None:
        self._source = source
        self._decoder = decoder
        self._target = target
        self._source_name, self._target_name = map(_name, urls)
        self._source_url, self._target_url = urls
        self._tables = metadata.sorted_tables

    async def count_steps(self) -> int:
        """Return how often `step` is called, unless rows must be copied anew."""
        counts = [await self._source.scalar(select(func.count()).select_from(table)) for table in self._tables]
        return 2 * sum(-(-(count or 0) // ROWS_AT_ONCE) for count in counts)

    async def run(self, step: Step) -> Copied:
        """Copy what is missing, compare both databases, and let servers use the target instead of the source."""
        with explained(self._target_url):
            progress = await self._begin()
            held = {table.name: await self._copy_table(table, progress[table.name], step) for table in self._tables}
            gaps = await self._compare(held, step)
            # Committed once the target is whole: if this ends in between, servers can use both.
            await self._source.run_sync(mark_moved, self._target_name)
            async with self._target.begin() as connection:
                if connection.dialect.name == "postgresql":
                    await set_sequences(connection)
                    await connection.execute(text("ANALYZE"))
                await connection.run_sync(end_copy)
        with explained(self._source_url):
            await self._source.commit()
        return Copied({name: contents.rows for name, contents in held.items()}, self._decoder.replaced, gaps)

    async def check(self, step: Step) -> Copied:
        """Compare both databases only."""
        with explained(self._target_url):
            held = {table.name: await _read(self._source, select(table), step) for table in self._tables}
            gaps = await self._compare(held, step)
        return Copied({name: contents.rows for name, contents in held.items()}, self._decoder.replaced, gaps)

    async def _begin(self) -> Mapping[str, Contents]:
        """Return what has been copied of each table; begin if the target is empty."""
        async with self._target.begin() as connection:
            progress = await connection.run_sync(read_progress)
            if progress is None:
                await self._require_empty(connection)
                await self._source.run_sync(require_not_moved, self._source_name)
                await connection.run_sync(begin_copy, self._source_name, [table.name for table in self._tables])
                return {table.name: Contents() for table in self._tables}
        source, copied = progress
        if source != self._source_name:
            raise StorageError(
                f"the database {self._target_name} is an unfinished copy of {source}, not of {self._source_name}; "
                "name that one with --from, or an empty database with --to"
            )
        return copied

    async def _require_empty(self, connection: AsyncConnection) -> None:
        filled = [table.name for table in self._tables if (await connection.execute(select(table).limit(1))).first()]
        if filled:
            raise StorageError(
                f"the database {self._target_name} is not empty: it has rows in {', '.join(filled)}; name an empty one "
                "with --to, or add --check to compare the two if this is a finished copy"
            )

    async def _copy_table(self, table: Table, copied: Contents, step: Step) -> Contents:
        """Copy the rows of a table that are missing; return what the source holds."""
        rows = select(table).order_by(*table.primary_key)
        if copied.rows and await _read(self._source, rows.limit(copied.rows), step) != copied:
            copied = Contents()
            async with self._target.begin() as connection:
                await connection.execute(delete(table))
                await note_progress(connection, table.name, copied)
        held = Contents(copied.rows, copied.checksum)
        batch: list[Row] = []
        size = 0
        async for some in _chunks(self._source, rows.offset(copied.rows)):
            size += held.add(some)
            batch += some
            if len(batch) >= ROWS_IN_A_BATCH or size >= BATCH_BYTES:
                await self._store(table, batch, held)
                batch, size = [], 0
            step()
        if batch:
            await self._store(table, batch, held)
        return held

    async def _store(self, table: Table, rows: list[Row], held: Contents) -> None:
        """Store some rows; with them, the target has all those that are counted."""
        columns = list(table.c.keys())
        try:
            with explained(self._target_url):
                async with self._target.begin() as connection:
                    await note_progress(connection, table.name, held)
                    if connection.dialect.name == "postgresql":
                        # If PostgreSQL fails, rows and note are lost together. The last transaction makes all durable.
                        await connection.execute(text("SET LOCAL synchronous_commit = off"))
                        driver: Any = (await connection.get_raw_connection()).driver_connection
                        await driver.copy_records_to_table(table.name, columns=columns, records=rows)
                    else:
                        places = ", ".join("?" * len(columns))
                        await connection.exec_driver_sql(
                            f"INSERT INTO {quoted(table.name, columns)} VALUES ({places})", rows
                        )
        except StorageError as error:
            raise StorageError(f"rows of the table {table.name} cannot be copied: {error}") from error

    async def _compare(self, held: Mapping[str, Contents], step: Step) -> Sequence[str]:
        """Compare what the target holds with what the source holds; return some matches with gaps in either."""
        different = []
        async with self._target.connect() as connection:
            for table in self._tables:
                copied = await _read(connection, select(table), step)
                if copied != held[table.name]:
                    different.append(f"{table.name} ({copied.rows:,} rows there, {held[table.name].rows:,} here)")
            gaps = (await connection.scalars(text(_MATCHES_WITH_GAPS))).all()
        if different:
            raise StorageError(
                f"the database {self._target_name} differs from {self._source_name}: {', '.join(different)}"
            )
        return gaps


@asynccontextmanager
async def open_copy(source: str, target: str, metadata: MetaData) -> AsyncIterator[DatabaseCopy]:
    """Open two databases, to copy the tables of the one into the other, and lock both.

    The target must be empty, or a copy of that source that another run has begun; it is created if it is a file.
    After the copy, the source is refused (`server.storage.copy_marks`).
    Raises: StorageError, also if a server serves one of them, or if one has the tables of another version.
    """
    urls = parse_address(source), parse_address(target)
    if _name(urls[0]) == _name(urls[1]):
        raise StorageError(f"--from and --to name the same database, {_name(urls[0])}")
    async with AsyncExitStack() as stack:
        if is_sqlite(urls[0]):
            if not sqlite_path(urls[0]).exists():
                raise StorageError(f"there is no database {describe(urls[0])}")
            with explained(urls[0]):
                await asyncio.to_thread(require_whole, sqlite_path(urls[0]))
        for address in (source, target):
            stack.push_async_callback((await take_server_lock(address)).close)
        engines = []
        for url in urls:
            engine = open_engine(url, COMMAND_SECONDS)
            stack.push_async_callback(engine.dispose)
            engines.append(engine)
        with explained(urls[0]):
            connection = await stack.enter_async_context(engines[0].connect())
            await _require_head(connection, urls[0])
            decoder = await _lock_rows(connection, metadata)
        if not await _has_tables(engines[1], urls[1]):
            await migrate(target)
        with explained(urls[1]):
            async with engines[1].connect() as other:
                await _require_head(other, urls[1])
        yield DatabaseCopy(connection, decoder, engines[1], urls, metadata)


async def set_sequences(connection: AsyncConnection) -> None:
    """Have PostgreSQL go on counting behind the rows that were copied, in columns that it numbers itself."""
    for table, column, sequence in (await connection.execute(text(_SEQUENCES))).all():
        await connection.execute(
            text(f'SELECT setval(:sequence, COALESCE(MAX("{column}"), 0) + 1, FALSE) FROM "{table}"'),
            {"sequence": sequence},
        )


async def _has_tables(engine: AsyncEngine, url: URL) -> bool:
    """Return whether a database, or a file that perhaps does not exist, has tables of Millrace."""
    if is_sqlite(url) and not sqlite_path(url).exists():
        return False
    with explained(url):
        async with engine.connect() as connection:
            return await connection.run_sync(stored_revision) is not None


async def _require_head(connection: AsyncConnection, url: URL) -> None:
    revision, head = await connection.run_sync(stored_revision), head_revision()
    if revision is None:
        raise StorageError(f"the database {describe(url)} has no tables of Millrace")
    if str(revision) < head:
        raise StorageError(
            f"the database {describe(url)} has the tables of an older version ({revision}, not {head}); upgrade it "
            f"first: millrace migrate --database {describe(url)}"
        )
    if str(revision) > head:
        raise StorageError(
            f"the database {describe(url)} has the tables of a newer version ({revision}, not {head}); use that "
            "version of millrace"
        )


async def _lock_rows(connection: AsyncConnection, metadata: MetaData) -> TextDecoder:
    """Let nobody write to the source until the connection is closed; return what decodes its texts."""
    decoder = TextDecoder()
    if connection.dialect.name == "sqlite":
        driver: Any = (await connection.get_raw_connection()).driver_connection
        driver.text_factory = decoder
        await connection.rollback()
        await connection.execute(text("BEGIN IMMEDIATE"))
    else:
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        await connection.execute(text(f"LOCK TABLE {names} IN SHARE MODE"))
    return decoder


async def _chunks(connection: AsyncConnection, rows: Select[Any]) -> AsyncIterator[list[Row]]:
    with explained(connection.engine.url):
        result = await connection.stream(rows)
        async for some in result.partitions(ROWS_AT_ONCE):
            yield [tuple(row) for row in some]


async def _read(connection: AsyncConnection, rows: Select[Any], step: Step) -> Contents:
    """Return what some rows of a table hold."""
    contents = Contents()
    async for some in _chunks(connection, rows):
        contents.add(some)
        step()
    return contents


def _name(url: URL) -> str:
    """Return a database's address as it is noted in a copy."""
    return str(sqlite_path(url).resolve()) if is_sqlite(url) else describe(url)
