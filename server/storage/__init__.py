"""The server's stores kept in a database: SQLite in a file, or PostgreSQL by URL.

Not the interfaces, which are `server.stores` and what it holds. Imported by `server.app` and the command line, and by
nothing that plays. `tables` says what is stored, `migrate` brings a database up to date, `writer` gathers what is
pending into one transaction, `sqlite` and `postgres` carry it out, `journal` and `accounts` are the stores, and
`opening` puts these together.
"""

from server.storage.migrate import migrate
from server.storage.opening import open_journal, open_overview, open_storage

__all__ = ["migrate", "open_journal", "open_overview", "open_storage"]
