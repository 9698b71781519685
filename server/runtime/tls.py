"""TLS for the connections that the server opens to others: mail servers and push services."""

import ssl
from functools import cache


@cache
def client_tls() -> ssl.SSLContext:
    """Return the process's settings, which check certificates: reading those of the system takes 20 ms each time."""
    return ssl.create_default_context()
