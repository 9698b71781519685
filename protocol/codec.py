"""Messages and events as JSON: encoded, and read strictly from clients, leniently from servers and the journal."""

import msgspec

from .commands import ClientMessage
from .events import Event
from .faults import explain
from .fields import Message
from .newer_fields import read_json
from .old_events import upgraded
from .replies import ServerMessage

_encoder = msgspec.json.Encoder()
_client_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_server_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class MalformedError(ValueError):
    """A frame that is not a message of this protocol; the text says why."""


def encode(message: Message) -> bytes:
    """Return the JSON of a message or event."""
    return _encoder.encode(message)


def parse_client_message(frame: bytes | str) -> ClientMessage:
    """Read a frame from a client. Raises: MalformedError."""
    try:
        return _client_decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(explain(error)) from None


def parse_server_message(frame: bytes | str) -> ServerMessage:
    """Read a frame from the server, ignoring fields added by a newer one. Raises: MalformedError."""
    try:
        return read_json(frame, _server_decoder)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(explain(error)) from None


def parse_event(body: bytes | str) -> Event:
    """Read a stored event, also in the form of older servers, ignoring fields added by a newer one.

    Raises: MalformedError.
    """
    try:
        return read_json(upgraded(body), _event_decoder)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MalformedError(explain(error)) from None
