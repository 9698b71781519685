"""What is raised when the database fails.

StorageError        it could not be read or written
  FencedError       a lease has another holder now
  UnstorableError   a value fits no column; it never will
"""


class StorageError(Exception):
    """The database could not be read or written.

    An append that raises it may have been stored: load the match before deciding anything more about it.
    """


class FencedError(StorageError):
    """Nothing was stored, because the lease under which it was to be stored has another holder now."""


class UnstorableError(StorageError):
    """Nothing was read or stored, because no column can hold one of the values."""
