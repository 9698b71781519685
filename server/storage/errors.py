"""What is raised when the database fails.

StorageError        it could not be read or written
  FencedError       a lease has another holder now
  UnstorableError   a value fits no column; it never will
  MovedError        it has been copied into another one, which is used instead
"""


class StorageError(Exception):
    """The database could not be read or written.

    An append that raises it may have been stored: load the match before deciding anything more about it.
    """


class FencedError(StorageError):
    """Nothing was stored, because the lease under which it was to be stored has another holder now."""


class UnstorableError(StorageError):
    """Nothing was read or stored, because no column can hold one of the values."""


class MovedError(StorageError):
    """The database has been copied into another one, and is out of date."""

    def __init__(self, described: str, target: object) -> None:
        super().__init__(
            f"the database {described} is out of date: it was copied into {target}. Name that one with --database or "
            f"MILLRACE_DATABASE. To use this one again: millrace migrate --reopen --database {described}"
        )
