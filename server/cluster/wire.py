"""The format of events between nodes: MessagePack, with the sender and the kind of the event.

Versions may run side by side: nodes ignore unknown kinds and fields.
"""

from collections.abc import Iterator

import msgspec

from millrace.protocol.newer_fields import read_msgpack

from .events import SharedEvent


class Envelope(msgspec.Struct, array_like=True, frozen=True):
    """An event with its sender."""

    node: str
    """The node that published the event."""
    connection: int
    """The number of the sender's connection to the bus; a lower one than before means that the event is late."""
    kind: str
    event: msgspec.Raw


_ENCODER = msgspec.msgpack.Encoder()
_ENVELOPES = msgspec.msgpack.Decoder(Envelope)
_DECODERS: dict[str, msgspec.msgpack.Decoder[SharedEvent]] = {}


def encode(event: SharedEvent, node: str, connection: int) -> bytes:
    """Return an event in wire format, with its sender."""
    return _ENCODER.encode(Envelope(node, connection, type(event).__name__, msgspec.Raw(_ENCODER.encode(event))))


def decode(payload: bytes) -> Envelope:
    """Return the sender and the event. Raises: msgspec.DecodeError."""
    return _ENVELOPES.decode(payload)


def open_envelope(envelope: Envelope) -> SharedEvent | None:
    """Return the event, or None if this version does not know its kind. Raises: msgspec.DecodeError."""
    decoder = _DECODERS.get(envelope.kind) or _find_decoder(envelope.kind)
    return None if decoder is None else read_msgpack(envelope.event, decoder)


def _find_decoder(name: str) -> msgspec.msgpack.Decoder[SharedEvent] | None:
    """Return the decoder of a kind received for the first time."""
    kinds = [kind for kind in _kinds_below(SharedEvent) if kind.__name__ == name]
    assert len(kinds) <= 1, f"Two kinds of shared events are called {name}: {kinds}"
    if not kinds:
        return None
    _DECODERS[name] = msgspec.msgpack.Decoder(kinds[0])
    return _DECODERS[name]


def _kinds_below(kind: type[SharedEvent]) -> Iterator[type[SharedEvent]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds_below(each)
