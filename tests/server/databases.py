"""Databases for tests: a fresh SQLite file, or a fresh database of a PostgreSQL server.

`MILLRACE_TEST_POSTGRES` is the address of a database whose user may create others. If no server answers, its tests are
skipped, unless `MILLRACE_TESTS_REQUIRE_ALL=1`: then they fail.
"""

import asyncio
import os
import sqlite3
import uuid
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from millrace.server.storage import database

POSTGRES_URL = os.environ.get("MILLRACE_TEST_POSTGRES", "postgresql://root@127.0.0.1:5432/test")


PATIENT_SETTINGS = {"idle_in_transaction_session_timeout": 60_000, "lock_timeout": 60_000}
"""Lets PostgreSQL wait for servers, in milliseconds, which a busy machine may stop for seconds."""


def be_patient() -> None:
    """Let PostgreSQL wait for the servers of this process from now on."""
    database.SERVING_SETTINGS.update(PATIENT_SETTINGS)


@contextmanager
def fresh_postgres() -> Iterator[str]:
    """Provide the URL of an empty database, and finally drop it; skip the test without a server."""
    name = f"millrace_{uuid.uuid4().hex}"
    try:
        run_sql(POSTGRES_URL, f"CREATE DATABASE {name}")
    except (OSError, asyncpg.PostgresError) as error:
        if os.environ.get("MILLRACE_TESTS_REQUIRE_ALL") == "1":
            raise
        pytest.skip(f"no PostgreSQL server: {error}")
    try:
        yield urlunsplit(urlsplit(POSTGRES_URL)._replace(path=f"/{name}"))
    finally:
        run_sql(POSTGRES_URL, f"DROP DATABASE {name} WITH (FORCE)")


def run_sql(url: str, *statements: str) -> None:
    """Run statements, each on its own, on a PostgreSQL database."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    run_beside(run())


def run_beside(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread: this one may have a loop of its own, as the browser's tests have."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, coroutine).result()


def run_statement(url: str, statement: str) -> None:
    """Run a statement on a database of either kind; not from within an event loop."""
    if url.startswith("postgresql"):
        run_sql(url, statement)
    else:
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            connection.execute(statement)


def read_value(url: str, query: str) -> object:
    """Return what a query of one value returns, of a database of either kind; not from within an event loop."""

    async def read() -> object:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    if url.startswith("postgresql"):
        return asyncio.run(read())
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        return connection.execute(query).fetchone()[0]


_DELETE_ROWS = """DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('LOCK TABLE %I', name);
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
END $$"""


def delete_rows(url: str) -> None:
    """Delete every row of a migrated PostgreSQL database, but for its revision: quicker than `TRUNCATE` for few rows.

    Nothing else is left of a test: no table has a number that the database itself counts. The locks wait for what a
    client that was killed has still sent.
    """
    run_sql(url, _DELETE_ROWS)


_DROP_SCHEMAS = """DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', name);
    END LOOP;
    CREATE SCHEMA public;
END $$"""


def drop_schemas(url: str) -> None:
    """Drop everything in a PostgreSQL database, also what restoring has set aside: quicker than to make another."""
    run_sql(url, _DROP_SCHEMAS)


def downgrade(url: str, revision: str) -> None:
    """Bring a database back to an older revision."""

    def step_back(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(files("millrace.migrations")))
        command.downgrade(config, revision)

    async def step_back_in_postgres() -> None:
        engine = create_async_engine(url.replace("postgresql", "postgresql+asyncpg"), poolclass=NullPool)
        async with engine.begin() as connection:
            await connection.run_sync(step_back)

    if url.startswith("postgresql"):
        asyncio.run(step_back_in_postgres())
    else:
        with create_engine(url, poolclass=NullPool).begin() as connection:
            step_back(connection)
