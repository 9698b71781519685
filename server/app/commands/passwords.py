"""Passwords from files, so that they appear neither in process lists nor in configurations."""

import os
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from .output import fail

DATABASE_VARIABLE = "MILLRACE_DATABASE_PASSWORD_FILE"
BUS_VARIABLE = "MILLRACE_BUS_PASSWORD_FILE"


def read_password(path: Path, of: str) -> str:
    """Return the content of a file without surrounding white space; stop with the reason if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        fail(f"The password of {of} cannot be read from {path}.")


def with_database_password(address: str) -> str:
    """Return the address of a PostgreSQL database with the password from the environment's file; others unchanged."""
    is_postgres = address.startswith(("postgresql://", "postgres://"))
    return _with_password(address, DATABASE_VARIABLE, "the database") if is_postgres else address


def with_bus_password(address: str) -> str:
    """Return the address of a bus with the password from the environment's file."""
    return _with_password(address, BUS_VARIABLE, "the bus") if address else address


def _with_password(address: str, variable: str, of: str) -> str:
    """Return an address with the password from the file named by an environment variable, unless it has one."""
    file = os.environ.get(variable)
    try:
        parts = urlsplit(address)
        has_password = parts.password is not None
    except ValueError:
        return address  # The command that uses it refuses it.
    if not file or has_password:
        return address
    user, _, host = parts.netloc.rpartition("@")
    password = quote(read_password(Path(file), of), safe="")
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{host}"))
