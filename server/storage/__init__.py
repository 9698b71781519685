"""The server's stores kept in a database: SQLite in a file, or PostgreSQL by URL.

Not the interfaces, which are `server.storage.stores` and what it holds. `tables` says what is stored, `migrate` brings
a database up to date, `writer` gathers what is pending into one transaction, `sqlite` and `postgres` carry it out,
`journal` and `accounts` are the stores, and `opening` puts these together.
"""

from .migrate import migrate
from .opening import open_journal, open_overview, open_storage

__all__ = ["migrate", "open_journal", "open_overview", "open_storage"]
