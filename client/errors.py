"""The errors of the client library.

ClientError
+-- AddressError           an address that is not a server's
+-- RefusedError           the server refused a command or a subscription, which had no effect
+-- SearchEndedError       a search for an opponent ended before a match was found
+-- ProtocolError          the server broke the protocol; the connection is over
+-- ConnectionLostError    the connection is over, and is not reconnecting
    +-- UnreachableError   no connection could be opened
    +-- DismissedError     the server closed it, and would do so again
    +-- HungUpError        this program closed it
"""

from millrace.protocol import Code, MatchId


class ClientError(Exception):
    """The base of all errors of the client library."""


class AddressError(ClientError, ValueError):
    """An address that is not a server's. The message shows valid ones."""


class RefusedError(ClientError):
    """The server refused a command or a subscription. Nothing has changed.

    With `Code.UNAVAILABLE` the server may have stored a command without knowing. Commands about matches raise it only
    without `retry_unavailable`: check then whether the command took effect.
    """

    def __init__(self, code: Code, message: str, match: MatchId | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        """The server's explanation, for the user."""
        self.match = match


class SearchEndedError(ClientError):
    """Another connection of the player ended the search before an opponent was found."""


class ProtocolError(ClientError):
    """The server sent a message that the protocol does not allow. The connection is over."""


class ConnectionLostError(ClientError):
    """The connection is over: reconnecting is off, has failed, or is pointless."""

    def __init__(self, message: str, close_code: int | None = None, reason: str = "", code: Code | None = None) -> None:
        super().__init__(message)
        self.close_code = close_code
        """The WebSocket's close code (RFC 6455, section 7.4); None if it was not closed properly."""
        self.reason = reason
        """The server's reason for closing."""
        self.code = code
        """The code of the refusal that the server sent before closing, if any."""


class UnreachableError(ConnectionLostError):
    """No connection could be opened."""


class DismissedError(ConnectionLostError):
    """The server closed the connection, and would close the next one too."""


class HungUpError(ConnectionLostError):
    """This program closed the connection, or never opened it."""
