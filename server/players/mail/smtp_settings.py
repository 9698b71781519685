"""The configured mail server: an address such as `smtp://millrace@mail.example.org:587`."""

from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class BadSmtpError(ValueError):
    """An unusable address of a mail server; the text says why, without the password."""


class SmtpSettings(NamedTuple):
    """A mail server."""

    host: str
    port: int
    username: str
    password: str
    sender: str
    """The sender's address of mails."""
    is_tls: bool
    """Whether the connection begins with TLS."""
    must_upgrade: bool
    """Whether to upgrade the connection to TLS before sending anything; not for a server on this machine."""


def parse_smtp(address: str, password: str = "", sender: str = "") -> SmtpSettings:
    """Return the settings of a mail server. Raises: BadSmtpError.

    `smtps://` starts with TLS, `smtp://` upgrades to it. `password` replaces one in the address.

    >>> parse_smtp("smtp://millrace@mail.example.org", "secret", "a@example.org").port
    587
    >>> parse_smtp("smtp://localhost:25", sender="a@example.org").must_upgrade
    False
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except UnicodeError as error:
        raise BadSmtpError("The mail server's name is not that of a host.") from error
    except ValueError as error:
        raise BadSmtpError("The port of the mail server is not a number.") from error
    if parts.scheme not in ("smtp", "smtps") or not host or parts.path.strip("/") or parts.query:
        raise BadSmtpError("A mail server is smtp://USER@HOST:PORT or smtps://USER@HOST:PORT.")
    username = unquote(parts.username or "")
    sender = plain_address(sender or username)
    if not sender:
        raise BadSmtpError("Set the sender's address of mails with --mail-from NAME@HOST.")
    is_tls, is_here = parts.scheme == "smtps", _is_this_machine(host)
    usual = 465 if is_tls else 587
    password = password or unquote(parts.password or "")
    return SmtpSettings(host, port or usual, username, password, sender, is_tls, not (is_tls or is_here))


def is_plain_address(text: str) -> bool:
    """Return whether a text is a plain e-mail address: NAME@HOST, of ASCII without spaces.

    >>> is_plain_address("ann@example.org"), is_plain_address("Ann <ann@example.org>"), is_plain_address("ann@")
    (True, False, False)
    """
    name, at, host = text.rpartition("@")
    is_written = text.isascii() and all("!" <= each <= "~" and each not in '<>()[]\\,;:"' for each in text)
    return bool(at) and is_written and 0 < len(name) <= 64 and 0 < len(host) <= 253 and "@" not in name


def plain_address(text: str) -> str:
    """Return an e-mail address with its host as mail servers know it; empty if it is not an address.

    >>> plain_address("ann@bücher.example"), plain_address("jörg@example.org")
    ('ann@xn--bcher-kva.example', '')
    """
    name, at, host = text.rpartition("@")
    try:
        address = f"{name}{at}{host.encode('idna').decode()}"
    except UnicodeError:
        return ""
    return address if is_plain_address(address) else ""


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
