"""TLS for the connections that the server opens to others: mail servers and push services."""

import os
import ssl
from functools import lru_cache


def client_tls() -> ssl.SSLContext:
    """Return the process's settings, which check certificates by the system's, also after those were replaced."""
    paths = ssl.get_default_verify_paths()
    return _client_tls(tuple(map(_changed_ns, (paths.cafile, paths.capath))))


@lru_cache(maxsize=1)
def _client_tls(_changed: tuple[int, ...]) -> ssl.SSLContext:
    """Return new settings: reading the certificates of the system takes 20 ms each time."""
    return ssl.create_default_context()


def _changed_ns(path: str | None) -> int:
    try:
        return 0 if path is None else os.stat(path).st_mtime_ns
    except OSError:
        return 0
