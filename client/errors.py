"""What can go wrong between a program and a server: the client library's errors.

No behaviour.

    ClientError
    +-- AddressError           an address that names no server
    +-- RefusedError           the server refused a command or a watch; nothing has changed by it
    +-- SearchEndedError       a quick pairing was given up before a match was found
    +-- ProtocolError          the server broke the protocol; the connection is over
    +-- ConnectionLostError    there is no connection, and none to come
        +-- UnreachableError   no connection could be opened
        +-- DismissedError     the server closed it for a reason that connecting again would not mend
        +-- HungUpError        this program closed it
"""

from millrace.server.protocol import Code, MatchId


class ClientError(Exception):
    """Whatever the client library raises on purpose."""


class AddressError(ClientError, ValueError):
    """An address that names no server; the text says what one looks like."""


class RefusedError(ClientError):
    """The server refused a command or a watch; nothing has changed by it."""

    def __init__(self, code: Code, message: str, match: MatchId | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        """For people."""
        self.match = match


class SearchEndedError(ClientError):
    """A quick pairing was given up, by another connection of the same player, before a match was found."""


class ProtocolError(ClientError):
    """The server sent what the protocol does not allow; the connection is over."""


class ConnectionLostError(ClientError):
    """There is no connection, and none to come: reconnecting is off, was given up or is pointless."""

    def __init__(self, words: str, close_code: int | None = None, reason: str = "", code: Code | None = None) -> None:
        super().__init__(words)
        self.close_code = close_code
        """Of the WebSocket's close frame (RFC 6455, section 7.4); None if there was none."""
        self.reason = reason
        """As the server gave it."""
        self.code = code
        """Of the refusal that the server sent before it closed, if it sent one."""


class UnreachableError(ConnectionLostError):
    """No connection could be opened."""


class DismissedError(ConnectionLostError):
    """The server closed the connection for a reason that connecting again would not mend."""


class HungUpError(ConnectionLostError):
    """This program closed the connection, or had never opened it."""
