"""Database addresses: which ones name the same database, and why others are refused."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from millrace.server.app.stores import open_journal
from millrace.server.storage.errors import StorageError
from tests.server.journal.entries import MATCH, create


@pytest.mark.postgres
async def test_a_database_that_does_not_exist_is_named_without_its_password(postgres_url: str) -> None:
    parts = urlsplit(postgres_url)
    missing = f"postgres://{parts.username}:secret@{parts.hostname}:{parts.port or 5432}/millrace_missing"
    with pytest.raises(StorageError, match='"millrace_missing" does not exist') as refusal:
        await open_journal(missing)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "not a file's path"),
        ("nonsense", "there is no database 'nonsense'; .* sqlite:///nonsense"),
        ("postgres", "there is no database 'postgres'"),
        ("sqlite:journal.db", "there is no database"),
        ("postgresql:/localhost/test", "there is no database"),
        ("sqlite://", "no path"),
        ("sqlite://:memory:", "no path"),
        ("sqlite:///:memory:", "only a file outlives the server"),
        ("mysql://localhost/test", "supports no database at 'mysql://'"),
        ("sqlite+aiosqlite:///journal.db", "supports no database at"),
        ("postgresql://localhost:port/test", "cannot be parsed"),
        ("postgresql://root@127.0.0.1:1/test", "127.0.0.1:1/test: .*refused|Connect call failed"),
        ("{folder}", "is a folder"),
        ("{folder}/missing/journal.db", "there is no folder"),
        ("{folder}/text.db", "file is not a database"),
    ],
)
async def test_an_address_that_cannot_be_used_is_explained(tmp_path: Path, address: str, words: str) -> None:
    (tmp_path / "text.db").write_text(
        "This file is no database, but a text that is long enough to be told from one.\n" * 9
    )
    with pytest.raises(StorageError, match=words):
        await open_journal(address.format(folder=tmp_path))


async def test_a_lone_word_is_refused_and_no_file_is_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StorageError, match="there is no database 'nonsense'"):
        await open_journal("nonsense")
    assert os.listdir(tmp_path) == []
    await (await open_journal("sqlite:///nonsense")).close()
    await (await open_journal("nonsense")).close()
    assert os.listdir(tmp_path) == ["nonsense"]


async def test_a_bare_path_and_a_url_name_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in ("journal.db", f"{tmp_path}/journal.db", "sqlite:///journal.db", f"sqlite:///{tmp_path}/journal.db"):
        journal = await open_journal(address)
        await create(journal)
        assert await journal.unfinished() == (MATCH,)
        await journal.close()
    assert os.listdir(tmp_path) == ["journal.db"]
