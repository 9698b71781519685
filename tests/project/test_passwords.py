"""Passwords of the database and of the bus are read from files, and shown nowhere."""

from pathlib import Path

import pytest

from millrace.server.app.commands.arguments import (
    BUS_VARIABLE,
    DATABASE_VARIABLE,
    with_bus_password,
    with_database_password,
)
from tests.commands import run


@pytest.fixture
def password_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "password"
    path.write_text("p@ss:w/rd?\n")
    monkeypatch.setenv(DATABASE_VARIABLE, str(path))
    monkeypatch.setenv(BUS_VARIABLE, str(path))
    return path


@pytest.mark.usefixtures("password_file")
@pytest.mark.parametrize(
    ("address", "completed"),
    [
        ("postgresql://ann@host:5432/name?ssl=on", "postgresql://ann:p%40ss%3Aw%2Frd%3F@host:5432/name?ssl=on"),
        ("postgres://host/name", "postgres://:p%40ss%3Aw%2Frd%3F@host/name"),
        ("postgresql://ann:own@host/name", "postgresql://ann:own@host/name"),
        ("sqlite:///millrace.sqlite3", "sqlite:///millrace.sqlite3"),
        ("", ""),
    ],
)
def test_a_postgresql_address_gets_the_password_from_the_file(address: str, completed: str) -> None:
    assert with_database_password(address) == completed


@pytest.mark.usefixtures("password_file")
def test_a_redis_address_gets_the_password_from_the_file() -> None:
    assert with_bus_password("redis://redis:6379") == "redis://:p%40ss%3Aw%2Frd%3F@redis:6379"
    assert with_bus_password("") == ""


def test_without_a_file_an_address_is_unchanged() -> None:
    assert with_database_password("postgresql://ann@host/name") == "postgresql://ann@host/name"


def test_commands_use_the_password_and_do_not_print_it(password_file: Path) -> None:
    code, output = run("migrate", "--database", "postgresql://ann@127.0.0.1:1/name")
    assert code == 1
    assert output.startswith("millrace: the database postgresql://127.0.0.1:1/name: ")
    assert "p@ss" not in output
    assert "p%40ss" not in output
    password_file.unlink()
    code, output = run("migrate", "--database", "postgresql://ann@127.0.0.1:1/name")
    reason = f"cannot be read from {password_file}: No such file or directory."
    assert (code, output) == (1, f"millrace: The password of the database {reason}\n")
