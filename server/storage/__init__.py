"""The journal kept in a database: SQLite in a file, or PostgreSQL by URL.

Not the interface, which is `server.journal`. Imported by `server.app` and the command line, and by nothing that plays.
`tables` says what is stored, `migrate` brings a database up to date, `writer` gathers what is pending into one
transaction, `sqlite` and `postgres` carry it out, and `journal` puts these together.
"""

from server.storage.journal import open_journal
from server.storage.migrate import migrate

__all__ = ["migrate", "open_journal"]
