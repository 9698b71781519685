"""The server's stores in a database: SQLite in a file, or PostgreSQL.

The interfaces are in `server.storage.stores` and the modules that it names. `database` holds the one SQLAlchemy engine,
`tables` the tables, `migrate` brings a database up to date, and each other module implements the store of its name.
`writer` and `batches` store what the journal appends.
"""

from .backup import write_backup
from .backup_file import BackupError, check_backup
from .copying import Copied, open_copy
from .migrate import accept_copied_file, migrate
from .nodes import start_turn
from .opening import open_journal, open_overview, open_storage
from .restoring import restore_backup
from .server_lock import ServerLock, take_server_lock

__all__ = [
    "BackupError",
    "Copied",
    "ServerLock",
    "accept_copied_file",
    "check_backup",
    "migrate",
    "open_copy",
    "open_journal",
    "open_overview",
    "open_storage",
    "restore_backup",
    "start_turn",
    "take_server_lock",
    "write_backup",
]
